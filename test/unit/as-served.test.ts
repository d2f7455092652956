import assert from "node:assert/strict";
import { test } from "node:test";
import { asServed } from "../../components/cluster/as-served.ts";

const rows: [what: string, manifest: unknown, served: unknown, shown: unknown][] = [
  ["a quantity in its canonical form", { cpu: "0.5" }, { cpu: "500m" }, { cpu: "500m" }],
  [
    "no zero that the API server leaves out",
    { delay: 0, name: "a", value: "" },
    { name: "a" },
    { name: "a" },
  ],
  [
    "a zero that it keeps",
    { replicas: 0, on: false },
    { replicas: 0, on: false },
    { replicas: 0, on: false },
  ],
  ["nothing that it adds", { name: "a" }, { name: "a", uid: "u" }, { name: "a" }],
  [
    "the items of lists by their place",
    { env: [{ name: "a", value: "" }, { name: "b" }] },
    { env: [{ name: "a" }, { name: "b", more: 1 }] },
    { env: [{ name: "a" }, { name: "b" }] },
  ],
  [
    "a list that was lengthened as it was written",
    { containers: [{ cpu: "0.5" }] },
    { containers: [{ cpu: "1" }, { cpu: "500m" }] },
    { containers: [{ cpu: "0.5" }] },
  ],
  ["a list that is none any more as it was written", { list: ["a"] }, { list: "a" }, { list: ["a"] }],
  ["an empty map", { emptyDir: {} }, { emptyDir: {} }, { emptyDir: {} }],
];

for (const [what, manifest, served, shown] of rows) {
  test(`a manifest as the API server writes it has ${what}`, () => {
    const before = structuredClone(manifest);
    assert.deepEqual(asServed(manifest, served), shown);
    assert.deepEqual(manifest, before);
  });
}
