import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldSet } from "../../components/cluster/cluster.ts";
import { covers, formatPath, leaves, partition, union } from "../../components/cluster/fields.ts";

const PROXY = 'k:{"name":"proxy"}';
const SIDECAR = 'k:{"name":"sidecar"}';

const set: FieldSet = {
  "f:metadata": { "f:labels": { ".": {}, "f:a": {}, "f:b": {} } },
  "f:spec": { "f:replicas": {}, "f:containers": { [PROXY]: { ".": {}, "f:image": {}, "f:args": {} } } },
};

test("leaves are the paths without markers", () => {
  assert.deepEqual(leaves(set), [
    ["f:metadata", "f:labels", "f:a"],
    ["f:metadata", "f:labels", "f:b"],
    ["f:spec", "f:replicas"],
    ["f:spec", "f:containers", PROXY, "f:image"],
    ["f:spec", "f:containers", PROXY, "f:args"],
  ]);
});

test("what is owned as such, and nothing in it, is a leaf itself", () => {
  assert.deepEqual(leaves({ "f:labels": { ".": {} }, "f:containers": { [PROXY]: { ".": {} } } }), [
    ["f:labels"],
    ["f:containers", PROXY],
  ]);
});

test("nothing has no leaves", () => {
  assert.deepEqual(leaves({}), []);
  assert.deepEqual(leaves({ ".": {} }), []);
});

test("a union holds every leaf and marker of each set", () => {
  const merged = union([
    { "f:spec": { "f:containers": { [PROXY]: { ".": {}, "f:image": {} } } } },
    { "f:spec": { "f:containers": { [PROXY]: { "f:env": {} }, [SIDECAR]: { ".": {} } }, "f:paused": {} } },
  ]);
  assert.deepEqual(merged, {
    "f:spec": {
      "f:containers": { [PROXY]: { ".": {}, "f:image": {}, "f:env": {} }, [SIDECAR]: { ".": {} } },
      "f:paused": {},
    },
  });
});

test("a union of nothing is empty, of one set that set, and changes neither", () => {
  assert.deepEqual(union([]), {});
  const before = structuredClone(set);
  const merged = union([set, { "f:spec": { "f:new": {} } }]);
  assert.deepEqual(union([set]), set);
  assert.deepEqual(set, before);
  assert.ok(covers(merged, ["f:spec", "f:new"]));
});

const coverage: [boolean, string, FieldSet, string[]][] = [
  [true, "a leaf of it", set, ["f:spec", "f:replicas"]],
  [true, "a branch of it", set, ["f:spec", "f:containers", PROXY]],
  [true, "a field under an atomic one", set, ["f:spec", "f:containers", PROXY, "f:args", "f:x"]],
  [false, "a neighbour of its leaves", set, ["f:spec", "f:paused"]],
  [false, "another item of a list", set, ["f:spec", "f:containers", SIDECAR]],
  [false, "another field of an item", set, ["f:spec", "f:containers", PROXY, "f:env"]],
  [false, "a field in a map that it owns only as such", { "f:labels": { ".": {} } }, ["f:labels", "f:a"]],
  [true, "a map that it owns as such", { "f:labels": { ".": {} } }, ["f:labels"]],
  [false, "anything when it is empty", {}, ["f:spec"]],
];

for (const [covered, what, fields, path] of coverage) {
  test(`a set ${covered ? "covers" : "does not cover"} ${what}`, () => {
    assert.equal(covers(fields, path), covered);
  });
}

test("a partition puts each leaf on one side, and the markers with the rest that needs them", () => {
  const { chosen, rest } = partition(set, (path) => path.at(-1) === "f:b" || path.at(-1) === "f:image");
  assert.deepEqual(chosen, {
    "f:metadata": { "f:labels": { "f:b": {} } },
    "f:spec": { "f:containers": { [PROXY]: { "f:image": {} } } },
  });
  assert.deepEqual(rest, {
    "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
    "f:spec": { "f:replicas": {}, "f:containers": { [PROXY]: { ".": {}, "f:args": {} } } },
  });
});

test("a partition loses and doubles no leaf", () => {
  for (const pick of [0, 1, 2, 3, 4]) {
    const target = JSON.stringify(leaves(set)[pick]);
    const { chosen, rest } = partition(set, (path) => JSON.stringify(path) === target);
    assert.deepEqual(
      leaves(chosen).map((path) => JSON.stringify(path)),
      [target],
    );
    assert.deepEqual(
      leaves(union([chosen, rest]))
        .map(String)
        .sort(),
      leaves(set).map(String).sort(),
    );
    assert.equal(leaves(chosen).length + leaves(rest).length, leaves(set).length);
  }
});

test("a partition of everything leaves nothing, not even empty branches", () => {
  assert.deepEqual(partition(set, () => true).rest, {});
  assert.deepEqual(partition(set, () => false).chosen, {});
});

test("a list item that is owned as such goes as a whole, marker included", () => {
  const item: FieldSet = { "f:finalizers": { ".": {}, 'v:"x"': {} }, "f:list": { [PROXY]: { ".": {} } } };
  const { chosen, rest } = partition(item, (path) => path[0] === "f:list");
  assert.deepEqual(chosen, { "f:list": { [PROXY]: { ".": {} } } });
  assert.deepEqual(rest, { "f:finalizers": { ".": {}, 'v:"x"': {} } });
});

const texts: [string[], string][] = [
  [["f:spec", "f:replicas"], "spec.replicas"],
  [["f:metadata", "f:labels", "f:team"], "metadata.labels.team"],
  [["f:metadata", "f:labels", "f:example.com/team"], 'metadata.labels["example.com/team"]'],
  [["f:spec", "f:containers", PROXY, "f:image"], "spec.containers[proxy].image"],
  [["f:spec", "f:ports", 'k:{"port":8080,"protocol":"TCP"}', "f:port"], "spec.ports[8080/TCP].port"],
  [["f:metadata", "f:finalizers", 'v:"example.com/secret"'], "metadata.finalizers[]"],
  [["f:spec", "f:list", "i:3", "f:x"], "spec.list[].x"],
  [["f:data", "f:ca.crt"], 'data["ca.crt"]'],
  [["f:with-dash_9"], "with-dash_9"],
];

for (const [path, text] of texts) {
  test(`a path is written ${text}`, () => {
    assert.equal(formatPath(path), text);
  });
}
