import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { specWarnings } from "../../components/proxy/manifests.ts";
import type { ReferencedObject } from "../../components/workload/checksum.ts";
import {
  type GuardedReferences,
  guardReferences,
  wholeReferences,
} from "../../components/workload/config-refs.ts";
import { container, env } from "./support.ts";

const RESERVED = ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"];

const object = (kind: ReferencedObject["kind"], name: string, ...keys: string[]): ReferencedObject => ({
  kind,
  name,
  data: Object.fromEntries(keys.map((key) => [key, Buffer.from("x")])),
});
const secret = (name: string, ...keys: string[]) => object("Secret", name, ...keys);
const KEY = "PROXY_TOKEN_SIGNING_KEY";

const rows: [string, whole: string[], ReferencedObject[], GuardedReferences][] = [
  ["nothing", [], [], {}],
  ["an object without such a variable", ["Secret/a"], [secret("a", "X", KEY.toLowerCase())], {}],
  ["one with the signing key", ["Secret/a"], [secret("a", "Y", KEY, "X")], { "Secret/a": ["X", "Y"] }],
  ["one with the token", ["Secret/a"], [secret("a", "PROXY_CONFIG_TOKEN")], { "Secret/a": [] }],
  ["a ConfigMap", ["ConfigMap/a"], [object("ConfigMap", "a", KEY, "X")], { "ConfigMap/a": ["X"] }],
  ["a Secret named like the ConfigMap that is wired", ["ConfigMap/a"], [secret("a", KEY)], {}],
  ["one that is not wired as a whole", ["Secret/b"], [secret("a", KEY, "X"), secret("b", "X")], {}],
  [
    "binary data, which never becomes a variable",
    ["ConfigMap/a"],
    [{ ...object("ConfigMap", "a", "X"), binaryData: { [KEY]: Buffer.from("x") } }],
    {},
  ],
  [
    "keys that are no variables",
    ["Secret/a"],
    [secret("a", KEY, "1st", "ok.key", "a-b", "_", "9")],
    { "Secret/a": ["_", "a-b", "ok.key"] },
  ],
  [
    "two of them with one key, which stays in both",
    ["Secret/b", "Secret/a"],
    [secret("a", KEY, "X"), secret("b", KEY, "X")],
    { "Secret/a": ["X"], "Secret/b": ["X"] },
  ],
  [
    "a key that a later object sets too, which wins as a whole",
    ["Secret/a", "ConfigMap/c"],
    [secret("a", KEY, "X", "Y"), object("ConfigMap", "c", "X")],
    { "Secret/a": ["Y"] },
  ],
  [
    "a key that an earlier object sets too, which loses",
    ["Secret/c", "Secret/a"],
    [secret("a", KEY, "X"), secret("c", "X")],
    { "Secret/a": ["X"] },
  ],
];

for (const [what, whole, objects, expected] of rows) {
  test(`guarded is ${JSON.stringify(expected)} with ${what}`, () => {
    const guarded = guardReferences(whole, objects, RESERVED);
    assert.deepEqual(guarded, expected);
    assert.deepEqual(Object.keys(guarded), Object.keys(expected), "in a stable order");
  });
}

test("whole references are those without keys that become variables, Secrets first, in their order", () => {
  const spec: ProxySpec = {
    configMapRefs: [{ name: "c", type: "env" }],
    secretRefs: [
      { name: "b", type: "env" },
      { name: "v", type: "volume", mountPath: "/v" },
      { name: "k", type: "env", keys: [{ secretKey: "x" }] },
      { name: "a", type: "env" },
    ],
  };
  assert.deepEqual(wholeReferences(spec), ["Secret/b", "Secret/a", "ConfigMap/c"]);
});

const SPEC: ProxySpec = {
  secretRefs: [
    { name: "first", type: "env" },
    { name: "second", type: "env" },
  ],
  configMapRefs: [{ name: "settings", type: "env" }],
};
const own = (spec: ProxySpec, guarded: GuardedReferences): object[] =>
  env(spec, { guarded }).filter(({ name }) => !RESERVED.includes(name));
