import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { container, dropped, env } from "./support.ts";

const ZONE = {
  clusterDomain: "cluster.local",
  egress: { httpProxy: "http://p:3128", httpsProxy: "http://p:3129", noProxy: ["10.0.0.0/8"] },
};
const NO_PROXY =
  "10.0.0.0/8,localhost,127.0.0.1,::1,dc-east,dc-east.proxies,.svc,.svc.cluster.local," +
  "kubernetes.default,kubernetes.default.svc,$(KUBERNETES_SERVICE_HOST)";
const TOKEN_ENV = [
  { name: "PROXY_CONFIG_TOKEN", valueFrom: { secretKeyRef: { name: "dc-east-config", key: "configToken" } } },
  {
    name: "PROXY_TOKEN_SIGNING_KEY",
    valueFrom: { secretKeyRef: { name: "dc-east-config", key: "tokenSigningKey", optional: true } },
  },
];

test("inline variables come first, then egress, the token, keyed Secrets, keyed ConfigMaps", () => {
  const rendered = env(
    {
      configMapRefs: [{ name: "settings", type: "env", keys: [{ configMapKey: "LEVEL" }] }],
      secretRefs: [{ name: "db", type: "env", keys: [{ secretKey: "pw", envVar: "DB_PASSWORD" }] }],
      env: [{ name: "A", value: "1" }],
    },
    { zone: { clusterDomain: "cluster.local", egress: { httpProxy: "http://p:3128" } } },
  );
  assert.deepEqual(rendered, [
    { name: "A", value: "1" },
    { name: "HTTP_PROXY", value: "http://p:3128" },
    { name: "http_proxy", value: "http://p:3128" },
    { name: "NO_PROXY", value: NO_PROXY.replace("10.0.0.0/8,", "") },
    { name: "no_proxy", value: NO_PROXY.replace("10.0.0.0/8,", "") },
    ...TOKEN_ENV,
    { name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "pw" } } },
    { name: "LEVEL", valueFrom: { configMapKeyRef: { name: "settings", key: "LEVEL" } } },
  ]);
});

const MAPPED: ProxySpec = {
  secretRefs: [
    {
      name: "spoof",
      type: "env",
      keys: [{ secretKey: "x", envVar: "PROXY_CONFIG_TOKEN" }, { secretKey: "KEPT" }],
    },
  ],
  configMapRefs: [{ name: "spoof", type: "env", keys: [{ configMapKey: "PROXY_TOKEN_SIGNING_KEY" }] }],
};

test("keys that are mapped onto reserved variables are left out; the token stays the token's Secret's", () => {
  assert.deepEqual(env(MAPPED), [
    ...TOKEN_ENV,
    { name: "KEPT", valueFrom: { secretKeyRef: { name: "spoof", key: "KEPT" } } },
  ]);
});

test("what is left out is named once, in the order in which it stands", () => {
  assert.deepEqual(dropped(MAPPED), ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"]);
  assert.deepEqual(dropped({ ...MAPPED, env: [{ name: "PROXY_TOKEN_SIGNING_KEY" }] }), [
    "PROXY_TOKEN_SIGNING_KEY",
    "PROXY_CONFIG_TOKEN",
  ]);
});

const keptKeys: [string, ProxySpec][] = [
  [
    "a key of that name under another variable",
    {
      secretRefs: [{ name: "s", type: "env", keys: [{ secretKey: "PROXY_CONFIG_TOKEN", envVar: "OTHER" }] }],
    },
  ],
  [
    "a key of that name in a volume",
    {
      secretRefs: [
        { name: "s", type: "volume", mountPath: "/s", keys: [{ secretKey: "PROXY_CONFIG_TOKEN" }] },
      ],
    },
  ],
  ["a whole Secret", { secretRefs: [{ name: "s", type: "env" }] }],
];

for (const [what, spec] of keptKeys) {
  test(`${what} sets no reserved variable, so nothing is dropped`, () => {
    assert.deepEqual(dropped(spec), []);
  });
}

test("a keyed variable replaces the zone's egress variable in both letter cases, others stay", () => {
  const rendered = env(
    {
      secretRefs: [{ name: "corp", type: "env", keys: [{ secretKey: "url", envVar: "https_proxy" }] }],
      configMapRefs: [{ name: "corp", type: "env", keys: [{ configMapKey: "NO_PROXY" }] }],
    },
    { zone: ZONE },
  );
  assert.deepEqual(rendered, [
    { name: "HTTP_PROXY", value: "http://p:3128" },
    { name: "http_proxy", value: "http://p:3128" },
    ...TOKEN_ENV,
    { name: "https_proxy", valueFrom: { secretKeyRef: { name: "corp", key: "url" } } },
    { name: "NO_PROXY", valueFrom: { configMapKeyRef: { name: "corp", key: "NO_PROXY" } } },
  ]);
});

test("whole objects stand in envFrom, whatever they hold, and replace nothing", () => {
  const rendered = container(
    {
      configMapRefs: [{ name: "corp", type: "env" }],
      secretRefs: [{ name: "corp", type: "env" }],
    },
    { zone: ZONE },
  );
  assert.deepEqual(rendered.envFrom, [{ secretRef: { name: "corp" } }, { configMapRef: { name: "corp" } }]);
  assert.deepEqual(rendered.env, [
    { name: "HTTP_PROXY", value: "http://p:3128" },
    { name: "http_proxy", value: "http://p:3128" },
    { name: "HTTPS_PROXY", value: "http://p:3129" },
    { name: "https_proxy", value: "http://p:3129" },
    { name: "NO_PROXY", value: NO_PROXY },
    { name: "no_proxy", value: NO_PROXY },
    ...TOKEN_ENV,
  ]);
});
