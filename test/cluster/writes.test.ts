// The program also runs, and not as a dry run, under these commands: it must not write beside the engine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type StackFile, TestZone } from "./support/zone.ts";

const file = (more: object = {}): StackFile => ({
  proxies: {
    a: { configTokenSecretRef: { name: "a-config" } },
    b: { configTokenSecretRef: { name: "b-config" } },
    ...more,
  },
});

async function running(t: Parameters<typeof TestZone.open>[0]): Promise<TestZone> {
  const zone = await TestZone.open(t, file());
  await zone.putToken("a-config", "30d");
  await zone.putToken("b-config", "30d");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  return zone;
}

/** Something to repair, something to roll and something to create: reasons to write, all of which must wait. */
async function temptations(zone: TestZone): Promise<void> {
  await zone.kube("label", "service", "b", "team=other");
  await zone.putToken("b-config", "90d");
  zone.write(file({ c: { configTokenSecretRef: { name: "b-config" }, adopt: true } }));
}

function urn(zone: TestZone, name: string): string {
  return `urn:pulumi:${zone.stack}::pulumi-proxies::proxies:index:Proxy$kubernetes:apps/v1:Deployment::${name}`;
}

test("up --target writes to the target and to nothing else", async (t) => {
  const zone = await running(t);
  await temptations(zone);
  await zone.putToken("a-config", "90d");
  const before = await zone.fingerprint();
  const run = await zone.up("--target", urn(zone, "a"));
  assert.equal(run.code, 0, run.output);
  const after = await zone.fingerprint();
  const touched = Object.keys(after).filter((key) => before[key] !== after[key]);
  assert.ok(touched.includes("Deployment/a"), touched.join(", "));
  assert.deepEqual(
    touched.filter((key) => !/^(Deployment\/a|ReplicaSet\/a-\w+)$/.test(key)),
    [],
  );

  const rest = await zone.up();
  assert.equal(rest.code, 0, rest.output);
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("refresh --run-program writes nothing", async (t) => {
  const zone = await running(t);
  await temptations(zone);
  const before = await zone.fingerprint();
  const run = await zone.pulumi(["refresh", "--run-program", "--yes", "--skip-preview"]);
  assert.equal(run.code, 0, run.output);
  assert.deepEqual(await zone.fingerprint(), before);
});

test("destroy --run-program removes what was made, makes nothing first, and repairs nothing", async (t) => {
  const zone = await running(t);
  await temptations(zone);
  const before = await zone.fingerprint();
  const run = await zone.destroy("--run-program");
  assert.equal(run.code, 0, run.output);
  await zone.left("deployments");
  const after = await zone.fingerprint();
  const left = Object.keys(after)
    .filter((key) => !key.startsWith("ReplicaSet/"))
    .sort();
  assert.deepEqual(left, [
    "ConfigMap/kube-root-ca.crt",
    "Secret/a-config",
    "Secret/b-config",
    "ServiceAccount/default",
  ]);
  for (const key of left) assert.equal(after[key], before[key], key);
});