const from = (variable: string, name: string, key = variable): object => ({
  name: variable,
  valueFrom: { secretKeyRef: { name, key } },
});

test("a guarded object is wired key by key and no longer as a whole; others stay as they are", () => {
  const guarded = { "Secret/first": ["X", "Y"] };
  assert.deepEqual(own(SPEC, guarded), [from("X", "first"), from("Y", "first")]);
  assert.deepEqual(container(SPEC, { guarded }).envFrom, [
    { secretRef: { name: "second" } },
    { configMapRef: { name: "settings" } },
  ]);
});

test("with every object guarded there is no envFrom", () => {
  const guarded = { "Secret/first": [], "Secret/second": [], "ConfigMap/settings": ["X"] };
  assert.equal("envFrom" in container(SPEC, { guarded }), false);
  assert.deepEqual(own(SPEC, guarded), [
    { name: "X", valueFrom: { configMapKeyRef: { name: "settings", key: "X" } } },
  ]);
});

test("of two guarded objects with one key the last wins, as in envFrom", () => {
  const guarded = { "Secret/second": ["X"], "Secret/first": ["X"] };
  assert.deepEqual(own(SPEC, guarded), [from("X", "second")]);
  assert.deepEqual(own({ secretRefs: SPEC.secretRefs?.toReversed() }, guarded), [from("X", "first")]);
});

test("an inline variable and a keyed one win over a guarded object's", () => {
  const spec: ProxySpec = {
    env: [{ name: "X", value: "inline" }],
    secretRefs: [
      { name: "first", type: "env" },
      { name: "keyed", type: "env", keys: [{ secretKey: "y", envVar: "Y" }] },
    ],
  };
  assert.deepEqual(own(spec, { "Secret/first": ["X", "Y", "Z"] }), [
    { name: "X", value: "inline" },
    from("Y", "keyed", "y"),
    from("Z", "first"),
  ]);
});

test("the egress proxy wins over a guarded object, as over any that is wired as a whole", () => {
  const zone = { clusterDomain: "cluster.local", egress: { httpProxy: "http://p:3128" } };
  const rendered = env(SPEC, { zone, guarded: { "Secret/first": ["HTTP_PROXY", "http_proxy", "X"] } });
  assert.deepEqual(
    rendered.filter(({ name }) => /^(http_proxy|x)$/i.test(name)),
    [
      { name: "HTTP_PROXY", value: "http://p:3128" },
      { name: "http_proxy", value: "http://p:3128" },
      from("X", "first"),
    ],
  );
});

test("a guarded object that is also a volume keeps all its files", () => {
  const spec: ProxySpec = {
    secretRefs: [
      { name: "first", type: "env" },
      { name: "first", type: "volume", mountPath: "/first" },
    ],
  };
  const { volumeMounts } = container(spec, { guarded: { "Secret/first": [] } });
  assert.deepEqual(volumeMounts?.[0], { name: "secret-first", mountPath: "/first", readOnly: true });
});

test("every guarded object is a warning, without the names of its keys", () => {
  const guarded = { "ConfigMap/settings": ["X"], "Secret/first": [] };
  const text = "holds a variable that is reserved for the token: it is wired key by key, without it";
  assert.deepEqual(specWarnings({ spec: SPEC, guarded }), [
    `ConfigMap/settings ${text}`,
    `Secret/first ${text}`,
  ]);
});

test("an object with more keys than a Deployment can hold is one error, which names the largest", () => {
  const keys = (count: number, length: number): string[] =>
    Array.from({ length: count }, (_, index) => `K${index}`.padEnd(length, "_"));
  assert.doesNotThrow(() => container(SPEC, { guarded: { "Secret/first": keys(300, 253) } }));
  for (const guarded of [
    { "Secret/first": keys(4_000, 253), "ConfigMap/settings": ["X"] },
    { "Secret/first": keys(300, 253), "ConfigMap/settings": keys(200, 253) },
  ] as GuardedReferences[])
    assert.throws(
      () => container(SPEC, { guarded }),
      /^Error: Secret\/first holds a variable that is reserved for the token, and too many others to wire them key by key: take it out/,
    );
});
