import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { readStackConfig, type StackConfig } from "../../stacks/config.ts";
import { PROJECT, type Recorded, run, valueOf } from "./support/engine.ts";

const CANARY = "c4n4ry-s3cr3t";
const KEYS = "PULUMI_CONFIG_SECRET_KEYS";

afterEach(() => {
  pulumi.runtime.setAllConfig({}, []);
  Reflect.deleteProperty(process.env, KEYS);
});

/** Reads a stack's configuration as the language host hands it over. */
async function read(
  values: Record<string, unknown>,
  secretKeys: string[],
): Promise<{ config?: StackConfig; error?: unknown; recorded: Recorded }> {
  const result: { config?: StackConfig; error?: unknown } = {};
  const recorded = await run(false, async () => {
    const named = Object.entries(values).map(([key, value]) => [`${PROJECT}:${key}`, JSON.stringify(value)]);
    const secrets = secretKeys.map((key) => `${PROJECT}:${key}`);
    pulumi.runtime.setAllConfig(Object.fromEntries(named) as Record<string, string>, secrets);
    process.env[KEYS] = JSON.stringify(secrets);
    try {
      result.config = await readStackConfig();
    } catch (error) {
      result.error = error;
    }
  });
  return { ...result, recorded };
}

test("tokens of the stack file come as secrets, beside plain specs", async () => {
  const { config } = await read(
    {
      zone: { namespace: "proxies" },
      proxies: { a: { replicas: 2 }, b: { configTokenSecretRef: { name: "s" } } },
      configTokens: { a: CANARY },
    },
    ["configTokens"],
  );
  assert.ok(config);
  assert.deepEqual(config.ownedSecrets, ["a-config-token"]);
  assert.deepEqual(config.proxies["a"]?.spec, { replicas: 2 });
  assert.ok(config.proxies["a"].configToken);
  assert.equal(await pulumi.isSecret(config.proxies["a"].configToken), true);
  assert.equal(await valueOf(config.proxies["a"].configToken), CANARY);
  assert.equal(config.proxies["b"]?.configToken, undefined);
  assert.equal(config.checksumKey, undefined);
});

test("signing keys come as secrets, to the proxies that have one", async () => {
  const { config } = await read(
    {
      zone: { namespace: "proxies" },
      proxies: { a: {}, b: {} },
      configTokens: { a: "token-a", b: "token-b" },
      tokenSigningKeys: { b: CANARY },
    },
    ["configTokens", "tokenSigningKeys"],
  );
  const { a, b } = config?.proxies ?? {};
  assert.equal(a?.tokenSigningKey, undefined);
  assert.ok(b?.tokenSigningKey);
  assert.equal(await pulumi.isSecret(b.tokenSigningKey), true);
  assert.equal(await valueOf(b.tokenSigningKey), CANARY);
});

test("secrets of a registration come as secrets, each in its place among plain fields", async () => {
  const image = { repository: "hub.example.com/x509", tag: "1.3.1" };
  const registration = {
    platformUrl: "https://ilm.example.com/api",
    name: "X.509",
    authType: "apiKey",
    authAttributes: [{ name: "header", content: "X-Key" }],
  };
  const { config } = await read(
    {
      zone: { namespace: "proxies" },
      connectors: { x509: { image, registration }, plain: { image, registration } },
      registrationSecrets: {
        x509: { credentials: { bearerToken: CANARY }, authAttributes: { key: { nested: CANARY } } },
      },
    },
    ["registrationSecrets"],
  );
  assert.deepEqual(config?.connectors["plain"], { image, registration });
  const { authAttributes, credentials, ...rest } = config.connectors["x509"]?.registration ?? {};
  assert.deepEqual(rest, {
    platformUrl: registration.platformUrl,
    name: "X.509",
    authType: "apiKey",
    customAttributes: [],
  });
  const [header, key] = authAttributes as { name: string; content: pulumi.Output<unknown> }[];
  assert.deepEqual([header, key?.name], [{ name: "header", content: "X-Key" }, "key"]);
  for (const [secret, value] of [
    [key?.content, { nested: CANARY }],
    [credentials, { bearerToken: CANARY }],
  ] as [pulumi.Output<unknown>, unknown][]) {
    assert.equal(await pulumi.isSecret(secret), true);
    assert.deepEqual(await valueOf(secret), value);
  }
});

test("a component may have the name of something that every object has", async () => {
  const image = { repository: "hub.example.com/x509", tag: "1.3.1" };
  const registration = { platformUrl: "https://ilm.example.com/api", name: "X.509", authType: "none" };
  const { config, error } = await read(
    {
      zone: { namespace: "proxies" },
      connectors: { x509: { image, registration }, constructor: { image, registration } },
      registrationSecrets: { x509: { credentials: { bearerToken: CANARY } } },
    },
    ["registrationSecrets"],
  );
  assert.equal(error, undefined);
  assert.deepEqual(config?.connectors["constructor"], { image, registration });
});

test("the checksum key comes as a secret", async () => {
  const { config } = await read({ zone: { namespace: "proxies" }, checksumKey: "k" }, ["checksumKey"]);
  assert.ok(config?.checksumKey);
  assert.equal(await pulumi.isSecret(config.checksumKey), true);
});

test("keys of other projects are none of ours", async () => {
  await run(false, async () => {
    pulumi.runtime.setAllConfig({ [`${PROJECT}:zone`]: '{"namespace":"p"}', "kubernetes:context": "x" }, []);
    assert.equal((await readStackConfig()).zone.namespace, "p");
  });
});

test("every problem is logged with its key and path, and the run ends with one clean line", async () => {
  const { config, error, recorded } = await read(
    {
      zone: { namespace: "proxies" },
      proxies: { a: { replicas: CANARY }, "dc.east": {} },
      configTokens: { a: CANARY },
    },
    ["configTokens"],
  );
  assert.equal(config, undefined);
  assert.ok(pulumi.RunError.isInstance(error));
  assert.match(
    error.message,
    /^3 problems in the configuration of stack prod-dc-east\. Nothing was changed\.$/,
  );
  const messages = recorded.logs.map(({ severity, message }) => `${severity} ${message}`);
  assert.equal(messages.length, 3);
  assert.match(messages[0] ?? "", /^error pulumi-proxies:proxies\.a\.replicas: expected number/);
  assert.match(messages[1] ?? "", /^error pulumi-proxies:proxies\["dc\.east"\]: its name/);
  assert.match(messages[2] ?? "", /^error pulumi-proxies:proxies\["dc\.east"\]: has no token/);
  assert.equal(JSON.stringify(recorded).includes(CANARY), false);
});

test("a secure leaf among plain values is told by its key, and its value by nobody", async () => {
  const { error, recorded } = await read(
    { zone: { namespace: "proxies" }, proxies: { a: { configTokenSecretRef: { name: CANARY } } } },
    ["proxies"],
  );
  assert.ok(pulumi.RunError.isInstance(error));
  assert.match(error.message, /^1 problem /);
  assert.match(recorded.logs[0]?.message ?? "", /^pulumi-proxies:proxies: holds a secure value/);
  assert.equal(JSON.stringify(recorded).includes(CANARY), false);
});
