// With what a registration calls, how it ends, and when a preview announces it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { diff, type Inputs } from "../../components/connector/registration/operations.ts";
import type { Answer } from "../../components/connector/registration/outcome.ts";
import { deregister, register } from "../../components/connector/registration/register.ts";
import {
  BUSY,
  CANARY,
  DENIED,
  KEY,
  later,
  OK,
  outcomeOf,
  spec,
  world,
} from "../support/registration-world.ts";

test("credentials come from Secrets and Pulumi secrets; what is missing is named", async () => {
  const first = world(OK);
  const data = { token: Buffer.from("from-secret\n").toString("base64") };
  first.cluster.objects.set("Secret/s", { metadata: { name: "s" }, data });
  const token = { bearerToken: { secretName: "s", key: "token" } };
  assert.equal(outcomeOf(await register(first, { ...spec, credentials: token }, undefined)), "registered");
  assert.equal(first.calls[0]?.headers["Authorization"], "Bearer from-secret");

  const basic = world(OK);
  const certificate = { certificate: "c", key: "k" };
  const both = { basic: { username: "u", password: "p:w" }, clientCertificate: certificate };
  await register(basic, { ...spec, credentials: both, caBundle: "ca" }, undefined);
  assert.equal(basic.calls[0]?.headers["Authorization"], `Basic ${Buffer.from("u:p:w").toString("base64")}`);
  assert.deepEqual(basic.routes, [{ proxy: undefined, caBundle: "ca", clientCertificate: certificate }]);

  for (const [key, what] of [
    ["other", "has no key other"],
    ["token", "does not exist"],
    ["denied", "may not be read: the identity may not get secrets"],
  ] as const) {
    const lacking = world();
    if (key === "denied") lacking.cluster.fail = (asked) => (asked === "get Secret/s" ? DENIED : undefined);
    if (key === "other") lacking.cluster.objects.set("Secret/s", { metadata: { name: "s" }, data });
    const credentials = { bearerToken: { secretName: "s", key } };
    const { outcome } = await register(lacking, { ...spec, credentials }, undefined);
    assert.deepEqual(outcome, {
      outcome: "unavailable",
      phrase: `Secret proxies/s of its credentials ${what}`,
    });
    assert.deepEqual(lacking.cluster.writes, []);
  }
  const broken = world();
  const { outcome } = await register(
    broken,
    { ...spec, credentials: { bearerToken: `a\n${CANARY}` } },
    undefined,
  );
  assert.doesNotMatch(JSON.stringify(outcome), new RegExp(CANARY));
  assert.equal(outcome.outcome, "unavailable");
});

test("deleting leaves the platform alone unless told otherwise, and removes the record if it is ours", async () => {
  const first = world(OK);
  const known = await register(first, spec, undefined);
  const deletion = { connector: "x", deregisterOnDelete: false, place: spec.place };
  await deregister(later(first), deletion, known);
  assert.equal(first.cluster.objects.has(KEY), false);
  await deregister(later(first), deletion, known);

  const foreign = world();
  foreign.cluster.objects.set(KEY, { metadata: { name: "x-registration" } });
  await deregister(foreign, deletion, known);
  assert.equal(foreign.cluster.objects.has(KEY), true);

  const barred = world(OK);
  await register(barred, spec, undefined);
  barred.cluster.fail = (asked) => (asked.startsWith("remove") ? DENIED : undefined);
  await assert.rejects(
    deregister(barred, deletion, known),
    /ConfigMap proxies\/x-registration can't be deleted: no/,
  );
});

test("deregisterOnDelete calls the platform where the connector was registered; gone is done", async () => {
  const deletion = { connector: "x", deregisterOnDelete: true, place: spec.place };
  const first = world(OK);
  const known = await register(first, spec, undefined);
  for (const code of [200, 204, 404, 410]) {
    const next = later(first, { answer: "response", code, body: "" });
    await deregister(next, deletion, known);
    assert.deepEqual(
      next.calls.map(({ method, url }) => `${method} ${url}`),
      ["DELETE https://ilm.example.com/api/v1/connectors/u-1"],
    );
  }
  const again = world(OK);
  await register(again, spec, undefined);
  await assert.rejects(
    deregister(later(again, BUSY), deletion, known),
    /^Error: connector x is still in the platform's inventory: the platform answered with status 503\. Run again/,
  );
  assert.equal(again.cluster.objects.has(KEY), true);
  await deregister(later(again), deletion, { ...known, outcome: { outcome: "rejected", code: 400 } });
});

test("a preview announces an operation exactly when one is due", async () => {
  const inputs: Inputs = {
    ...spec,
    connector: "x",
    deregisterOnDelete: false,
    operations: { path: "p", inPackage: "i" },
    cluster: { context: "c" },
    clusterDomain: "cluster.local",
    credentials: { bearerToken: "one" },
  };
  const { operations, connector, cluster, clusterDomain, deregisterOnDelete } = inputs;
  const { namespace, name, owner } = spec.place;
  const place = { namespace, name, owner };
  const stateOf = async (answer: Answer, from = inputs): Promise<Parameters<typeof diff>[1]> => ({
    ...{ operations, connector, cluster, clusterDomain, deregisterOnDelete, place },
    registration: await register(world(answer), from, undefined),
  });
  const changes = async (answer: Answer, now: Partial<Inputs>): Promise<boolean> =>
    diff("", await stateOf(answer), { ...inputs, ...now }).changes;
  for (const quiet of [
    {},
    { name: "other", url: "http://other", authAttributes: [] },
    { credentials: { bearerToken: "two" } },
    { limits: { totalSeconds: 1 } },
    { ready: false },
    { uuid: "u-1" },
    { place: { ...spec.place, labels: { other: "label" } } },
  ])
    assert.equal(await changes(OK, quiet), false, JSON.stringify(quiet));
  for (const loud of [
    { generation: 2 },
    { uuid: "u-2" },
    { deregisterOnDelete: true },
    { cluster: { context: "d" } },
    { clusterDomain: "corp.local" },
  ])
    assert.equal(await changes(OK, loud), true, JSON.stringify(loud));
  const state = await stateOf(OK);
  const owed = { ...state, registration: { ...state.registration, unrecorded: "why" } };
  assert.equal(diff("", owed, inputs).changes, true);
  assert.equal(await changes(BUSY, {}), true);
  assert.equal(await changes(BUSY, { ready: false }), false);
  assert.equal(await changes({ answer: "response", code: 400, body: "" }, {}), false);
  assert.equal(await changes({ answer: "response", code: 400, body: "" }, { name: "other" }), true);
});
