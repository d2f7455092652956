import assert from "node:assert/strict";
import { test } from "node:test";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const file = (proxy: object = {}): StackFile => ({
  proxies: { p: { configTokenSecretRef: { name: "p-config" }, ...proxy } },
});

/** A Deployment as the operator makes one: its labels, its selector, fields that we don't declare. */
function operatorDeployment(more: object = {}): object {
  const selector = {
    "app.kubernetes.io/name": "p",
    "app.kubernetes.io/component": "proxy",
    "otilm.com/proxy": "p",
  };
  const labels = { ...selector, "app.kubernetes.io/managed-by": "ilm-operator" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "p", labels, ...more },
    spec: {
      selector: { matchLabels: selector },
      template: {
        metadata: { labels, annotations: { "otilm.com/left-over": "yes" } },
        spec: {
          containers: [{ name: "proxy", image: "example.com/proxy:1", env: [{ name: "OLD", value: "1" }] }],
        },
      },
    },
  };
}

test("another stack's objects are refused in every run, preview included, and nothing of theirs changes", async (t) => {
  const ours = await TestZone.open(t, file());
  await ours.putToken("p-config", "30d");
  assert.equal((await ours.up()).code, 0);
  const before = await ours.fingerprint();

  const theirs = await TestZone.open(t, file(), { beside: ours });
  for (const run of [await theirs.preview(), await theirs.up(), await theirs.up("--skip-preview")]) {
    assert.notEqual(run.code, 0);
    assert.match(
      run.output,
      new RegExp(`error: \\w+ \\S+/p belongs to pulumi-proxies/${ours.stack}/Proxy/p: choose another name`),
    );
    assert.doesNotMatch(run.output, /\n\s+at .*file:/);
  }
  const adopting = await TestZone.open(t, file({ adopt: true }), { beside: ours });
  assert.notEqual((await adopting.up()).code, 0);
  assert.equal((await theirs.destroy()).code, 0);
  assert.deepEqual(await ours.fingerprint(), before);
});

test("a foreign object is refused; adopt takes it over exactly, with one rolling restart", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  await zone.apply(operatorDeployment());
  await zone.kube("rollout", "status", "deployment/p", "--timeout=90s");
  const foreign = await zone.get("deployment", "p");

  const refused = await zone.up();
  assert.notEqual(refused.code, 0);
  assert.match(
    refused.output,
    /error: Deployment \S+\/p exists and is not ours: choose another name, or set adopt: true/,
  );
  assert.equal(
    (await zone.get("deployment", "p")).metadata.resourceVersion,
    foreign.metadata.resourceVersion,
  );

  zone.write(file({ adopt: true }));
  const adopted = await zone.up();
  assert.equal(adopted.code, 0, adopted.output);
  const ours = await zone.get("deployment", "p");
  assert.equal(ours.metadata.uid, foreign.metadata.uid);
  assert.equal(ours.metadata.labels?.["app.kubernetes.io/managed-by"], "pulumi-proxies");
  assert.equal(at(ours, "spec", "template", "metadata", "annotations", "otilm.com/left-over"), undefined);
  const env = at(ours, "spec", "template", "spec", "containers", 0, "env") as { name: string }[];
  assert.deepEqual(
    env.map(({ name }) => name),
    ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"],
  );
  assert.equal((await zone.list("replicasets")).length, 2, "one rolling restart");

  zone.write(file());
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("an object that a controller owns is refused with and without adopt, with the way to let go of it", async (t) => {
  const zone = await TestZone.open(t, file({ adopt: true }));
  await zone.putToken("p-config", "30d");
  await zone.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } });
  const { uid } = (await zone.get("configmap", "owner")).metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, controller: true }];
  await zone.apply(operatorDeployment({ ownerReferences }));
  for (const adopt of [true, false]) {
    zone.write(file({ adopt }));
    const run = await zone.up();
    assert.notEqual(run.code, 0);
    assert.match(
      run.output,
      /belongs to ConfigMap owner.*kubectl delete configmap owner -n \S+ --cascade=orphan/,
    );
  }
});

test("after a lost state a new stack of the same name takes everything over exactly", async (t) => {
  const zone = await TestZone.open(t, file({ env: [{ name: "DROPPED", value: "1" }] }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const { uid } = (await zone.get("deployment", "p")).metadata;

  assert.equal((await zone.pulumi(["stack", "rm", "--force", "--yes", "--preserve-config"])).code, 0);
  assert.equal((await zone.pulumi(["stack", "init"])).code, 0);
  zone.write(file());
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const deployment = await zone.get("deployment", "p");
  assert.equal(deployment.metadata.uid, uid);
  const env = at(deployment, "spec", "template", "spec", "containers", 0, "env") as { name: string }[];
  assert.deepEqual(
    env.map(({ name }) => name),
    ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"],
  );
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("destroy removes exactly ours", async (t) => {
  const zone = await TestZone.open(t, file({ podDisruptionBudget: { enabled: true } }));
  await zone.putToken("p-config", "30d");
  await zone.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "theirs" }, data: { a: "b" } });
  await zone.apply({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "theirs" },
    spec: { ports: [{ port: 80 }] },
  });
  assert.equal((await zone.up()).code, 0);
  const run = await zone.destroy();
  assert.equal(run.code, 0, run.output);
  const left = await zone.left(
    "deployments,services,serviceaccounts,horizontalpodautoscalers,poddisruptionbudgets,networkpolicies,secrets,configmaps",
  );
  assert.deepEqual(left.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort(), [
    "ConfigMap/kube-root-ca.crt",
    "ConfigMap/theirs",
    "Secret/p-config",
    "Service/theirs",
    "ServiceAccount/default",
  ]);
});

test("what is still being deleted is not written to: it would vanish under a run that reports success", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const [pod] = await zone.list("pods");
  await zone.kube(
    "patch",
    "pod",
    pod?.metadata.name ?? "",
    "--type=merge",
    "-p",
    '{"metadata":{"finalizers":["example.com/hold"]}}',
  );
  assert.equal((await zone.destroy()).code, 0);
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  assert.match(run.output, /error: Deployment \S+\/p is still being deleted: run again when it is gone/);

  await zone.kube(
    "patch",
    "pod",
    pod?.metadata.name ?? "",
    "--type=merge",
    "-p",
    '{"metadata":{"finalizers":null}}',
  );
  await zone.kube("wait", "--for=delete", "deployment/p", "--timeout=90s");
  const again = await zone.up();
  assert.equal(again.code, 0, again.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
});
