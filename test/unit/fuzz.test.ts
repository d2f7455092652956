// What holds for every proxy, whatever its args: tried on arbitrary ones. The API server's view is in test/cluster.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { checkProxy } from "../../components/proxy/checks.ts";
import { proxyManifests, specWarnings } from "../../components/proxy/manifests.ts";
import type { WorkloadManifests } from "../../components/workload/workload.ts";
import { configSources } from "../../components/proxy/token.ts";
import {
  configChecksum,
  type ReferencedObject,
  referenceDigests,
} from "../../components/workload/checksum.ts";
import type { Manifest } from "../../components/workload/manifest.ts";
import { checkCase, inputOf, mutatedWith, type ProxyCase, validCase } from "./arbitrary/proxy-case.ts";
import { brokenRules } from "./arbitrary/restricted.ts";
import { cases, forAll } from "./arbitrary/run.ts";
import { CANARY } from "./support.ts";

const file = "test/unit/fuzz.test.ts";

function specOf(given: ProxyCase): ProxySpec {
  const { spec, problems } = checkCase(given);
  assert.deepEqual(problems, []);
  return spec as ProxySpec;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The same value with the keys of every map in another order. */
function reordered(value: unknown, byKey: (key: string) => number): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, byKey));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => byKey(a) - byKey(b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, reordered(inner, byKey)]));
}

/** An order that looks like none, the same in every run. */
const scrambled = (key: string): number =>
  Buffer.from(key).reduce((sum, byte) => (sum * 31 + byte) % 1009, 7);

const backwards = <T>(list: T[] | undefined): T[] | undefined => list?.toReversed();

/** What a checksum is made of: an object for each reference, with a value for each key. */
function objects(name: string, spec: ProxySpec): ReferencedObject[] {
  return configSources(name, spec, undefined).references.map((reference) => {
    const keys = ["more", ...reference.requiredKeys];
    const data = Object.fromEntries(keys.map((key) => [key, Buffer.from(`${reference.name} ${key}`)]));
    // Two references to one object see the same data.
    return { kind: reference.kind, name: reference.name, data: { more: data["more"] as Buffer } };
  });
}

const labelsOf = (manifests: WorkloadManifests): unknown[] => [
  ...Object.values(manifests).map(({ metadata }: Manifest) => metadata.labels),
  manifests.deployment.spec.template.metadata.labels,
  manifests.deployment.spec.selector,
];

test("the order of keys changes nothing, that of references and variables neither checksum nor labels", async () => {
  await forAll({ values: validCase, cases: cases(300), file }, (given) => {
    const spec = specOf(given);
    const rendered = proxyManifests(inputOf(given, spec, "proxies"));
    const shuffled = specOf({ ...given, spec: reordered(given.spec, scrambled) });
    assert.deepEqual(plain(proxyManifests(inputOf(given, shuffled, "proxies"))), plain(rendered));

    const turned = {
      ...spec,
      env: backwards(spec.env),
      secretRefs: backwards(spec.secretRefs),
      configMapRefs: backwards(spec.configMapRefs),
      volumes: backwards(spec.volumes),
    };
    assert.deepEqual(labelsOf(proxyManifests(inputOf(given, turned, "proxies"))), labelsOf(rendered));
    const [before, after] = [objects(given.name, spec), objects(given.name, turned)];
    assert.equal(configChecksum(after), configChecksum(before));
    assert.deepEqual(referenceDigests(after), referenceDigests(before));
    return true;
  });
});

test("the same args render the same bytes, are left as they were, and keep to restricted-v2", async () => {
  await forAll({ values: validCase, cases: cases(300), file }, (given) => {
    const spec = specOf(given);
    const before = structuredClone(spec);
    const render = (): WorkloadManifests => proxyManifests(inputOf(given, spec, "proxies"));
    const first = render();
    assert.equal(JSON.stringify(render()), JSON.stringify(first));
    specWarnings({ spec, guarded: {} });
    assert.deepEqual(spec, before);
    assert.deepEqual(brokenRules(first.deployment.spec.template.spec), []);

    const children = Object.keys(first) as (keyof WorkloadManifests)[];
    for (const idle of [() => undefined, (manifest: object) => manifest]) {
      const transform = Object.fromEntries(children.map((child) => [child, idle]));
      const transformed = proxyManifests(inputOf(given, spec, "proxies"), transform);
      assert.deepEqual(transformed, plain(first), "a transform that changes nothing");
    }
    return true;
  });
});

/** Any JSON, every text of which is the canary. */
const anything: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 4 }).map(planted);

function planted(value: unknown): unknown {
  if (typeof value === "string") return CANARY;
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, planted(inner)]));
}

test("whatever stands in a spec, checking it throws nothing, and no message repeats a value", async () => {
  const hostile: fc.Arbitrary<{ name: string; spec: unknown; ownToken: boolean }> = fc.oneof(
    fc.record({ name: fc.string(), spec: anything, ownToken: fc.boolean() }),
    mutatedWith(anything).map(({ changed }) => changed),
  );
  await forAll({ values: hostile, cases: cases(300), file }, ({ name, spec, ownToken }) => {
    const { problems } = checkProxy(name, spec, ownToken, "proxies.p");
    for (const { path, message } of problems) {
      assert.equal((path + message).includes(CANARY), false, `${path}: ${message}`);
    }
    return true;
  });
});
