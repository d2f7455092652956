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
} from "./support/registering.ts";
import { type Behaviour, garbage, hang, openStub, reply, replyJson, type Stub } from "./support/stub.ts";
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

  const cases: [Behaviour, object, args?: Record<string, string>][] = [
    [hang, unavailable("no answer came in time"), { limits: "{ totalSeconds: 0, callSeconds: 3 }" }],
    [garbage(`SSH-2.0-${CANARY}\r\n`), unavailable("the call failed")],
    [reply(500, CANARY), { outcome: "unavailable", phrase: "the platform can't do it now", code: 500 }],
    [reply(400, CANARY), { outcome: "rejected", code: 400 }],
    [reply(302, "", { Location: `http://127.0.0.1:${stub.port}/moved` }), { outcome: "rejected", code: 302 }],
  ];
  for (const [behaviour, outcome, args] of cases) {
    stub.behaviours[REGISTER] = behaviour;
    assert.deepEqual(await register(args), outcome);
  }
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
  const paths = new Set(stub.requests.map(({ path }) => path));
  assert.deepEqual([...paths], [REGISTER], "no redirect was followed");

  stub.behaviours["/api/v1/connectors/u-1"] = reply(204);
  assert.deepEqual(await destroyed(zone, stub), [["DELETE", "/api/v1/connectors/u-1", "Bearer t0k3n"]]);
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
