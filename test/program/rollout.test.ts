import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxyArgs } from "../../components/index.ts";
import { REF, runProxy } from "./support/proxy.ts";
import { deployment, FORBIDDEN, found, jwt, MISSING, ours, secret, type World } from "./support/zone.ts";

const HANGING = deployment(0, 1, { progressing: "ReplicaSetUpdated" });
const GIVEN_UP = deployment(0, 1, { progressing: "ProgressDeadlineExceeded" });

const after = (object: ReturnType<typeof deployment>, reads: World["reads"] = {}): World => ({
  reads: { "Deployment/dc-east": found(object), ...reads },
});

test("a rollout that does not complete in time fails the run, with every output there", async () => {
  const { outputs, logs, exitCode } = await runProxy({
    args: { ...REF, minReadySeconds: 0, rollout: { timeoutSeconds: 1 } },
    world: after(HANGING),
  });
  const errors = logs.filter(({ severity }) => severity === "error");
  assert.equal(errors.length, 1);
  assert.match(
    errors[0]?.message ?? "",
    /^rollout of Deployment proxies\/dc-east did not complete within 1 s/,
  );
  assert.match(errors[0]?.message ?? "", /nothing was deleted/);
  assert.equal(exitCode, 32);
  assert.equal(outputs.phase, "Deploying");
});

test("a rollout that fails says what its pods say, or why they can't be asked", async () => {
  const waiting = { name: "p", ready: false, state: { waiting: { reason: "ErrImagePull" } } };
  const pod = { metadata: { name: "p" }, status: { containerStatuses: [waiting] } };
  const silent = { metadata: { name: "p" }, status: {} };
  for (const [pods, causes] of [
    [found([pod]), "; pods say: container p: ErrImagePull. Everything"],
    [found([silent]), "). Everything"],
    [FORBIDDEN, `; its pods can't be read: ${FORBIDDEN.detail}. Everything`],
  ] as const) {
    const { logs } = await runProxy({ world: { ...after(GIVEN_UP), pods } });
    const { message = "" } = logs.find(({ severity }) => severity === "error") ?? {};
    assert.ok(message.includes(causes), message);
  }
});

test("a rollout that Kubernetes has given up ends the wait at once", async () => {
  const { outputs, logs, exitCode, cluster } = await runProxy({ world: after(GIVEN_UP) });
  assert.equal(cluster.asked.filter((what) => what === "Deployment/dc-east").length, 1);
  assert.match(
    logs.find(({ severity }) => severity === "error")?.message ?? "",
    /failed: ProgressDeadlineExceeded/,
  );
  assert.equal(exitCode, 32);
  assert.equal(outputs.phase, "Failed");
});

test("a rollout is waited for until it completes", async () => {
  const { outputs, exitCode } = await runProxy({
    world: { reads: { "Deployment/dc-east": [found(HANGING), found(HANGING), found(deployment(1, 1))] } },
  });
  assert.equal(outputs.phase, "Running");
  assert.equal(exitCode, undefined);
});

test("Recreate is waited for from the moment when its old pods still run under the rollout before", async () => {
  const old = deployment(1, 1, { generation: 3 });
  (old["status"] as { updatedReplicas: number }).updatedReplicas = 0;
  const { outputs, exitCode } = await runProxy({
    args: { ...REF, strategy: { type: "Recreate" } },
    world: {
      lists: { Deployment: found([deployment(1, 1)]) },
      reads: { "Deployment/dc-east": [found(old), found(deployment(1, 1, { generation: 3 }))] },
    },
  });
  assert.equal(outputs.phase, "Running");
  assert.equal(exitCode, undefined);
});

test("the failure of the template before does not end the wait for this one", async () => {
  const retried = deployment(0, 1, { progressing: "ProgressDeadlineExceeded", generation: 3 });
  const { outputs, exitCode } = await runProxy({
    world: {
      lists: { Deployment: found([GIVEN_UP]) },
      reads: { "Deployment/dc-east": [found(retried), found(deployment(1, 1, { generation: 3 }))] },
    },
  });
  assert.equal(outputs.phase, "Running");
  assert.equal(exitCode, undefined);
});

