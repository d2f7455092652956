import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionsOf } from "./support/outputs.ts";
import { type StackFile, TestZone } from "./support/zone.ts";

const proxies = (more: object = {}): StackFile => ({
  proxies: { p: { configTokenSecretRef: { name: "p-config" }, referenceTimeoutSeconds: 0, ...more } },
});

test("a missing Secret never aborts a run: Failed with the reason, and the next run recovers", async (t) => {
  const zone = await TestZone.open(t, proxies());
  const first = await zone.up();
  assert.equal(first.code, 0, first.output);
  assert.match(first.output, /warning: MissingSecret: Secret "p-config" not found/);
  const { p: missing } = await zone.outputs();
  assert.equal(missing?.phase, "Failed");
  assert.deepEqual(conditionsOf(missing), ["Available=False/MissingSecret", "Degraded=True/MissingSecret"]);
  assert.equal(missing.configChecksum, undefined);

  await zone.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "p-config" },
    stringData: { tokn: "x" },
  });
  const second = await zone.up();
  assert.match(second.output, /warning: MissingTokenKey: Secret "p-config" has no key "configToken"/);
  assert.equal((await zone.outputs())["p"]?.phase, "Failed");

  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const { p: healthy } = await zone.outputs();
  assert.equal(healthy?.phase, "Running");
  assert.match(healthy.configChecksum ?? "", /^[0-9a-f]{64}$/);
});

test("a Secret that vanishes changes nothing on the running pods, nor does its return", async (t) => {
  const zone = await TestZone.open(t, proxies());
  const token = await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const before = await zone.get("deployment", "p");
  const { p: known } = await zone.outputs();

  await zone.kube("delete", "secret", "p-config");
  const gone = await zone.up();
  assert.equal(gone.code, 0, gone.output);
  assert.deepEqual(Object.keys(gone.changes), ["unchanged"]);
  const { p: missing } = await zone.outputs();
  assert.equal(missing?.phase, "Failed");
  assert.equal(missing.configChecksum, known?.configChecksum);
  assert.equal(missing.tokenExpiresAt, known?.tokenExpiresAt);

  await zone.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "p-config" },
    stringData: { configToken: token },
  });
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
  assert.equal((await zone.get("deployment", "p")).metadata.resourceVersion, before.metadata.resourceVersion);
});

test("an update waits for a Secret that another controller is about to make", async (t) => {
  const zone = await TestZone.open(t, proxies({ referenceTimeoutSeconds: 30 }));
  const late = new Promise((resolve, reject) => {
    setTimeout(() => {
      zone.putToken("p-config", "30d").then(resolve, reject);
    }, 4000);
  });
  const run = await zone.up();
  await late;
  assert.equal(run.code, 0, run.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
});

test("an expired token is a condition and a warning: the phase stays, the run does not wait", async (t) => {
  const zone = await TestZone.open(t, proxies());
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);

  await zone.putToken("p-config", "-1h");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.match(run.output, /warning: ConfigTokenExpired: the config token expired at \d{4}-/);
  await zone.kube("rollout", "status", "deployment/p", "--timeout=90s");
  assert.equal((await zone.up()).code, 0);
  const { p: output } = await zone.outputs();
  assert.equal(output?.phase, "Running");
  assert.ok(conditionsOf(output).includes("Degraded=True/ConfigTokenExpired"));

  await zone.putToken("p-config", "90d");
  assert.equal((await zone.up()).code, 0);
  assert.ok(conditionsOf((await zone.outputs())["p"]).includes("Degraded=False/Running"));
});

test("replicas 0 is a pause: ScaledDown at once", async (t) => {
  const zone = await TestZone.open(t, proxies({ replicas: 0 }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const { p: output } = await zone.outputs();
  assert.equal(output?.phase, "ScaledDown");
  assert.deepEqual(conditionsOf(output), [
    "Available=False/ScaledToZero",
    "Degraded=False/ConfigHealthy",
    "Progressing=False/ScaledToZero",
    "TokenExpiring=False/ConfigTokenValid",
  ]);
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});
