import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BEHAVIOUR } from "../../dev/kwok/annotations.ts";
import { conditionsOf } from "./support/outputs.ts";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const behaving = (behaviour: string | undefined, rollout: object, more: object = {}): StackFile => ({
  proxies: {
    p: {
      configTokenSecretRef: { name: "p-config" },
      ...(behaviour !== undefined && { podAnnotations: { [BEHAVIOUR]: behaviour } }),
      rollout,
      ...more,
    },
  },
});

const STACK_TRACE = /\n\s+at .*\(?(file|node):/;

test("an image that never pulls ends the run at Kubernetes' deadline, with the kubelet's reason", async (t) => {
  const zone = await TestZone.open(t, behaving("image-pull-error", { progressDeadlineSeconds: 8 }));
  await zone.putToken("p-config", "30d");
  const begin = Date.now();
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  assert.ok(Date.now() - begin < 90_000, "ends within its bound");
  assert.match(run.output, /error: rollout of Deployment \S+\/p failed: ProgressDeadlineExceeded/);
  assert.match(run.output, /pods say: container proxy: (ErrImagePull|ImagePullBackOff)/);
  assert.doesNotMatch(run.output, STACK_TRACE);
  const { p: output } = await zone.outputs();
  assert.equal(output?.phase, "Failed");
  assert.ok(conditionsOf(output).includes("Progressing=False/ProgressDeadlineExceeded"));

  zone.write(behaving("slow:1", { progressDeadlineSeconds: 8 }));
  const mended = await zone.up();
  assert.equal(mended.code, 0, mended.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
});

test("going back to an older template is not mistaken for the failure that it mends", async (t) => {
  const rollout = { progressDeadlineSeconds: 8 };
  const zone = await TestZone.open(t, behaving(undefined, rollout, { replicas: 3 }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  zone.write(behaving("never-ready", rollout, { replicas: 3 }));
  assert.match((await zone.up()).output, /failed: ProgressDeadlineExceeded/);
  zone.write(behaving(undefined, rollout, { replicas: 3 }));
  const back = await zone.up();
  assert.equal(back.code, 0, back.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
});

test("a ServiceAccount that was deleted is put back, and the run waits for the pods that it had kept from being made", async (t) => {
  const zone = await TestZone.open(t, behaving(undefined, {}));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  await zone.kube("delete", "serviceaccount", "p");
  await zone.kube("rollout", "restart", "deployment/p");
  await zone.kube("wait", "deployment/p", "--for=condition=ReplicaFailure", "--timeout=60s");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal(run.changes["create"], 1, run.output);
  assert.equal((await zone.outputs())["p"]?.summary.startsWith("Running, 1/1 ready"), true);
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("a rollout that never completes fails this run and the next, until it is mended", async (t) => {
  const zone = await TestZone.open(t, behaving(undefined, {}));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);

  zone.write(behaving("never-ready", { progressDeadlineSeconds: 60, timeoutSeconds: 8 }));
  const failed = await zone.up();
  assert.notEqual(failed.code, 0);
  assert.match(failed.output, /error: rollout of Deployment \S+\/p did not complete within 8 s/);
  assert.match(failed.output, /container proxy: not ready/);
  assert.doesNotMatch(failed.output, STACK_TRACE);
  assert.equal((await zone.outputs())["p"]?.phase, "Updating");

  const again = await zone.up();
  assert.notEqual(again.code, 0, "nothing to change, and still not rolled out");
  assert.deepEqual(Object.keys(again.changes).includes("update"), false);

  zone.write(behaving(undefined, {}));
  const mended = await zone.up();
  assert.equal(mended.code, 0, mended.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
});

test("a rollout that somebody begins anew again and again ends the run at its bound, and the error names them", async (t) => {
  const zone = await TestZone.open(t, behaving("slow:5", { timeoutSeconds: 15 }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  await zone.putToken("p-config", "40d");
  const ended = new AbortController();
  const restarting = (async () => {
    while (!ended.signal.aborted) {
      await zone.kube("rollout", "restart", "deployment/p");
      await sleep(1_100); // twice within a second is an error
    }
  })();
  const failed = await zone.up().finally(() => {
    ended.abort();
  });
  await restarting;
  assert.notEqual(failed.code, 0);
  assert.match(
    failed.output,
    /did not complete within 15 s \(.*\); its spec was changed \d+ times meanwhile, last by kubectl-rollout/,
  );
  assert.equal((await zone.outputs())["p"]?.phase, "Updating");
  const calm = await zone.up();
  assert.equal(calm.code, 0, calm.output);
});

test("everything else of a failing run is applied, deletions wait for the next", async (t) => {
  const two = (first: object, second?: object): StackFile => ({
    proxies: {
      bad: { configTokenSecretRef: { name: "p-config" }, ...first },
      ...(second && { good: { configTokenSecretRef: { name: "p-config" }, ...second } }),
    },
  });
  const zone = await TestZone.open(t, two({}, { podDisruptionBudget: { enabled: true } }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);

  zone.write(
    two({ podAnnotations: { [BEHAVIOUR]: "crash-loop" }, rollout: { timeoutSeconds: 8 } }, { replicas: 2 }),
  );
  const failed = await zone.up();
  assert.notEqual(failed.code, 0);
  assert.match(failed.output, /CrashLoopBackOff/);
  assert.equal((await zone.outputs())["good"]?.ready, 2);
  await zone.get("poddisruptionbudget", "good");

  zone.write(two({}, { replicas: 2 }));
  assert.equal((await zone.up()).code, 0);
  assert.deepEqual(await zone.list("poddisruptionbudgets"), []);
});

test("rollout.wait false does not wait and does not fail", async (t) => {
  const zone = await TestZone.open(t, behaving("never-ready", { wait: false }));
  await zone.putToken("p-config", "30d");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Deploying");
});

test("a proxy that turns unready after its rollout is a phase and a warning, not a failure", async (t) => {
  const zone = await TestZone.open(t, behaving(undefined, { timeoutSeconds: 60 }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  await zone.kube("annotate", "pod", "-l", "otilm.com/proxy=p", `${BEHAVIOUR}=never-ready`);
  await zone.kube("wait", "pod", "-l", "otilm.com/proxy=p", "--for=condition=Ready=false", "--timeout=60s");
  const run = await zone.up("--expect-no-changes");
  assert.equal(run.code, 0, run.output);
  assert.match(run.output, /warning: Deploying: 0\/1 replicas ready/);
  const { p: output } = await zone.outputs();
  assert.equal(output?.phase, "Deploying");
  assert.ok(conditionsOf(output).includes("Available=False/WaitingForReplicas"));
});

test("a paused rollout is somebody's decision: the run says so at once and leaves it", async (t) => {
  const zone = await TestZone.open(t, behaving("never-ready", { wait: false }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  await zone.kube("rollout", "pause", "deployment/p");
  zone.write(behaving("never-ready", { timeoutSeconds: 100 }));
  const begin = Date.now();
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  assert.ok(Date.now() - begin < 80_000, "does not wait");
  assert.match(run.output, /DeploymentPaused \(somebody paused it; `kubectl rollout resume` goes on\)/);
  assert.equal(at(await zone.get("deployment", "p"), "spec", "paused"), true);
});
