import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { tokenSecret } from "../../components/proxy/manifests.ts";
import { configSources, tokenSource } from "../../components/proxy/token.ts";
import { CANARY, dropped, env, identity, LABELS } from "./support.ts";

const TOKEN = { name: "dc-east-config", tokenKey: "configToken", signingKeyKey: "tokenSigningKey" };

test("the token is a required key, the signing key an optional one, of the same Secret", () => {
  assert.deepEqual(env(), [
    {
      name: "PROXY_CONFIG_TOKEN",
      valueFrom: { secretKeyRef: { name: "dc-east-config", key: "configToken" } },
    },
    {
      name: "PROXY_TOKEN_SIGNING_KEY",
      valueFrom: { secretKeyRef: { name: "dc-east-config", key: "tokenSigningKey", optional: true } },
    },
  ]);
});

test("a token key of one's own is used, and inline variables pass through", () => {
  const rendered = env(
    { env: [{ name: "HTTPS_PROXY", value: "http://x:1" }] },
    { token: { ...TOKEN, tokenKey: "tok", signingKeyKey: "sig" } },
  );
  assert.deepEqual(rendered, [
    { name: "HTTPS_PROXY", value: "http://x:1" },
    { name: "PROXY_CONFIG_TOKEN", valueFrom: { secretKeyRef: { name: "dc-east-config", key: "tok" } } },
    {
      name: "PROXY_TOKEN_SIGNING_KEY",
      valueFrom: { secretKeyRef: { name: "dc-east-config", key: "sig", optional: true } },
    },
  ]);
});

test("reserved variables stand once, as references to the Secret, whatever the inline ones say", () => {
  const inline = [
    { name: "PROXY_CONFIG_TOKEN", value: "spoofed" },
    { name: "LOG_LEVEL", value: "debug" },
    { name: "PROXY_TOKEN_SIGNING_KEY", value: "spoofed" },
  ];
  const rendered = env({ env: inline });
  assert.deepEqual(rendered, [{ name: "LOG_LEVEL", value: "debug" }, ...env()]);
  assert.deepEqual(dropped({ env: inline }), ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"]);
});

test("nothing is reported as dropped when nothing is", () => {
  assert.deepEqual(dropped({ env: [{ name: "PROXY_CONFIG_TOKEN_URL" }] }), []);
  assert.deepEqual(dropped({}), []);
});

test("a token comes from the Secret and keys that the spec names, with the documented defaults", () => {
  assert.deepEqual(tokenSource("dc-east", { configTokenSecretRef: { name: "dc-east-config" } }), TOKEN);
  assert.deepEqual(
    tokenSource("dc-east", { configTokenSecretRef: { name: "s", tokenKey: "tok", signingKeyKey: "sig" } }),
    { name: "s", tokenKey: "tok", signingKeyKey: "sig" },
  );
});

test("empty key names mean the defaults, as they do for the operator", () => {
  assert.deepEqual(
    tokenSource("dc-east", {
      configTokenSecretRef: { name: "dc-east-config", tokenKey: "", signingKeyKey: "" },
    }),
    TOKEN,
  );
});

test("a token of one's own goes into a Secret named after the proxy", () => {
  assert.deepEqual(tokenSource("dc-east", {}), {
    name: "dc-east-config-token",
    tokenKey: "configToken",
    signingKeyKey: "tokenSigningKey",
  });
});

test("the Secret that the component makes holds the token under its key, in base64", () => {
  const data = Buffer.from(CANARY).toString("base64");
  assert.deepEqual(tokenSecret(identity, tokenSource("dc-east", {}), { configToken: CANARY }), {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "dc-east-config-token", namespace: "proxies", labels: LABELS },
    data: { configToken: data },
  });
});

test("the token's Secret is what the checksum reads, and its key what must be there", () => {
  const sources = configSources(
    "dc-east",
    { configTokenSecretRef: { name: "s", tokenKey: "tok" } },
    undefined,
  );
  assert.deepEqual(sources, {
    references: [{ kind: "Secret", name: "s", requiredKeys: ["tok"], isToken: true }],
    owned: [],
    guard: { whole: [], reserved: ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"] },
    token: { secret: "s", key: "tok" },
    timeoutSeconds: 30,
  });
});

test("a token of one's own is covered by the checksum without a read", () => {
  const sources = configSources("dc-east", { referenceTimeoutSeconds: 0 }, { configToken: "jwt" });
  assert.deepEqual(sources, {
    references: [],
    owned: [{ name: "dc-east-config-token", data: { configToken: "jwt" } }],
    guard: { whole: [], reserved: ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"] },
    token: { secret: "dc-east-config-token", key: "configToken" },
    timeoutSeconds: 0,
  });
});

test("referenced objects come behind the token's Secret, Secrets before ConfigMaps, and none is the token's", () => {
  const spec: ProxySpec = {
    configMapRefs: [{ name: "ca", type: "volume", mountPath: "/ca", keys: [{ configMapKey: "ca.crt" }] }],
    secretRefs: [{ name: "s", type: "env" }],
  };
  const referenced = [
    { kind: "Secret", name: "s", requiredKeys: [] },
    { kind: "ConfigMap", name: "ca", requiredKeys: ["ca.crt"], asFiles: true },
  ];
  const given: ProxySpec = { ...spec, configTokenSecretRef: { name: "s" } };
  assert.deepEqual(configSources("dc-east", given, undefined).references, [
    { kind: "Secret", name: "s", requiredKeys: ["configToken"], isToken: true },
    ...referenced,
  ]);
  assert.deepEqual(configSources("dc-east", spec, { configToken: "jwt" }).references, referenced);
});
