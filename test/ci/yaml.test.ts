// YAML of people, as the commands read it: like the engine, and without quoting it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "../../ci/yaml.ts";

const CANARY = "c4n4ry-s3cr3t";
const read = (text: string): unknown => parseYaml("Pulumi.zone.yaml", text);

test("a file in which there is nothing says nothing", () => {
  for (const text of ["", "\n# a comment\n", "null", "~"]) assert.equal(read(text), undefined);
});

test("aliases and merge keys are what they stand for, as with the engine", () => {
  const common = "common: &common { replicas: 2, drift: warn }\nmore: &more { drift: repair, x: 1 }\n";
  const { proxies } = read(
    `${common}proxies:\n  a: { <<: *common, drift: y }\n  b: { <<: [*common, *more] }\n  c: *common\n`,
  ) as { proxies: unknown };
  assert.deepEqual(proxies, {
    a: { replicas: 2, drift: "y" },
    b: { replicas: 2, drift: "warn", x: 1 },
    c: { replicas: 2, drift: "warn" },
  });
});

test("a merge key with something else than maps stays what it is: an unknown field", () => {
  assert.deepEqual(read("a: { <<: 5, b: 1 }"), { a: { "<<": 5, b: 1 } });
});

test("a key with a meaning to JavaScript is one like any other", () => {
  const value = read("__proto__: { polluted: true }") as object;
  assert.deepEqual(Object.keys(value), ["__proto__"]);
  assert.equal("polluted" in value, false);
});

test("what is no YAML is told by its line, and not repeated", () => {
  const secret = `a: 1\nb: {${CANARY}\nc: 2\n`;
  assert.throws(() => read(secret), /^Error: Pulumi\.zone\.yaml: line \d+ is no YAML$/);
  for (const text of [`a: *${CANARY}`, `a: !${CANARY} x`, `${CANARY}: 1\n${CANARY}: 2`, "[".repeat(10_000)])
    assert.throws(() => read(text), /^Error: Pulumi\.zone\.yaml: (line \d+|it) is no YAML$/);
});

test("aliases that have no end, or none that a memory could hold, are one line", () => {
  const level = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(", ")}]\n`;
  const bomb = "abcdefghi"
    .split("")
    .map((name, index, all) => level(name, index === 0 ? "x" : `*${all[index - 1] ?? ""}`));
  for (const text of ["a: &a { b: *a }", "a: &a [*a]", "a: &a\n  <<: *a", bomb.join("")])
    assert.throws(
      () => read(text),
      /^Error: Pulumi\.zone\.yaml: its aliases refer to themselves, or come to too many values$/,
    );
});
