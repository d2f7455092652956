// Registering with a platform, as the engine does it: once, whatever happens to a run or to the state.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { type Platform, startPlatform } from "../support/platform.ts";
import {
  grantRegistering,
  passes,
  type RegistrationOutputs,
  registrationOutputs,
  writeRegistering,
} from "./support/registering.ts";
import { assertAbsentInRun } from "./support/secrets.ts";
import { TestZone } from "./support/zone.ts";

interface Registering {
  platform: Platform;
  zone: TestZone;
  /** Makes the program register with these differences: fields of its args, as code. */
  write: (args?: Record<string, string>) => void;
  outputs: () => Promise<RegistrationOutputs>;
}

/** A zone whose program is a component that does nothing but register, and its platform. */
async function registering(t: TestContext): Promise<Registering> {
  const platform = await startPlatform(t);
  const zone = await TestZone.open(t, {});
  await grantRegistering(zone);
  const write = (args: Record<string, string> = {}): void => {
    writeRegistering(zone, platform.url, args);
  };
  write();
  return { platform, zone, write, outputs: () => registrationOutputs(zone) };
}

async function recorded(zone: TestZone): Promise<string[]> {
  const maps = await zone.list("configmaps");
  return maps.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

test("a connector is registered once, whatever changes, until its generation is raised", async (t) => {
  const { platform, zone, write, outputs } = await registering(t);
  passes(await zone.preview("--diff"));
  assert.deepEqual([platform.received, await recorded(zone)], [[], []]);

  passes(await zone.up());
  assert.equal(platform.received.length, 1);
  const { outcome } = await outputs();
  assert.equal(outcome["outcome"], "registered");
  assert.equal(outcome["uuid"], "3f0b9c1e-7a52-4a44-9d1c-5c8c0b7f8a11");
  const record = await zone.get("configmap", "x-registration");
  assert.equal(
    record.metadata.annotations?.["pulumi-proxies.dev/owner"],
    `pulumi-proxies/${zone.stack}/Connector/x`,
  );
  passes(await zone.up("--expect-no-changes"));

  write({
    name: '"other"',
    customAttributes: '[{ name: "a", content: { b: [1, null] } }]',
    credentials: "{ bearerToken: pulumi.secret('t') }",
  });
  passes(await zone.up("--expect-no-changes"));
  assert.deepEqual((await outputs()).changed, ["name", "customAttributes"]);
  assert.equal(platform.received.length, 1);

  write({ generation: "2", customAttributes: '[{ name: "a", content: { b: [1, null] } }]' });
  const preview = await zone.preview("--expect-no-changes");
  assert.notEqual(preview.code, 0, preview.output);
  assert.equal(platform.received.length, 1);
  passes(await zone.up());
  passes(await zone.up("--expect-no-changes"));
  assert.deepEqual((await outputs()).changed, []);
  assert.deepEqual(
    platform.received.map(({ method, path, body }) => [method, path, JSON.parse(body) as unknown]),
    ["[]", '[{ "name": "a", "content": { "b": [1, null] } }]'].map((customAttributes) => [
      "POST",
      "/api/v2/connector/register",
      {
        name: "X.509",
        version: "v2",
        url: "http://x.svc:8080",
        authType: "none",
        authAttributes: [],
        customAttributes: JSON.parse(customAttributes) as unknown,
      },
    ]),
  );

  // Without the program, which a person may have lost: the state alone knows how.
  writeFileSync(`${zone.project}/index.ts`, 'throw new Error("nobody runs this");');
  passes(await zone.destroy());
  assert.deepEqual([platform.received.length, await recorded(zone)], [2, []]);
});

test("a platform that is down, or a connector that does not run, is no failure, and the next run registers", async (t) => {
  const { platform, zone, write, outputs } = await registering(t);
  write({ ready: "false" });
  passes(await zone.up());
  assert.deepEqual((await outputs()).outcome, { outcome: "waiting" });
  passes(await zone.up("--expect-no-changes"));

  await platform.stop();
  write();
  passes(await zone.up());
  assert.deepEqual((await outputs()).outcome, {
    outcome: "unavailable",
    phrase: "the connection was refused",
  });
  await platform.start();
  passes(await zone.up());
  assert.equal((await outputs()).outcome["outcome"], "registered");
  passes(await zone.up("--expect-no-changes"));
  passes(await zone.pulumi(["refresh", "--yes", "--skip-preview", "--run-program"]));
  assert.equal(platform.received.length, 1);

  // The state is lost, the record is not.
  passes(await zone.pulumi(["stack", "rm", "--force", "--yes"]));
  passes(await zone.pulumi(["stack", "init"]));
  zone.write({});
  passes(await zone.up());
  assert.equal((await outputs()).outcome["outcome"], "registered");
  assert.equal(platform.received.length, 1);
  passes(await zone.destroy("--run-program"));
  assert.deepEqual([platform.received.length, await recorded(zone)], [1, []]);
});

test("a run that is killed while it asks leaves a doubt, and nobody asks twice until told so", async (t) => {
  const { platform, zone, write, outputs } = await registering(t);
  let pid = 0;
  platform.behave("hang");
  platform.onRequest = () => {
    process.kill(pid, "SIGKILL");
  };
  const killed = await zone.pulumi(["up", "--yes", "--skip-preview"], {
    onStart: (started) => {
      pid = started;
    },
  });
  assert.notEqual(killed.code, 0);
  platform.onRequest = () => undefined;
  const state = await zone.pulumi(["stack", "export"]);
  if (state.code !== 0)
    rmSync(`${zone.workspace.dir}/backend/.pulumi/stacks/pulumi-proxies/${zone.stack}.json.attrs`);
  passes(await zone.pulumi(["cancel", "--yes"]));

  passes(await zone.up());
  const { outcome } = await outputs();
  assert.equal(outcome["outcome"], "unknown");
  assert.match(String(outcome["phrase"]), /^since the run that was going to ask at 2\S+Z was cut off$/);
  passes(await zone.up("--expect-no-changes"));
  assert.equal(platform.received.length, 1);

  write({ uuid: '"known-elsewhere"' });
  passes(await zone.up());
  assert.deepEqual((await outputs()).outcome, { outcome: "registered", uuid: "known-elsewhere" });
  assert.equal(platform.received.length, 1);

  platform.behave({ status: 201, body: '{"uuid":"u-2"}' });
  write({ generation: "2" });
  passes(await zone.up());
  assert.equal((await outputs()).outcome["uuid"], "u-2");
  assert.equal(platform.received.length, 2);
});

test("deregisterOnDelete takes the connector out of the inventory, and keeps it in the state until that is done", async (t) => {
  const { platform, zone, write } = await registering(t);
  await zone.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "platform" },
    stringData: { token: "t0k3n" },
  });
  write();
  passes(await zone.up());
  write({
    deregisterOnDelete: "true",
    credentials: '{ bearerToken: { secretName: "platform", key: "token" } }',
  });
  passes(await zone.up());
  assert.equal(platform.received.length, 1);

  platform.behave({ status: 503, body: "details" });
  const failed = await zone.destroy();
  assert.notEqual(failed.code, 0);
  assert.match(
    failed.output,
    /error: connector x is still in the platform's inventory: the platform answered with status 503\. Run again, or/,
  );
  assert.doesNotMatch(failed.output, /\n\s+at .*file:|details/);
  assert.deepEqual(await recorded(zone), ["x-registration"]);
  platform.behave({ status: 404 });
  passes(await zone.destroy());
  assert.deepEqual(await recorded(zone), []);
  assert.deepEqual(
    platform.received.map(({ method, path, headers }) => [method, path, headers.authorization]),
    [
      ["POST", "/api/v2/connector/register", undefined],
      ...[1, 2].map(() => [
        "DELETE",
        "/api/v1/connectors/3f0b9c1e-7a52-4a44-9d1c-5c8c0b7f8a11",
        "Bearer t0k3n",
      ]),
    ],
  );
});