test("a retry that changes nothing fails at once", async () => {
  const { exitCode, cluster } = await runProxy({
    world: {
      lists: { Deployment: found([GIVEN_UP]), ServiceAccount: found([ours()]) },
      reads: { "Deployment/dc-east": found(GIVEN_UP) },
    },
  });
  assert.equal(exitCode, 32);
  assert.equal(cluster.asked.filter((what) => what === "Deployment/dc-east").length, 1);
});

test("pods that lacked the ServiceAccount which this run puts back are waited for", async () => {
  const { outputs, exitCode } = await runProxy({
    world: {
      lists: { Deployment: found([GIVEN_UP]), ServiceAccount: found([]) },
      reads: { "Deployment/dc-east": [found(GIVEN_UP), found(deployment(1, 1))] },
    },
  });
  assert.equal(outputs.phase, "Running");
  assert.equal(exitCode, undefined);
});

test("pods that this run has added are waited for", async () => {
  const { outputs } = await runProxy({
    args: { ...REF, replicas: 2 },
    world: {
      lists: { Deployment: found([deployment(1, 1)]) },
      reads: {
        "Deployment/dc-east": [
          found(deployment(1, 2, { generation: 3 })),
          found(deployment(2, 2, { generation: 3 })),
        ],
      },
    },
  });
  assert.equal(outputs.readyReplicas, 2);
  assert.equal(outputs.phase, "Running");
});

test("pods that turned unready after a completed rollout are a phase and a warning, no failure", async () => {
  const unready = deployment(0, 1);
  const { outputs, logs, exitCode } = await runProxy({
    world: { lists: { Deployment: found([unready]) }, reads: { "Deployment/dc-east": found(unready) } },
  });
  assert.equal(outputs.phase, "Deploying");
  assert.deepEqual(
    logs.map(({ severity }) => severity),
    ["warning"],
  );
  assert.equal(exitCode, undefined);
});

test("a Deployment that can't be read after its registration fails the run, with every output there", async () => {
  const { outputs, logs, exitCode } = await runProxy({
    world: { reads: { "Deployment/dc-east": FORBIDDEN } },
  });
  assert.equal(outputs.phase, "Unknown");
  assert.match(
    logs.find(({ severity }) => severity === "error")?.message ?? "",
    /^Deployment proxies\/dc-east can't be read/,
  );
  assert.equal(exitCode, 32);
});

const patient: [string, Omit<ProxyArgs, "zone">, World][] = [
  ["nobody wants to wait", { ...REF, rollout: { wait: false } }, after(HANGING)],
  ["replicas is 0", { ...REF, replicas: 0 }, after(deployment(1, 0))],
  [
    "the Secret is missing",
    { ...REF, referenceTimeoutSeconds: 0 },
    after(HANGING, { "Secret/dc-east-config": MISSING }),
  ],
  [
    "the token's key is missing",
    { ...REF, referenceTimeoutSeconds: 0 },
    after(HANGING, { "Secret/dc-east-config": found(secret("dc-east-config", {})) }),
  ],
  [
    "the token has expired",
    REF,
    after(HANGING, { "Secret/dc-east-config": found(secret("dc-east-config", { configToken: jwt(1) })) }),
  ],
];

for (const [why, args, world] of patient) {
  test(`a run neither waits nor fails when ${why}`, async () => {
    const { logs, exitCode, cluster } = await runProxy({ args, world });
    assert.deepEqual(
      logs.filter(({ severity }) => severity === "error"),
      [],
    );
    assert.equal(exitCode, undefined);
    assert.equal(cluster.asked.filter((what) => what === "Deployment/dc-east").length, 1);
  });
}

test("a preview never waits", async () => {
  const { exitCode, cluster } = await runProxy({
    preview: true,
    world: { lists: { Deployment: found([HANGING]) }, reads: { "Deployment/dc-east": found(HANGING) } },
  });
  assert.equal(exitCode, undefined);
  assert.deepEqual(cluster.asked, ["Secret/dc-east-config"]);
});
