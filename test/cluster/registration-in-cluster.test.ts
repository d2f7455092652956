// Registering with a platform that is a Service of the same cluster, through the real API server. What answers is a stub on
// this machine, to which kwok forwards the ports of pods; no name of the cluster is resolved here. Unlike a kubelet, kwok
// does not tell when a pod has ended a connection: test/unit/ask.test.ts does.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { CLIENT, PLATFORM } from "../support/certificates.ts";
import {
  deployPlatform,
  grantCalling,
  grantRegistering,
  passes,
  registrationOutputs,
  writeRegistering,
  writeRegisteringAll,
} from "./support/registering.ts";
import {
  type Behaviour,
  garbage,
  hang,
  openStub,
  reply,
  replyJson,
  reset,
  stopMidway,
  type Stub,
} from "./support/stub.ts";
import { assertAbsent } from "./support/secrets.ts";
import { TestZone } from "./support/zone.ts";

const REGISTER = "/api/v2/connector/register";
const CREDENTIALS = '{ bearerToken: { secretName: "platform", key: "token" } }';
const CANARY = "c4n4ry";

/** A zone that may register, with a Secret for it. */
async function openZone(t: TestContext): Promise<TestZone> {
  const zone = await TestZone.open(t, {});
  await grantRegistering(zone);
  const metadata = { name: "platform" };
  await zone.apply({ apiVersion: "v1", kind: "Secret", metadata, stringData: { token: "t0k3n" } });
  return zone;
}

/** Registers anew, with these args as code; returns what became of it. */
function registrationsOf(
  zone: TestZone,
  url: string,
): (args?: Record<string, string>) => Promise<Record<string, unknown>> {
  let generation = 0;
  return async (args) => {
    generation += 1;
    const always = { credentials: CREDENTIALS, deregisterOnDelete: "true", generation: `${generation}` };
    writeRegistering(zone, url, { ...always, ...args });
    passes(await zone.up());
    return (await registrationOutputs(zone)).outcome;
  };
}

/** Destroys by the state alone; returns what the platform was asked for meanwhile. */
async function destroyed(zone: TestZone, stub: Stub): Promise<unknown[]> {
  const before = stub.requests.length;
  writeFileSync(`${zone.project}/index.ts`, 'throw new Error("nobody runs this");');
  passes(await zone.destroy());
  return stub.requests
    .slice(before)
    .map(({ method, path, headers }) => [method, path, headers.authorization]);
}

test("a platform in the cluster is called through the API server, where that is allowed", async (t) => {
  const zone = await openZone(t);
  const namespace = await zone.namespaceBeside("ilm");
  const stub = await openStub(t);
  const register = registrationsOf(zone, `http://core.${namespace}.svc.cluster.local/api`);
  const unavailable = (phrase: string): object => ({ outcome: "unavailable", phrase });
  const what = `Service ${namespace}/core of platformUrl`;

  assert.deepEqual(
    await register(),
    unavailable(`${what} may not be read: the identity may not get services in namespace ${namespace}`),
  );
  await grantCalling(zone, namespace, false);
  assert.deepEqual(await register(), unavailable(`${what} does not exist`));
  await deployPlatform(zone, namespace, stub, 80);
  assert.deepEqual(
    await register(),
    unavailable(`the identity may not get and create pods/portforward in namespace ${namespace}`),
  );
  assert.equal(stub.requests.length, 0);
  await grantCalling(zone, namespace);

  stub.behaviours[REGISTER] = replyJson(201, { uuid: "u-1" });
  const { outcome, uuid } = await register({ egress: '{ httpProxy: "http://127.0.0.1:1" }' });
  assert.deepEqual([outcome, uuid], ["registered", "u-1"]);
  passes(await zone.up("--expect-no-changes"));
  const [last] = stub.requests.slice(-1);
  assert.ok(last);
  assert.deepEqual(
    [last.method, last.path, last.headers.host, last.headers.authorization],
    ["POST", REGISTER, `core.${namespace}.svc.cluster.local`, "Bearer t0k3n"],
  );
  assert.equal((JSON.parse(last.body) as { name: string }).name, "X.509");
  stub.behaviours["/api/v1/connectors/u-1"] = reply(204);
  assert.deepEqual(await destroyed(zone, stub), [["DELETE", "/api/v1/connectors/u-1", "Bearer t0k3n"]]);
});

