import assert from "node:assert/strict";
import { test } from "node:test";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const file = (zone: object = {}, proxy: object = {}): StackFile => ({
  zone,
  proxies: { p: { configTokenSecretRef: { name: "p-config" }, ...proxy } },
});

const container = async (zone: TestZone): Promise<unknown> =>
  at(await zone.get("deployment", "p"), "spec", "template", "spec", "containers", 0);

async function running(zone: TestZone): Promise<void> {
  await zone.putToken("p-config", "30d");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
}

/** The exit code of a preview that goes through and finds changes where none are expected. */
const CHANGES = 7;

/** One run puts it right and shows it; the next has nothing to do and touches nothing. */
async function repairs(zone: TestZone, ...changed: RegExp[]): Promise<void> {
  const preview = await zone.preview("--expect-no-changes");
  assert.equal(preview.code, CHANGES, preview.output);
  for (const pattern of changed) assert.match(preview.output, pattern);
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const before = await zone.fingerprint();
  const again = await zone.up("--expect-no-changes");
  assert.equal(again.code, 0, again.output);
  assert.deepEqual(await zone.fingerprint(), before);
}

test("changed values and deleted objects are put back", async (t) => {
  const zone = await TestZone.open(t, file());
  await running(zone);
  await zone.kube("set", "image", "deployment/p", "proxy=example.com/other:1");
  await zone.kube(
    "patch",
    "service",
    "p",
    "--type=json",
    "-p",
    '[{"op":"replace","path":"/spec/ports/0/port","value":9999}]',
  );
  await zone.kube("delete", "networkpolicy", "p");
  await repairs(zone);
  assert.equal(at(await container(zone), "image"), "hub.omnitrustregistry.com/ilm/proxy:1.0.0");
  assert.equal(at(await zone.get("service", "p"), "spec", "ports", 0, "port"), 8080);
  await zone.get("networkpolicy", "p");
});

test("what others add is removed: an appended variable, a sidecar, a label, an open policy rule", async (t) => {
  const zone = await TestZone.open(t, file());
  await running(zone);
  await zone.kube("set", "env", "deployment/p", "EVIL=1");
  const sidecar = { name: "sidecar", image: "example.com/evil:1" };
  await zone.kube(
    "patch",
    "deployment",
    "p",
    "--field-manager=helper",
    "--type=strategic",
    "-p",
    JSON.stringify({ spec: { template: { spec: { containers: [sidecar] } } } }),
  );
  await zone.kube("label", "service", "p", "team=other");
  await zone.kube(
    "patch",
    "networkpolicy",
    "p",
    "--type=json",
    "-p",
    '[{"op":"add","path":"/spec/ingress/-","value":{}}]',
  );
  await repairs(
    zone,
    /warning: Deployment \S+\/p has fields that are not ours: .*containers\[proxy\]\.env\[EVIL\] \(by kubectl-set\)/,
    /containers\[sidecar\] \(by helper\)/,
    /warning: Service \S+\/p has fields that are not ours: metadata\.labels\.team \(by kubectl-label\); this run removes them/,
    /warning: NetworkPolicy \S+\/p/,
  );
  const names = at(await zone.get("deployment", "p"), "spec", "template", "spec", "containers") as {
    name: string;
    env: { name: string }[];
  }[];
  assert.deepEqual(
    names.map(({ name }) => name),
    ["proxy"],
  );
  assert.deepEqual(
    names[0]?.env.map(({ name }) => name),
    ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"],
  );
  const service = await zone.get("service", "p");
  assert.equal(service.metadata.labels?.["team"], undefined);
  assert.equal(service.metadata.annotations?.["pulumi-proxies.dev/repairs"], "1");
  assert.equal((at(await zone.get("networkpolicy", "p"), "spec", "ingress") as unknown[]).length, 1);

  await zone.kube("label", "service", "p", "team=again");
  await repairs(zone);
  assert.equal((await zone.get("service", "p")).metadata.annotations?.["pulumi-proxies.dev/repairs"], "2");
});

