// When the platform is asked, what is recorded before and after, and what a later run makes of the record.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Answer,
  registrationProblem,
  registrationWarnings,
} from "../../components/connector/registration/outcome.ts";
import { register } from "../../components/connector/registration/register.ts";
import {
  BUSY,
  CANARY,
  DENIED,
  GONE,
  KEY,
  later,
  OK,
  outcomeOf,
  recorded,
  spec,
  type World,
  world,
} from "../support/registration-world.ts";

const RECORD = "its record, ConfigMap proxies/x-registration,";

test("a connector that runs is registered once; the record says so, and holds no content", async () => {
  const first = world(OK);
  const known = await register(first, spec, undefined);
  assert.deepEqual(known.outcome, {
    outcome: "registered",
    uuid: "u-1",
    status: "connected",
    registeredAt: "2027-01-01T00:00:00Z",
  });
  assert.equal(first.calls.length, 1);
  assert.deepEqual(first.cluster.writes, [`create ${KEY}`, `patch ${KEY}`]);
  const { metadata } = first.cluster.objects.get(KEY) ?? {};
  assert.equal(metadata?.annotations?.["pulumi-proxies.dev/owner"], "p/s/Connector/x");
  assert.deepEqual(metadata.labels, { a: "b" });
  assert.doesNotMatch(JSON.stringify([known, [...first.cluster.objects.values()]]), new RegExp(CANARY));

  const second = later(first);
  assert.equal(await register(second, spec, known), known);
  // The state is lost: the record is taken over.
  assert.deepEqual((await register(second, spec, undefined)).outcome, known.outcome);
  assert.equal(second.cluster.writes.length, 2);
});

test("a record that carries a former name of the stack is taken over and marked anew, and nobody is asked", async () => {
  const first = world(OK);
  const known = await register(first, spec, undefined);
  const owner = "p/new/Connector/x";
  const renamed = { ...spec, place: { ...spec.place, owner, formerOwners: [spec.place.owner] } };
  const ownerNow = (): string | undefined =>
    first.cluster.objects.get(KEY)?.metadata.annotations?.["pulumi-proxies.dev/owner"];
  for (const before of [known, undefined]) {
    const run = later(first);
    assert.deepEqual((await register(run, renamed, before)).outcome, known.outcome);
    assert.equal(ownerNow(), owner);
  }
  // Without a word of the former name it is somebody else's.
  const other = { ...spec, generation: 2, place: { ...spec.place, owner: "p/third/Connector/x" } };
  assert.equal(outcomeOf(await register(later(first), other, known)), "unavailable");

  first.cluster.fail = (what) => (what.startsWith("patch") ? DENIED : undefined);
  const back = { ...spec, place: { ...spec.place, formerOwners: [owner] } };
  await assert.rejects(
    register(later(first), back, known),
    /may not be written: the identity may not patch configmaps; it still carries a former name/,
  );
});

test("nothing is asked or written before the connector runs", async () => {
  const idle = world();
  const waiting = await register(idle, { ...spec, ready: false }, undefined);
  assert.equal(outcomeOf(waiting), "waiting");
  assert.deepEqual(idle.cluster.writes, []);
  assert.equal(outcomeOf(await register(later(idle, OK), spec, waiting)), "registered");
});

test("the intent stands in the cluster before the platform is asked, and without it nothing is asked", async () => {
  const first = world(OK);
  const { sendTo } = first;
  first.sendTo = (url, route) => (call) => {
    assert.equal(recorded(first).outcome.outcome, "intent");
    return sendTo(url, route)(call);
  };
  assert.equal(outcomeOf(await register(first, spec, undefined)), "registered");
  for (const [what, phrase] of [
    ["get", `${RECORD} may not be read: the identity may not get configmaps`],
    ["create", `${RECORD} may not be written: the identity may not create configmaps`],
  ] as const) {
    const barred = world();
    barred.cluster.fail = (asked) => (asked === `${what} ${KEY}` ? DENIED : undefined);
    assert.deepEqual((await register(barred, spec, undefined)).outcome, { outcome: "unavailable", phrase });
  }
});

test("an intent that nobody followed up is a doubt, and asks for a person", async () => {
  const killed = world(OK);
  killed.sendTo = () => () => Promise.reject(new Error("killed"));
  await assert.rejects(register(killed, spec, undefined), /killed/);
  const next = later(killed);
  const known = await register(next, spec, undefined);
  assert.equal(outcomeOf(known), "unknown");
  assert.match(
    registrationProblem(known.outcome) ?? "",
    /inventory.*registration\.uuid.*registration\.generation/,
  );
  assert.equal(await register(next, spec, known), known);

  const given = later(killed);
  const uuid = await register(given, { ...spec, uuid: "u-7" }, known);
  assert.deepEqual(uuid.outcome, { outcome: "registered", uuid: "u-7" });
  assert.equal(recorded(given).outcome.outcome, "registered");
  // And stays when it is not given any more, with or without the state.
  assert.equal(await register(given, spec, uuid), uuid);
  assert.deepEqual((await register(given, spec, undefined)).outcome, uuid.outcome);
});

