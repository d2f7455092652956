import assert from "node:assert/strict";
import { test } from "node:test";
import type { ManagedFieldsEntry } from "../../components/cluster/cluster.ts";
import { type Foreign, foreignFields } from "../../components/cluster/ownership.ts";
import { entry, envItem, inContainer, managed, OURS, PROXY_ITEM, SIDECAR_ITEM } from "./managed.ts";

const nobody = () => false;

const rows: { what: string; entries: ManagedFieldsEntry[]; expected: Foreign[] }[] = [
  { what: "an object that only we wrote", entries: [OURS], expected: [] },
  {
    what: "fields that we own as well",
    entries: [OURS, entry("kubectl", { "f:spec": { "f:replicas": {} } })],
    expected: [],
  },
  {
    what: "an appended variable, named as such and not by each of its fields",
    entries: [
      OURS,
      entry(
        "kubectl-set",
        inContainer({ "f:env": { [envItem("EVIL")]: { ".": {}, "f:name": {}, "f:value": {} } } }),
      ),
    ],
    expected: [{ manager: "kubectl-set", paths: ["spec.template.spec.containers[proxy].env[EVIL]"] }],
  },
  {
    what: "a whole sidecar",
    entries: [
      OURS,
      entry(
        "injector",
        inContainer(
          { ".": {}, "f:name": {}, "f:image": {}, "f:ports": { 'k:{"containerPort":1}': { "f:x": {} } } },
          SIDECAR_ITEM,
        ),
      ),
    ],
    expected: [{ manager: "injector", paths: ["spec.template.spec.containers[sidecar]"] }],
  },
  {
    what: "a label",
    entries: [OURS, entry("kubectl-label", { "f:metadata": { "f:labels": { "f:example.com/team": {} } } })],
    expected: [{ manager: "kubectl-label", paths: ['metadata.labels["example.com/team"]'] }],
  },
  {
    what: "a value of ours that kubectl set took over",
    entries: [
      entry("pulumi-proxies", inContainer({ ".": {}, "f:name": {} }), { operation: "Apply" }),
      entry("kubectl-set", inContainer({ "f:image": {} })),
    ],
    expected: [{ manager: "kubectl-set", paths: ["spec.template.spec.containers[proxy].image"] }],
  },
  {
    what: "a variable's value taken over in an item that is ours",
    entries: [
      entry("pulumi-proxies", inContainer({ "f:env": { [envItem("A")]: { ".": {}, "f:name": {} } } }), {
        operation: "Apply",
      }),
      entry("kubectl-set", inContainer({ "f:env": { [envItem("A")]: { "f:value": {} } } })),
    ],
    expected: [{ manager: "kubectl-set", paths: ["spec.template.spec.containers[proxy].env[A].value"] }],
  },
  {
    what: "a field in a container of ours that we don't declare",
    entries: [OURS, entry("kubectl-edit", inContainer({ "f:lifecycle": {} }))],
    expected: [{ manager: "kubectl-edit", paths: ["spec.template.spec.containers[proxy].lifecycle"] }],
  },
  {
    what: "elements of an atomic list of ours",
    entries: [OURS, entry("x", inContainer({ "f:args": { "i:1": {} } }))],
    expected: [],
  },
  {
    what: "status, scale and other subresources",
    entries: [
      OURS,
      entry(
        "kube-controller-manager",
        { "f:metadata": { "f:annotations": { "f:deployment.kubernetes.io/revision": {} } } },
        { subresource: "status" },
      ),
      entry("vpa", { "f:spec": { "f:other": {} } }, { subresource: "scale" }),
    ],
    expected: [],
  },
  {
    what: "several managers, each with its paths sorted",
    entries: [
      OURS,
      entry("b", { "f:spec": { "f:z": {}, "f:a": {} } }),
      entry("a", { "f:metadata": { "f:labels": { "f:x": {} } } }),
      entry("b", { "f:spec": { "f:m": {} } }, { operation: "Apply" }),
    ],
    expected: [
      { manager: "b", paths: ["spec.a", "spec.m", "spec.z"] },
      { manager: "a", paths: ["metadata.labels.x"] },
    ],
  },
  {
    what: "an empty rule that opens a NetworkPolicy",
    entries: [
      entry("pulumi-proxies", { "f:spec": { "f:podSelector": {} } }),
      entry("kubectl-edit", { "f:spec": { "f:ingress": {} } }),
    ],
    expected: [{ manager: "kubectl-edit", paths: ["spec.ingress"] }],
  },
  {
    what: "a manager without a name",
    entries: [OURS, { operation: "Update", fieldsV1: { "f:spec": { "f:x": {} } } }],
    expected: [{ manager: "unknown", paths: ["spec.x"] }],
  },
  {
    what: "a manager whose name only starts like ours",
    entries: [OURS, entry("pulumi-proxies-2", { "f:spec": { "f:x": {} } })],
    expected: [{ manager: "pulumi-proxies-2", paths: ["spec.x"] }],
  },
  { what: "an entry without fields", entries: [OURS, { manager: "x", operation: "Update" }], expected: [] },
];

for (const { what, entries, expected } of rows) {
  test(`${expected.length === 0 ? "nothing foreign" : "drift"}: ${what}`, () => {
    assert.deepEqual(foreignFields(managed(...entries), nobody), expected);
  });
}

test("an object without any field managers has nothing foreign", () => {
  assert.deepEqual(foreignFields({ metadata: { name: "x" } }, nobody), []);
});

test("the allow-list decides by manager and by path of each leaf", () => {
  const asked: string[] = [];
  const fields = { "f:spec": { "f:paused": {}, "f:minReadySeconds": {}, "f:replicas": {} } };
  const foreign = foreignFields(managed(OURS, entry("kubectl-rollout", fields)), (manager, path) => {
    asked.push(`${manager} ${path.join("/")}`);
    return path.at(-1) === "f:paused";
  });
  assert.deepEqual(foreign, [{ manager: "kubectl-rollout", paths: ["spec.minReadySeconds"] }]);
  assert.deepEqual(asked, ["kubectl-rollout f:spec/f:paused", "kubectl-rollout f:spec/f:minReadySeconds"]);
});

test("both entries of our manager count as ours", () => {
  const object = managed(
    entry("pulumi-proxies", { "f:spec": { "f:a": {} } }, { operation: "Apply" }),
    entry("pulumi-proxies", { "f:spec": { "f:b": {} } }),
    entry("kubectl", { "f:spec": { "f:a": {}, "f:b": {} } }),
  );
  assert.deepEqual(foreignFields(object, nobody), []);
});

test("the item itself is named once, however many of its fields are foreign", () => {
  const object = managed(OURS, entry("x", inContainer({ "f:a": {}, "f:b": { "f:c": {} } }, SIDECAR_ITEM)));
  assert.deepEqual(foreignFields(object, nobody), [
    { manager: "x", paths: ["spec.template.spec.containers[sidecar]"] },
  ]);
  assert.notEqual(PROXY_ITEM, SIDECAR_ITEM);
});