test("an owner reference that somebody adds is removed: our object would go with its owner", async (t) => {
  const zone = await TestZone.open(t, file());
  await running(zone);
  await zone.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } });
  const { uid } = (await zone.get("configmap", "owner")).metadata;
  const own = async (controller: boolean): Promise<string> => {
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, controller }];
    return zone.kube(
      "patch",
      "service",
      "p",
      "--type=merge",
      "-p",
      JSON.stringify({ metadata: { ownerReferences } }),
    );
  };
  await own(false);
  await repairs(zone, /Service \S+\/p has fields that are not ours: metadata\.ownerReferences/);
  assert.equal(at(await zone.get("service", "p"), "metadata", "ownerReferences"), undefined);

  await own(true);
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  assert.match(
    run.output,
    /error: Service \S+\/p belongs to ConfigMap owner, whose deletion would delete it/,
  );
});

test("drift: warn names what others added and leaves it; allowManagers says nothing", async (t) => {
  const zone = await TestZone.open(t, file({ drift: "warn" }));
  await running(zone);
  await zone.kube("label", "deployment", "p", "team=other", "--field-manager=reloader");
  const warned = await zone.up("--expect-no-changes");
  assert.equal(warned.code, 0, warned.output);
  assert.match(warned.output, /metadata\.labels\.team \(by reloader\); they stay, since zone\.drift is warn/);

  zone.write(file({ allowManagers: ["reloader"] }));
  const allowed = await zone.up("--expect-no-changes");
  assert.equal(allowed.code, 0, allowed.output);
  assert.doesNotMatch(allowed.output, /not ours/);
  assert.equal((await zone.get("deployment", "p")).metadata.labels?.["team"], "other");
});

test("kubectl rollout restart is nobody's drift, and no later run undoes it: that would roll the pods once more", async (t) => {
  const zone = await TestZone.open(t, file());
  await running(zone);
  await zone.kube("rollout", "restart", "deployment/p");
  await zone.kube("rollout", "status", "deployment/p", "--timeout=90s");
  const run = await zone.up("--expect-no-changes");
  assert.equal(run.code, 0, run.output);
  assert.doesNotMatch(run.output, /not ours/);

  const template = async (): Promise<unknown> => at(await zone.get("deployment", "p"), "spec", "template");
  const restarted = await template();
  assert.ok(at(restarted, "metadata", "annotations", "kubectl.kubernetes.io/restartedAt"));
  for (const [replicas, label] of [
    [2, "one=1"],
    [3, "two=2"],
  ] as const) {
    zone.write(file({}, { replicas }));
    assert.equal((await zone.up()).code, 0);
    assert.deepEqual(await template(), restarted, "scaling does not roll");
    await zone.kube("label", "deployment", "p", label);
    assert.equal((await zone.up()).changes["update"], 1);
    assert.deepEqual(await template(), restarted, "a repair does not roll");
    assert.equal((await zone.up("--expect-no-changes")).code, 0);
  }
  assert.equal((await zone.list("replicasets")).length, 2);
});

test("an allowed manager's fields stay when another's are removed in the same run", async (t) => {
  const zone = await TestZone.open(t, file({ allowManagers: ["reloader"] }));
  await running(zone);
  const annotate = (manager: string, annotation: string): Promise<string> =>
    zone.kube("annotate", "deployment", "p", annotation, `--field-manager=${manager}`);
  await annotate("reloader", "reloader.example.com/seen=yes");
  await annotate("someone", "someone.example.com/note=hi");
  await repairs(zone, /someone\.example\.com\/note"\] \(by someone\)/);
  const { annotations } = (await zone.get("deployment", "p")).metadata;
  assert.equal(annotations?.["reloader.example.com/seen"], "yes");
  assert.equal(annotations["someone.example.com/note"], undefined);
});
