import assert from "node:assert/strict";
import { test } from "node:test";
import { objectLabels, selectorLabels } from "../../components/workload/labels.ts";
import { identity, LABELS, SELECTOR } from "./support.ts";

test("selector labels are the operator's three, so that its Deployments can be taken over", () => {
  assert.deepEqual(selectorLabels(identity), SELECTOR);
});

test("selector labels leave out who manages the object", () => {
  assert.equal("app.kubernetes.io/managed-by" in selectorLabels(identity), false);
});

test("the label of the kind is named after the component", () => {
  assert.deepEqual(selectorLabels({ ...identity, component: "connector" }), {
    "app.kubernetes.io/name": "dc-east",
    "app.kubernetes.io/component": "connector",
    "otilm.com/connector": "dc-east",
  });
});

test("objects carry the selector labels and who manages them", () => {
  assert.deepEqual(objectLabels(identity), LABELS);
});

test("labels of the zone are added to objects, never to the selector", () => {
  const labelled = { ...identity, labels: { "app.kubernetes.io/part-of": "network-zones" } };
  assert.deepEqual(objectLabels(labelled), { ...LABELS, "app.kubernetes.io/part-of": "network-zones" });
  assert.deepEqual(selectorLabels(labelled), SELECTOR);
});

test("labels of the zone cannot replace the workload's own", () => {
  const spoofed = Object.fromEntries(Object.keys(LABELS).map((key) => [key, "spoofed"]));
  assert.deepEqual(objectLabels({ ...identity, labels: spoofed }), LABELS);
});
