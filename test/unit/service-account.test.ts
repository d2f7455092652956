import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceAccountSpec } from "../../components/workload/pod-specs.ts";
import { renderServiceAccount, serviceAccountName } from "../../components/workload/serviceaccount.ts";
import { identity, LABELS, render } from "./support.ts";

const rows: [string, ServiceAccountSpec | undefined, metadata: object][] = [
  ["without anything", undefined, { name: "dc-east" }],
  ["with an empty block", {}, { name: "dc-east" }],
  ["with a name", { name: "shared.account" }, { name: "shared.account" }],
  [
    "with annotations",
    { annotations: { "example.com/role": "arn:x" } },
    { name: "dc-east", annotations: { "example.com/role": "arn:x" } },
  ],
  [
    "with name and annotations",
    { name: "shared", annotations: { a: "b" } },
    { name: "shared", annotations: { a: "b" } },
  ],
];

for (const [what, spec, metadata] of rows) {
  test(`an account ${what} has the component's labels, and no key more`, () => {
    assert.deepEqual(renderServiceAccount(identity, spec), {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { namespace: "proxies", labels: LABELS, ...metadata },
    });
  });
}

test("the pods run under the account that is named, else under the component's own", () => {
  assert.equal(serviceAccountName("dc-east", undefined), "dc-east");
  assert.equal(serviceAccountName("dc-east", { name: undefined }), "dc-east");
  assert.equal(serviceAccountName("dc-east", { name: "shared" }), "shared");
  for (const name of ["dc-east", "shared"]) {
    const all = render({ serviceAccount: { name } });
    assert.equal(all.serviceAccount.metadata.name, name);
    assert.equal(all.deployment.spec.template.spec.serviceAccountName, name);
  }
});

test("the zone's labels reach an account of another name", () => {
  const zoned = { ...identity, labels: { zone: "east" } };
  assert.deepEqual(renderServiceAccount(zoned, { name: "shared" }).metadata.labels, {
    ...LABELS,
    zone: "east",
  });
});