test("secret contents and credentials reach the platform, and no file of the run and no stream", async (t) => {
  const { platform, zone, write } = await registering(t);
  const secrets = ["canary-attribute", "canary-user", "canary-password", "canary-answer", "canary-bearer"];
  const [attribute = "", user = "", password = "", answer = "", bearer = ""] = secrets;
  const env = { CANARY_ATTRIBUTE: attribute, CANARY_PASSWORD: password };
  await zone.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "platform" },
    stringData: { user, bearer },
  });
  const basic = `{ basic: { username: { secretName: "platform", key: "user" },
    password: pulumi.secret(process.env["CANARY_PASSWORD"]) } }`;
  const authAttributes = `[{ name: "key", content: pulumi.secret({ nested: process.env["CANARY_ATTRIBUTE"] }) }]`;
  const streams: string[] = [];
  const record = async (...args: string[]): Promise<void> => {
    streams.push((await zone.pulumi(args, { env })).output);
  };
  write({ authAttributes, credentials: basic, deregisterOnDelete: "true" });
  await record("preview", "--diff");
  await record("preview", "--json");
  platform.behave({ status: 400, body: answer, headers: { "X-Why": answer } });
  await record("up", "--yes", "--skip-preview");
  platform.behave({ status: 500, body: answer });
  write({ authAttributes, credentials: basic, deregisterOnDelete: "true", generation: "2" });
  await record("up", "--yes", "--skip-preview", "--json");
  platform.behave({ status: 200, body: JSON.stringify({ uuid: "u-3", status: `${answer} !` }) });
  write({
    authAttributes,
    credentials: '{ bearerToken: { secretName: "platform", key: "bearer" } }',
    deregisterOnDelete: "true",
  });
  await record("up", "--yes", "--skip-preview", "--diff");
  await record("stack", "output", "--json");
  await record("stack", "export");
  streams.push(JSON.stringify(await zone.get("configmap", "x-registration")));
  platform.behave({ status: 500, body: answer });
  await record("destroy", "--yes", "--skip-preview");
  assertAbsentInRun(zone, streams, secrets);
  assert.deepEqual(
    platform.received.map(({ method, headers }) => [method, headers.authorization]),
    [
      ["POST", `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`],
      ["POST", `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`],
      ["POST", `Bearer ${bearer}`],
      ["DELETE", `Bearer ${bearer}`],
    ],
  );
  assert.match(platform.received[0]?.body ?? "", /"content":\{"nested":"canary-attribute"\}/);
});
