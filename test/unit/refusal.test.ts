import assert from "node:assert/strict";
import { test } from "node:test";
import { ownershipAnnotations, refusal } from "../../components/children/owner.ts";
import { DEPLOYMENTS, type KubeObject } from "../../components/cluster/cluster.ts";

const US = "pulumi-proxies/prod-dc-east/Proxy/dc-east";
const OTHER = "pulumi-proxies/prod-dc-west/Proxy/dc-east";

function live(metadata: Partial<KubeObject["metadata"]>): KubeObject {
  return { metadata: { name: "dc-east", namespace: "proxies", ...metadata } };
}

const owned = (owner: string) => ({ annotations: { "pulumi-proxies.dev/owner": owner } });
const operator = { apiVersion: "otilm.com/v1alpha1", kind: "Proxy", name: "dc-east", controller: true };

test("what is ours is ours, with and without adopt", () => {
  for (const adopt of [true, false])
    assert.equal(refusal(DEPLOYMENTS, live(owned(US)), [US], adopt), undefined);
});

test("what another stack owns is refused, with and without adopt, with every way out", () => {
  for (const adopt of [true, false]) {
    const reason = refusal(DEPLOYMENTS, live(owned(OTHER)), [US], adopt) ?? "";
    assert.match(
      reason,
      /^Deployment proxies\/dc-east belongs to pulumi-proxies\/prod-dc-west\/Proxy\/dc-east: /,
    );
    assert.match(reason, /another name/);
    assert.match(reason, /pulumi state delete/);
  }
});

test("what carries a former name of the stack is ours", () => {
  assert.equal(refusal(DEPLOYMENTS, live(owned(OTHER)), [US, OTHER], false), undefined);
});

test("an owner that only starts like us is another", () => {
  assert.ok(refusal(DEPLOYMENTS, live(owned(`${US}-2`)), [US], true));
  assert.ok(refusal(DEPLOYMENTS, live(owned("")), [US], true));
});

test("what nobody controls is refused, and the message names adopt", () => {
  const reason = refusal(DEPLOYMENTS, live({}), [US], false) ?? "";
  assert.match(reason, /^Deployment proxies\/dc-east exists and is not ours: /);
  assert.match(reason, /another name/);
  assert.match(reason, /adopt: true/);
});

test("what nobody controls is taken over with adopt", () => {
  assert.equal(refusal(DEPLOYMENTS, live({}), [US], true), undefined);
  assert.equal(refusal(DEPLOYMENTS, live({ annotations: { other: "x" } }), [US], true), undefined);
});

test("what a controller owns is refused, with and without adopt, and the message says how to let go of it", () => {
  for (const adopt of [true, false]) {
    const reason = refusal(DEPLOYMENTS, live({ ownerReferences: [operator] }), [US], adopt) ?? "";
    assert.match(reason, /^Deployment proxies\/dc-east belongs to Proxy dc-east/);
    assert.match(reason, /-n proxies --cascade=orphan/);
    assert.match(reason, /adopt: true/);
  }
});

test("the command that lets go names the kind with its group: `proxy` alone may be OpenShift's", () => {
  const reason = refusal(DEPLOYMENTS, live({ ownerReferences: [operator] }), [US], true) ?? "";
  assert.match(reason, /kubectl delete prox(y|ies)\.otilm\.com dc-east -n proxies --cascade=orphan/);
});

test("a controller counts before another owner's annotation", () => {
  const reason =
    refusal(DEPLOYMENTS, live({ ...owned(OTHER), ownerReferences: [operator] }), [US], true) ?? "";
  assert.match(reason, /--cascade=orphan/);
});

test("a controller counts before our own annotation: deleting it would delete what is ours", () => {
  for (const adopt of [true, false]) {
    const ours = live({ ...owned(US), ownerReferences: [operator] });
    assert.match(refusal(DEPLOYMENTS, ours, [US], adopt) ?? "", /--cascade=orphan/);
  }
});

test("what is still being deleted is refused, whoever owns it", () => {
  for (const metadata of [owned(US), owned(OTHER), {}]) {
    const dying = live({ ...metadata, deletionTimestamp: "2027-01-01T00:00:00Z" });
    assert.match(
      refusal(DEPLOYMENTS, dying, [US], true) ?? "",
      /is still being deleted: run again when it is gone/,
    );
  }
});

test("an owner reference that controls nothing does not hinder adoption", () => {
  const reference = { ...operator, controller: false };
  assert.equal(refusal(DEPLOYMENTS, live({ ownerReferences: [reference] }), [US], true), undefined);
  const silent = { apiVersion: operator.apiVersion, kind: operator.kind, name: operator.name };
  assert.equal(refusal(DEPLOYMENTS, live({ ownerReferences: [silent] }), [US], true), undefined);
});

test("a refusal is one line", () => {
  for (const object of [live({}), live(owned(OTHER)), live({ ownerReferences: [operator] })]) {
    assert.equal((refusal(DEPLOYMENTS, object, [US], false) ?? "\n").includes("\n"), false);
  }
});

test("every owned object is applied by force under one field manager for ever", () => {
  assert.deepEqual(ownershipAnnotations(US), {
    "pulumi-proxies.dev/owner": US,
    "pulumi.com/patchForce": "true",
    "pulumi.com/patchFieldManager": "pulumi-proxies",
  });
});
