import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConfigSpec, configReferences, wireConfig } from "../../components/workload/config-refs.ts";

const NONE = { env: [], envFrom: [], volumes: [], volumeMounts: [] };

test("nothing given is nothing wired, and nothing to read", () => {
  assert.deepEqual(wireConfig({}), NONE);
  assert.deepEqual(wireConfig({ secretRefs: [], configMapRefs: [], volumes: [] }), NONE);
  assert.deepEqual(configReferences({}), []);
});

const variables: [string, ConfigSpec, object][] = [
  [
    "a key of a Secret, under its own name or another",
    {
      secretRefs: [
        { name: "db", type: "env", keys: [{ secretKey: "USER" }, { secretKey: "pw", envVar: "PASSWORD" }] },
      ],
    },
    {
      env: [
        { name: "USER", valueFrom: { secretKeyRef: { name: "db", key: "USER" } } },
        { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "pw" } } },
      ],
    },
  ],
  [
    "a key of a ConfigMap, under its own name or another",
    {
      configMapRefs: [
        {
          name: "settings",
          type: "env",
          keys: [{ configMapKey: "LEVEL" }, { configMapKey: "log.format", envVar: "LOG_FORMAT" }],
        },
      ],
    },
    {
      env: [
        { name: "LEVEL", valueFrom: { configMapKeyRef: { name: "settings", key: "LEVEL" } } },
        { name: "LOG_FORMAT", valueFrom: { configMapKeyRef: { name: "settings", key: "log.format" } } },
      ],
    },
  ],
  [
    "a whole Secret",
    { secretRefs: [{ name: "db", type: "env" }] },
    { envFrom: [{ secretRef: { name: "db" } }] },
  ],
  [
    "a whole ConfigMap",
    { configMapRefs: [{ name: "settings", type: "env" }] },
    { envFrom: [{ configMapRef: { name: "settings" } }] },
  ],
];

for (const [what, spec, wired] of variables) {
  test(`${what} becomes variables, and no volume`, () => {
    assert.deepEqual(wireConfig(spec), { ...NONE, ...wired });
  });
}

test("Secrets come before ConfigMaps, those before plain volumes, each in its order", () => {
  const wired = wireConfig({
    volumes: [
      { name: "one", mountPath: "/one" },
      { name: "two", mountPath: "/two" },
    ],
    configMapRefs: [
      { name: "b", type: "env", keys: [{ configMapKey: "B" }] },
      { name: "c", type: "env" },
      { name: "d", type: "volume", mountPath: "/d" },
    ],
    secretRefs: [
      { name: "z", type: "env", keys: [{ secretKey: "Z" }] },
      { name: "a", type: "env", keys: [{ secretKey: "A" }] },
      { name: "y", type: "env" },
      { name: "x", type: "volume", mountPath: "/x" },
    ],
  });
  assert.deepEqual(wired, {
    env: [
      { name: "Z", valueFrom: { secretKeyRef: { name: "z", key: "Z" } } },
      { name: "A", valueFrom: { secretKeyRef: { name: "a", key: "A" } } },
      { name: "B", valueFrom: { configMapKeyRef: { name: "b", key: "B" } } },
    ],
    envFrom: [{ secretRef: { name: "y" } }, { configMapRef: { name: "c" } }],
    volumes: [
      { name: "secret-x", secret: { secretName: "x" } },
      { name: "configmap-d", configMap: { name: "d" } },
      { name: "one", emptyDir: {} },
      { name: "two", emptyDir: {} },
    ],
    volumeMounts: [
      { name: "secret-x", mountPath: "/x", readOnly: true },
      { name: "configmap-d", mountPath: "/d", readOnly: true },
      { name: "one", mountPath: "/one" },
      { name: "two", mountPath: "/two" },
    ],
  });
});

test("keys of a volume are its only files, each at its path or under its own name", () => {
  const wired = wireConfig({
    secretRefs: [
      {
        name: "tls",
        type: "volume",
        mountPath: "/tls",
        keys: [{ secretKey: "tls.crt", path: "cert.pem" }, { secretKey: "tls.key" }],
      },
    ],
    configMapRefs: [
      {
        name: "ca",
        type: "volume",
        mountPath: "/ca",
        keys: [{ configMapKey: "ca.crt", path: "private/ca.pem" }, { configMapKey: "extra.crt" }],
      },
    ],
  });
  assert.deepEqual(wired, {
    ...NONE,
    volumes: [
      {
        name: "secret-tls",
        secret: {
          secretName: "tls",
          items: [
            { key: "tls.crt", path: "cert.pem" },
            { key: "tls.key", path: "tls.key" },
          ],
        },
      },
      {
        name: "configmap-ca",
        configMap: {
          name: "ca",
          items: [
            { key: "ca.crt", path: "private/ca.pem" },
            { key: "extra.crt", path: "extra.crt" },
          ],
        },
      },
    ],
    volumeMounts: [
      { name: "secret-tls", mountPath: "/tls", readOnly: true },
      { name: "configmap-ca", mountPath: "/ca", readOnly: true },
    ],
  });
});

test("what a workload reads is told in the order in which it is wired, with the keys that it can't do without", () => {
  const references = configReferences({
    configMapRefs: [
      { name: "ca", type: "volume", mountPath: "/ca" },
      { name: "settings", type: "env", keys: [{ configMapKey: "a", envVar: "A" }] },
    ],
    secretRefs: [
      { name: "z", type: "env", keys: [{ secretKey: "b", envVar: "B" }, { secretKey: "a" }] },
      { name: "a", type: "volume", mountPath: "/a", keys: [{ secretKey: "c", path: "d" }] },
      { name: "a", type: "env" },
    ],
    volumes: [{ name: "data", mountPath: "/data", persistentVolumeClaim: { claimName: "data" } }],
  });
  assert.deepEqual(references, [
    { kind: "Secret", name: "z", requiredKeys: ["b", "a"] },
    { kind: "Secret", name: "a", requiredKeys: ["c"], asFiles: true },
    { kind: "Secret", name: "a", requiredKeys: [] },
    { kind: "ConfigMap", name: "ca", requiredKeys: [], asFiles: true },
    { kind: "ConfigMap", name: "settings", requiredKeys: ["a"] },
  ]);
});