test("whatever a platform answers, or does not, is an outcome of its own, without a word of what it said", async (t) => {
  const zone = await openZone(t);
  const namespace = await zone.namespaceBeside("ilm");
  await grantCalling(zone, namespace);
  const stub = await openStub(t);
  await deployPlatform(zone, namespace, stub, 80);
  const unavailable = (phrase: string, code?: number): object => ({
    outcome: "unavailable",
    phrase,
    ...(code && { code }),
  });
  const rejected = (code: number): object => ({ outcome: "rejected", code });
  const invalid = (phrase: string): object => ({ outcome: "invalid", phrase, code: 200 });
  const busy = "the platform can't do it now";
  const created = { uuid: "u-1", status: "connected", name: CANARY };
  const cases: Record<string, [Behaviour, object]> = {
    created: [replyJson(201, created), { outcome: "registered", uuid: "u-1", status: "connected" }],
    400: [reply(400, CANARY), rejected(400)],
    401: [reply(401, CANARY, { "WWW-Authenticate": CANARY }), rejected(401)],
    403: [reply(403, CANARY), rejected(403)],
    409: [reply(409, CANARY), rejected(409)],
    429: [reply(429, CANARY, { "Retry-After": "3600" }), unavailable(busy, 429)],
    500: [reply(500, CANARY), unavailable(busy, 500)],
    hang: [hang, unavailable("no answer came in time")],
    stall: [stopMidway("hang"), unavailable("no answer came in time")],
    reset: [reset, unavailable("no answer came in time")],
    redirect: [reply(302, "", { Location: `http://127.0.0.1:${stub.port}/moved` }), rejected(302)],
    huge: [
      reply(200, JSON.stringify({ ...created, more: "x".repeat(1 << 20) })),
      invalid("its answer is larger than 1 MiB"),
    ],
    empty: [reply(200), invalid("its answer is empty")],
    html: [reply(200, `<html>${CANARY}</html>`), invalid("its answer is no JSON object")],
    nameless: [replyJson(200, { name: CANARY }), invalid("its answer has no uuid")],
    garbage: [garbage(`SSH-2.0-${CANARY}\r\n`), unavailable("the call failed")],
  };
  const platforms: Record<string, string> = {};
  for (const [name, [behaviour]] of Object.entries(cases)) {
    platforms[`c-${name}`] = `http://core.${namespace}.svc/${name}/api`;
    stub.behaviours[`/${name}${REGISTER}`] = behaviour;
  }
  writeRegisteringAll(zone, platforms, { limits: "{ totalSeconds: 0, callSeconds: 10 }" });
  const run = await zone.up();
  passes(run);
  const { output } = await zone.pulumi(["stack", "output", "--json"]);
  const { outcomes } = JSON.parse(output) as { outcomes: Record<string, { registeredAt?: string }> };
  const seen = Object.entries(outcomes).map(([name, { registeredAt, ...outcome }]) => {
    assert.equal(registeredAt !== undefined, name === "c-created", name);
    return [name.slice(2), outcome];
  });
  assert.deepEqual(
    Object.fromEntries(seen),
    Object.fromEntries(Object.entries(cases).map(([name, [, outcome]]) => [name, outcome])),
  );
  assert.deepEqual(
    stub.requests.map(({ path }) => path).sort(),
    Object.keys(cases)
      .map((name) => `/${name}${REGISTER}`)
      .sort(),
    "each was asked once, and no redirect was followed",
  );
  for (const text of [run.output, await zone.state(), JSON.stringify(await zone.list("configmaps"))])
    assertAbsent(text, [CANARY], "what is kept and shown");
});

test("a platform in the cluster may have a certificate of a private authority", async (t) => {
  const zone = await openZone(t);
  // The certificate names it.
  const namespace = "ilm-secure";
  await zone.makeNamespace(namespace);
  await grantCalling(zone, namespace);
  const tls = { cert: PLATFORM.certificate, key: PLATFORM.key };
  const stub = await openStub(t, { [REGISTER]: replyJson(200, { uuid: "u-2" }) }, tls);
  await deployPlatform(zone, namespace, stub, 443);
  const register = registrationsOf(zone, `https://core.${namespace}.svc/api`);

  for (const caBundle of ["undefined", JSON.stringify(CLIENT.certificate)])
    assert.deepEqual(await register({ caBundle }), {
      outcome: "unavailable",
      phrase: "its certificate is not trusted",
    });
  assert.equal(stub.requests.length, 0);
  const { outcome, uuid } = await register({ caBundle: JSON.stringify(PLATFORM.certificate) });
  assert.deepEqual([outcome, uuid], ["registered", "u-2"]);
  assert.deepEqual(
    stub.requests.map(({ headers }) => [headers.host, headers.authorization]),
    [["core.ilm-secure.svc", "Bearer t0k3n"]],
  );

  stub.behaviours["/api/v1/connectors/u-2"] = reply(404);
  assert.deepEqual(await destroyed(zone, stub), [["DELETE", "/api/v1/connectors/u-2", "Bearer t0k3n"]]);
});
