// The order in which a person writes what has no order never reaches an object.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { proxySpecSchema } from "../../components/proxy/checks.ts";
import { configSources } from "../../components/proxy/token.ts";
import {
  configChecksum,
  referenceDigests,
  type ReferencedObject,
} from "../../components/workload/checksum.ts";
import { guardReferences, wholeReferences } from "../../components/workload/config-refs.ts";
import { check } from "../../components/workload/validation.ts";
import { render } from "./support.ts";

const SPEC: ProxySpec = {
  secretRefs: [
    { name: "b", type: "env" },
    { name: "a", type: "env", keys: [{ secretKey: "x" }, { secretKey: "y", envVar: "Y" }] },
    { name: "c", type: "volume", mountPath: "/c" },
  ],
  configMapRefs: [
    { name: "b", type: "env" },
    { name: "a", type: "volume", mountPath: "/a" },
  ],
  env: [
    { name: "TWO", value: "2" },
    { name: "ONE", value: "1" },
  ],
  tolerations: [
    { key: "b", operator: "Exists" },
    { key: "a", operator: "Equal", value: "1", effect: "NoExecute", tolerationSeconds: 3 },
  ],
  podLabels: { b: "1", a: "2" },
  podAnnotations: { "example.com/b": "1", "example.com/a": "2" },
  nodeSelector: { b: "1", a: "2" },
  resources: { requests: { memory: "64Mi", cpu: "100m" }, limits: { memory: "64Mi", cpu: "1" } },
  networkPolicy: { egress: [], allowFrom: [{ namespaceSelector: { matchLabels: { b: "1", a: "2" } } }] },
  strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 2 }, type: "RollingUpdate" },
};

const OBJECTS: ReferencedObject[] = [
  { kind: "Secret", name: "dc-east-config", data: { configToken: Buffer.from("t") } },
  {
    kind: "Secret",
    name: "b",
    data: { X: Buffer.from("1"), PROXY_CONFIG_TOKEN: Buffer.from("2"), A: Buffer.from("3") },
  },
  { kind: "Secret", name: "a", data: { y: Buffer.from("2"), x: Buffer.from("1") } },
  { kind: "Secret", name: "c", data: {} },
  { kind: "ConfigMap", name: "b", data: { PROXY_CONFIG_TOKEN: Buffer.from("1"), B: Buffer.from("2") } },
  { kind: "ConfigMap", name: "a", data: {}, binaryData: { q: Buffer.from("1"), p: Buffer.from("2") } },
];

/** Whole numbers below `bound` that follow from a seed: the same in every run. */
function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * bound);
  };
}

/** The same with the keys of every map, and with `lists` the items of every list, in another order. */
function shuffled<T>(value: T, next: (bound: number) => number, lists: boolean): T {
  const mix = <Item>(items: Item[]): Item[] => {
    for (let last = items.length - 1; last > 0; last--) {
      const other = next(last + 1);
      [items[last], items[other]] = [items[other] as Item, items[last] as Item];
    }
    return items;
  };
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => shuffled(item, next, lists));
    return (lists ? mix(items) : items) as T;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, shuffled(child as unknown, next, lists)]);
  return Object.fromEntries(mix(entries)) as T;
}

/** With the keys of maps in one order, in which the engine compares them. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, child: unknown) =>
    typeof child === "object" && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );

for (let seed = 1; seed <= 20; seed++) {
  test(`the key order of maps reaches no object (seed ${seed})`, () => {
    const mixed = shuffled(SPEC, dice(seed), false);
    assert.deepEqual(check(proxySpecSchema, mixed, "p").value, SPEC);
    assert.equal(sorted(render(mixed)), sorted(render(SPEC)));
    assert.deepEqual(
      Object.keys(render(mixed).deployment.metadata.labels),
      Object.keys(render(SPEC).deployment.metadata.labels),
    );
  });

  test(`neither does the order of lists reach checksum, digests, guarded references or labels (seed ${seed})`, () => {
    const next = dice(seed);
    const mixed = shuffled(SPEC, next, true);
    const objects = shuffled(OBJECTS, next, true);
    assert.equal(configChecksum(objects), configChecksum(OBJECTS));
    assert.equal(configChecksum(objects, "key"), configChecksum(OBJECTS, "key"));
    assert.equal(JSON.stringify(referenceDigests(objects)), JSON.stringify(referenceDigests(OBJECTS)));
    const guarded = (spec: ProxySpec, from: ReferencedObject[]): string =>
      JSON.stringify(guardReferences(wholeReferences(spec), from, ["PROXY_CONFIG_TOKEN"]));
    assert.equal(guarded(mixed, objects), guarded(SPEC, OBJECTS));
    assert.equal(sorted(render(mixed).service), sorted(render(SPEC).service));
    assert.deepEqual(
      new Set(
        configSources("dc-east", mixed, undefined).references.map(({ kind, name }) => `${kind}/${name}`),
      ),
      new Set(
        configSources("dc-east", SPEC, undefined).references.map(({ kind, name }) => `${kind}/${name}`),
      ),
    );
  });
}

test("lists that have an order keep it: variables, tolerations, mounts", () => {
  const { spec } = render(SPEC).deployment.spec.template;
  assert.deepEqual(
    spec.containers[0].env?.slice(0, 2).map(({ name }) => name),
    ["TWO", "ONE"],
  );
  assert.deepEqual(
    spec.tolerations?.map(({ key }) => key),
    ["b", "a"],
  );
});
