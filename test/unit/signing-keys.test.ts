import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenSecret } from "../../components/proxy/manifests.ts";
import { configSources, tokenSource } from "../../components/proxy/token.ts";
import { checkStackConfig } from "../../stacks/config.ts";
import { CANARY, identity, LABELS } from "./support.ts";

const SECRET = ["configTokens", "tokenSigningKeys"];

function checked(values: Record<string, unknown>, secretKeys = SECRET) {
  const all = { zone: { namespace: "proxies" }, ...values };
  return checkStackConfig({
    values: Object.fromEntries(Object.entries(all).map(([key, value]) => [key, JSON.stringify(value)])),
    secretKeys: new Set(secretKeys),
  });
}

test("signing keys of one's own are told apart, beside the tokens", () => {
  const { value, problems } = checked({
    proxies: { a: {}, b: {} },
    configTokens: { a: "jwt", b: "jwt" },
    tokenSigningKeys: { b: "key" },
  });
  assert.deepEqual(problems, []);
  assert.deepEqual([value?.ownTokens, value?.ownSigningKeys], [["a", "b"], ["b"]]);
  assert.equal(JSON.stringify(value).includes('key"'), false, "no key leaves the secret map");
});

test("a stack without signing keys has none", () => {
  assert.deepEqual(checked({}).value?.ownSigningKeys, []);
});

const proxies = { "dc-east": {} };
const configTokens = { "dc-east": "jwt" };
const ref = { configTokenSecretRef: { name: "s" } };

const bad: [string, Parameters<typeof checked>, path: string, message: RegExp][] = [
  [
    "keys that are no secret",
    [{ proxies, configTokens, tokenSigningKeys: { "dc-east": CANARY } }, ["configTokens"]],
    "tokenSigningKeys",
    /^must be secret: .*--secret/,
  ],
  [
    "a key for no proxy",
    [{ proxies, configTokens, tokenSigningKeys: { "dc-esat": CANARY } }],
    "tokenSigningKeys.dc-esat",
    /did you mean "dc-east"/,
  ],
  [
    "a key beside a token of somebody else's",
    [{ proxies: { "dc-east": ref }, tokenSigningKeys: { "dc-east": CANARY } }],
    "tokenSigningKeys.dc-east",
    /^has no token in configTokens\.dc-east beside it$/,
  ],
  [
    "a key that is no text",
    [{ proxies, configTokens, tokenSigningKeys: { "dc-east": { x: CANARY } } }],
    "tokenSigningKeys.dc-east",
    /^expected a string$/,
  ],
  [
    "keys as text",
    [{ proxies, configTokens, tokenSigningKeys: CANARY }],
    "tokenSigningKeys",
    /expected a map/,
  ],
  [
    "a misspelt map",
    [{ proxies, configTokens, tokenSigningKey: { "dc-east": CANARY } }],
    "tokenSigningKey",
    /did you mean "tokenSigningKeys"/,
  ],
];

for (const [what, args, path, message] of bad) {
  test(`${what}: one problem with path and allowed form, no value`, () => {
    const { value, problems } = checked(...args);
    assert.equal(value, undefined);
    assert.deepEqual(
      problems.map((problem) => problem.path),
      [path],
    );
    assert.match(problems[0]?.message ?? "", message);
    assert.equal(JSON.stringify(problems).includes(CANARY), false);
  });
}

const SOURCE = tokenSource("dc-east", {});

test("token and signing key stand side by side in the Secret that a proxy makes", () => {
  assert.deepEqual(tokenSecret(identity, SOURCE, { configToken: "jwt", tokenSigningKey: "key" }), {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "dc-east-config-token", namespace: "proxies", labels: LABELS },
    data: { configToken: "and0", tokenSigningKey: "a2V5" },
  });
  assert.deepEqual(tokenSecret(identity, SOURCE, { configToken: "jwt" }).data, { configToken: "and0" });
});

test("both are covered by the checksum", () => {
  assert.deepEqual(configSources("dc-east", {}, { configToken: "jwt", tokenSigningKey: "key" }).owned, [
    { name: "dc-east-config-token", data: { configToken: "jwt", tokenSigningKey: "key" } },
  ]);
});
