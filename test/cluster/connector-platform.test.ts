// A Connector and its platform: registered once, whatever changes; asked for its health, whatever it says.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { CREATED, type Platform, startPlatform } from "../support/platform.ts";
import { passes } from "./support/registering.ts";
import { hang, openStub, replyJson, type Stub } from "./support/stub.ts";
import { conditionsOf, type ProxyOutput } from "./support/outputs.ts";
import { type Run, TestZone } from "./support/zone.ts";

const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };

interface Place {
  platform: Platform;
  /** What listens in the connector's pods. */
  connector: Stub;
  zone: TestZone;
  /** Writes the stack file with these differences. */
  write: (registration?: object, more?: object) => void;
  output: () => Promise<ProxyOutput>;
}

async function openPlace(t: TestContext): Promise<Place> {
  const platform = await startPlatform(t);
  const connector = await openStub(t, { "/v2/health": replyJson(200, { status: "UP" }) });
  const zone = await TestZone.open(t, {});
  const write = (registration: object = {}, more: object = {}): void => {
    zone.write({
      connectors: {
        x509: {
          image,
          service: { port: connector.port },
          healthCheck: { timeoutSeconds: 5 },
          registration: {
            platformUrl: platform.url,
            name: "X.509",
            authType: "none",
            timeoutSeconds: 0,
            ...registration,
          },
          referenceTimeoutSeconds: 0,
          ...more,
        },
      },
    });
  };
  write();
  const output = async (): Promise<ProxyOutput> => {
    const { x509 } = await zone.outputs("connectors");
    assert.ok(x509);
    return x509;
  };
  return { platform, connector, zone, write, output };
}

const warnings = ({ output }: Run): string[] =>
  output.split("\n").flatMap((line) => /^\s*warning: (.*)$/.exec(line)?.[1] ?? []);

test("a connector registers once it runs, and again only when it is told to", async (t) => {
  const { platform, connector, zone, write, output } = await openPlace(t);
  write({}, { configMapRefs: [{ name: "settings", type: "env" }] });
  const failed = await zone.up();
  passes(failed);
  assert.deepEqual(warnings(failed), ['MissingConfigMap: ConfigMap "settings" not found']);
  assert.deepEqual([platform.received, connector.requests], [[], []]);
  assert.equal((await output()).summary, 'Failed: MissingConfigMap: ConfigMap "settings" not found');

  write();
  passes(await zone.preview());
  assert.equal(platform.received.length, 0);
  const first = await zone.up();
  passes(first);
  assert.deepEqual(warnings(first), []);
  const { phase, summary, healthy, registration } = await output();
  assert.deepEqual(
    [phase, summary, healthy],
    ["Running", "Running, 1/1 ready, version 1.3.1, healthy, registered", "True"],
  );
  const created = JSON.parse(CREATED.body) as { uuid: string };
  assert.equal(registration?.uuid, created.uuid);
  assert.equal(registration.status, "waitingForApproval");
  assert.match(registration.registeredAt ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const [asked] = platform.received;
  assert.equal(asked?.path, "/api/v2/connector/register");
  assert.deepEqual(JSON.parse(asked.body), {
    name: "X.509",
    version: "v2",
    url: `http://x509.${zone.namespace}.svc.cluster.local:${connector.port}`,
    authType: "none",
    authAttributes: [],
    customAttributes: [],
  });
  passes(await zone.up("--expect-no-changes"));

  write({ name: "other" });
  const changed = await zone.up("--expect-no-changes");
  passes(changed);
  assert.deepEqual(warnings(changed), [
    "registration: name changed since the connector was registered, and the platform still has the old: change it " +
      "there, or raise registration.generation to register again",
  ]);
  write({ name: "other", generation: 2 });
  const preview = await zone.preview();
  passes(preview);
  assert.match(preview.output, /registration: this run asks the platform to register the connector/);
  assert.equal(platform.received.length, 1);
  const again = await zone.up();
  passes(again);
  assert.deepEqual([warnings(again), platform.received.length], [[], 2]);
  const quiet = await zone.preview("--expect-no-changes");
  passes(quiet);
  assert.doesNotMatch(quiet.output, /this run asks/);

  passes(await zone.destroy());
  assert.equal(platform.received.length, 2, "deleting leaves the platform alone");
  const left = await zone.list("configmaps");
  assert.deepEqual(
    left.map(({ metadata }) => metadata.name),
    ["kube-root-ca.crt"],
  );
});

test("a platform that is down leaves a connector that runs, one warning and exit code 0, unless it is required", async (t) => {
  const { platform, zone, write, output } = await openPlace(t);
  await platform.stop();
  const text = "the connector is not registered yet: the connection was refused; the next run tries again";
  const run = await zone.up();
  passes(run);
  assert.deepEqual(warnings(run), [`RegistrationFailed: ${text}`]);
  const { phase, conditions, registration } = await output();
  assert.deepEqual([phase, registration], ["Running", undefined]);
  assert.deepEqual(conditionsOf({ conditions } as ProxyOutput), [
    "Available=True/AllReplicasReady",
    "Degraded=True/RegistrationFailed",
    "Healthy=True/Up",
    "Progressing=False/DeploymentComplete",
  ]);

  write({ required: true });
  const required = await zone.up();
  assert.notEqual(required.code, 0);
  assert.match(required.output, new RegExp(`error: registration is required: ${text}`));
  assert.equal((await output()).phase, "Running");

  await platform.start();
  const next = await zone.up();
  passes(next);
  assert.deepEqual([warnings(next), platform.received.length], [[], 1]);
  assert.ok((await output()).registration?.uuid);
  passes(await zone.up("--expect-no-changes"));
});

test("what a connector says of its health is a condition and a warning, and changes nothing else", async (t) => {
  const { platform, connector, zone, output } = await openPlace(t);
  const down = { status: "DOWN", components: { db: { status: "DOWN", details: { host: "c4n4ry" } } } };
  connector.behaviours["/v2/health"] = replyJson(503, down);
  const run = await zone.up();
  passes(run);
  assert.deepEqual(warnings(run), ["health Down: the connector reports DOWN; not up: db (DOWN)"]);
  const { summary, healthy, registration } = await output();
  assert.equal(summary, "Running, 1/1 ready, version 1.3.1, health Down, registered");
  assert.equal(healthy, "False");
  assert.ok(registration?.uuid);
  assert.equal(platform.received.length, 1);

  const asked = connector.requests.length;
  const preview = await zone.preview("--expect-no-changes");
  passes(preview);
  assert.deepEqual(warnings(preview), warnings(run));
  assert.equal(connector.requests.length, asked, "a preview asks nobody");

  connector.behaviours["/v2/health"] = hang;
  const silent = await zone.up();
  passes(silent);
  assert.deepEqual(warnings(silent), [
    "health NoAnswer: /v2/health gave no answer: no complete answer in time",
  ]);

  connector.behaviours["/v2/health"] = replyJson(200, { status: "UP" });
  const up = await zone.up();
  passes(up);
  assert.deepEqual(warnings(up), []);
  const { conditions } = await output();
  assert.deepEqual(
    conditions.filter(({ type }) => type === "Healthy").map(({ status, reason }) => `${status}/${reason}`),
    ["True/Up"],
  );
});
