// Where `npm run adopt` puts its entries: into a stack file that people write, too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadYaml } from "@kubernetes/client-node";
import fc from "fast-check";
import type { Entry } from "../../adopt/entries.ts";
import { mergeStackFile, type Place } from "../../adopt/stack-file.ts";
import { yamlLines } from "../../adopt/yaml.ts";

const PLACE: Place = {
  project: "pulumi-proxies",
  namespace: "ilm",
  context: "prod",
  namespaceUid: "0b6b5d2e-0000-4000-8000-000000000000",
};
const entry = (name: string, value: unknown = { adopt: true }, key = "proxies"): Entry => ({
  key,
  name,
  value,
  notes: [],
});

function merged(before: string | undefined, entries: readonly Entry[], place: Place = PLACE): string {
  const { merged: result, problems } = mergeStackFile(before, place, entries);
  assert.deepEqual(problems, []);
  return result?.text ?? "";
}

const NEW = `config:
  pulumi-proxies:zone:
    namespace: ilm
    cluster:
      context: prod
      namespaceUid: "0b6b5d2e-0000-4000-8000-000000000000"
  pulumi-proxies:proxies:
    west:
      adopt: true
  pulumi-proxies:connectors:
    x509:
      image:
        tag: "1.0"
`;
const BOTH = [entry("west"), entry("x509", { image: { tag: "1.0" } }, "connectors")];

test("a file that is not there is made; the same once more changes nothing", () => {
  assert.equal(merged(undefined, BOTH), NEW);
  assert.equal(merged(NEW, BOTH), NEW);
  assert.equal(mergeStackFile(NEW, PLACE, BOTH).merged?.added, 0);
});

test("what `pulumi stack init` has left stays", () => {
  const salt = "encryptionsalt: v1:abc=:v1:def\n";
  assert.equal(merged(salt, BOTH), salt + NEW);
  assert.equal(mergeStackFile(salt, PLACE, BOTH).merged?.isInitialised, true);
  assert.equal(mergeStackFile(undefined, PLACE, BOTH).merged?.isInitialised, false);
});

const WRITTEN = `# the zone of dc-west
config:
    aws:region: 012 # of another project
    pulumi-proxies:zone:
        namespace: ilm # where the operator was

        cluster: { context: prod, namespaceUid: 0b6b5d2e-0000-4000-8000-000000000000 }
    proxies: # ours
        east:
            # keep
            replicas: 2
    # the end
    pulumi-proxies:configTokens:
        east:
            secure: v1:abc
encryptionsalt: v1:x
`;

test("lines of people stay as they are, with comments, order and secrets; new ones stand where they belong", () => {
  const text = merged(WRITTEN, BOTH);
  const added = text.split("\n").filter((line) => !WRITTEN.split("\n").includes(line));
  assert.deepEqual(added, [
    "        west:",
    "          adopt: true",
    "    pulumi-proxies:connectors:",
    "      x509:",
    "        image:",
    '          tag: "1.0"',
  ]);
  assert.deepEqual(
    text.split("\n").filter((line) => !added.includes(line)),
    WRITTEN.split("\n"),
  );
  const { config } = loadYaml<{ config: Record<string, Record<string, unknown>> }>(text);
  assert.deepEqual(Object.keys(config["proxies"] ?? {}), ["east", "west"]);
});

test("empty maps are filled, and what the zone does not say yet is added", () => {
  const before = "config:\n  pulumi-proxies:proxies: {}\n  zone:\n    namespace: ilm\n";
  const expected = `config:
  pulumi-proxies:proxies:
    west:
      adopt: true
  zone:
    namespace: ilm
    cluster:
      context: prod
`;
  assert.equal(merged(before, [entry("west")], { ...PLACE, namespaceUid: undefined }), expected);
});

function problems(before: string, entries: readonly Entry[] = [entry("west")]): string[] {
  return mergeStackFile(before, PLACE, entries).problems.map(({ path, message }) => `${path}: ${message}`);
}

test("what differs is refused by its path, and no value is shown", () => {
  const differs = "stands in the stack file already, and says something else";
  assert.deepEqual(problems("config:\n  proxies:\n    west:\n      replicas: 7\n"), [
    `proxies.west: ${differs}`,
  ]);
  assert.deepEqual(
    problems("config: {zone: {namespace: other, cluster: {context: test, namespaceUid: x}}}"),
    ["namespace", "cluster.context", "cluster.namespaceUid"].map((path) => `zone.${path}: ${differs}`),
  );
});

test("what can't be added to is refused, and never written anew", () => {
  assert.deepEqual(problems("config: {}\nother: 1\n"), []);
  assert.deepEqual(problems("config:\n  proxies: {east: {}}\n"), [
    "config: can't be added to as it is written: give each key a line of its own, indented below its map, without braces",
  ]);
  assert.deepEqual(problems("config: 'hush\n"), ["config: expected a map"]);
  assert.deepEqual(problems("- a\n"), ["config: expected a map"]);
  assert.deepEqual(problems("config:\n  proxies:\n    secure: v1:abc\n  zone: text\n"), [
    "zone: expected a map",
  ]);
});

test("any value reads back from the YAML that is written of it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const text = `x:\n${yamlLines({ value })
        .map((line) => `  ${line}`)
        .join("\n")}\n`;
      const read = loadYaml<{ x: { value: unknown } }>(text);
      assert.deepEqual(JSON.parse(JSON.stringify(read.x.value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("words that some readers of YAML take for something else are quoted", () => {
  const words = [
    "yes",
    "Off",
    "null",
    "y",
    "1e3",
    "0x1f",
    "12:30:00",
    "2026-01-01",
    "~",
    "",
    "a: b",
    "a\u2028b",
    "-",
    "=",
    "<<",
  ];
  for (const line of yamlLines(words)) assert.match(line, /^- "/, line);
  assert.deepEqual(yamlLines({ a: "plain/path:x", b: [], c: {}, d: [["x"], { y: 1 }] }), [
    "a: plain/path:x",
    "b: []",
    "c: {}",
    "d:",
    "  - - x",
    '  - "y": 1',
  ]);
});