test("a raised generation asks again after a doubt, and a lowered one never does", async () => {
  const killed = world(OK);
  killed.sendTo = () => () => Promise.reject(new Error("killed"));
  await assert.rejects(register(killed, spec, undefined));
  const known = await register(later(killed), spec, undefined);
  const raised = later(killed, OK);
  const second = await register(raised, { ...spec, generation: 2 }, known);
  assert.equal(outcomeOf(second), "registered");
  assert.equal(second.generation, 2);
  const lowered = later(killed);
  assert.equal(await register(lowered, spec, second), second);
  assert.equal((await register(lowered, spec, undefined)).generation, 2);
});

test("an outcome that only the state learnt goes before an intent in the record", async () => {
  const first = world(OK);
  first.cluster.fail = (asked) => (asked === `patch ${KEY}` ? DENIED : undefined);
  const known = await register(first, spec, undefined);
  assert.equal(outcomeOf(known), "registered");
  assert.equal(recorded(first).outcome.outcome, "intent");
  const phrase = `${RECORD} may not be written: the identity may not patch configmaps`;
  assert.equal(known.unrecorded, phrase);
  assert.match(
    registrationWarnings({ outcome: known.outcome, changed: [], unrecorded: phrase })[0] ?? "",
    /in the state alone, since its record, .* may not patch configmaps; until a run has written it/,
  );
  assert.deepEqual(await register(later(first), spec, known), known);

  first.cluster.fail = () => undefined;
  const next = later(first);
  assert.deepEqual(await register(next, spec, known), { ...known, unrecorded: undefined });
  assert.deepEqual([recorded(first).outcome, next.calls], [known.outcome, []]);
  assert.equal("unrecorded" in recorded(first), false);
});

test("a busy platform is asked again with growing pauses, within a bound", async () => {
  const busy = world(BUSY);
  const known = await register(busy, spec, undefined);
  assert.equal(outcomeOf(known), "unavailable");
  assert.deepEqual(busy.slept, [5, 10, 20]);
  assert.equal(recorded(busy).outcome.outcome, "unavailable");
  // The next run goes on, with or without its state.
  assert.equal(outcomeOf(await register(later(busy, OK), spec, known)), "registered");

  const recovering = world(BUSY, GONE, OK);
  assert.equal(outcomeOf(await register(recovering, spec, undefined)), "registered");
  assert.deepEqual(recovering.slept, [5, 10]);
  const impatient = world(BUSY);
  await register(impatient, { ...spec, limits: { totalSeconds: 0 } }, undefined);
  assert.equal(impatient.calls.length, 1);
});

test("Retry-After is honoured within the bound", async () => {
  const asks = (retryAfterSeconds: number): Answer => ({
    answer: "response",
    code: 429,
    body: "",
    retryAfterSeconds,
  });
  const polite = world(asks(30), OK);
  assert.equal(outcomeOf(await register(polite, spec, undefined)), "registered");
  assert.deepEqual(polite.slept, [30]);
  const late = world(asks(61), OK);
  assert.equal(outcomeOf(await register(late, spec, undefined)), "unavailable");
  assert.equal(late.calls.length, 1);
});

test("a rejection stays until something that decides over the call changes", async () => {
  const first = world({ answer: "response", code: 401, body: "" });
  const known = await register(first, spec, undefined);
  assert.deepEqual(known.outcome, { outcome: "rejected", code: 401 });
  assert.equal(first.calls.length, 1);
  assert.equal(await register(later(first), spec, known), known);
  for (const change of [
    { name: "other" },
    { credentials: { bearerToken: "t" } },
    { caBundle: "c" },
    { generation: 2 },
  ])
    assert.equal(outcomeOf(await register(later(first, OK), { ...spec, ...change }, known)), "registered");
});

test("a registered connector is never registered again for what changed", async () => {
  const first = world(OK);
  const known = await register(first, spec, undefined);
  const changes = { platformUrl: "https://other/api", name: "n", url: "http://u", customAttributes: [] };
  assert.equal(await register(later(first), { ...spec, ...changes }, known), known);
});

test("an answer without uuid is no registration, and is not asked for again", async () => {
  const first = world({ answer: "response", code: 201, body: "" });
  const known = await register(first, spec, undefined);
  assert.equal(outcomeOf(known), "invalid");
  assert.match(
    registrationProblem(known.outcome) ?? "",
    /status 201, but its answer is empty: .*registration\.uuid/,
  );
  assert.equal(await register(later(first), spec, known), known);
});

test("a record of somebody else's, or a damaged one, stops the registration", async () => {
  const first = world(OK);
  await register(first, spec, undefined);
  const object = first.cluster.objects.get(KEY);
  assert.ok(object);
  const phraseOf = async (next: World): Promise<string> => {
    const { outcome } = await register(next, spec, undefined);
    return outcome.outcome === "unavailable" ? outcome.phrase : outcome.outcome;
  };
  first.cluster.objects.set(KEY, { ...object, data: { "registration.json": "{}" } });
  assert.match(await phraseOf(later(first)), /holds no record that can be read/);
  const annotations = { "pulumi-proxies.dev/owner": "p/other/Connector/x" };
  first.cluster.objects.set(KEY, { ...object, metadata: { ...object.metadata, annotations } });
  assert.match(await phraseOf(later(first)), /exists and is not ours/);
});

test("two runs at once register once", async () => {
  const one = world(OK);
  const other = later(one, OK);
  const outcomes = await Promise.all([register(one, spec, undefined), register(other, spec, undefined)]);
  assert.equal(one.calls.length + other.calls.length, 1);
  assert.deepEqual(outcomes.map(outcomeOf).sort(), ["registered", "unavailable"]);
});
