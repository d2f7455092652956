// Causes that a warning or another step tells: repairs, losses, replacements, Secrets of ours.
import assert from "node:assert/strict";
import { test } from "node:test";
import { causeText } from "../../ci/preview/words.ts";
import { NEW, OLD, only, ROTATED, updated } from "./causes-support.ts";
import { deployment, REPAIRS, type RawDiagnostic, step, zoneOf } from "./support.ts";

const warning = (message: string): RawDiagnostic => ({
  severity: "warning",
  message: `warning: ${message}\n`,
  urn: "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy::dc-east",
});

test("a repair names fields and managers, rolls pods when it reaches into them, and is no warning besides", () => {
  const repaired = updated(deployment({}), deployment({}), [REPAIRS]);
  const added = "spec.template.spec.containers[proxy].env[HACK]";
  const told = `Deployment proxies/dc-east has fields that are not ours: ${added}, metadata.labels.x (by kubectl-set); spec.paused (by tool); this run removes them`;
  assert.deepEqual(only([repaired], [warning(told)]), [
    "1 rollout (repair of foreign edits by kubectl-set, tool)",
    "rolls pods",
    `repair of foreign edits: ${added}, metadata.labels.x (by kubectl-set); spec.paused (by tool)`,
  ]);
  const untold = only([repaired]);
  assert.deepEqual(untold, [
    "1 update (repair of foreign edits)",
    "no effect on pods",
    "repair of foreign edits",
  ]);
});

test("an edit of the stack file is told beside a repair; what the repair itself puts back is not", () => {
  const both = step("update", {
    kind: "Service",
    paths: [REPAIRS, "spec.ports[0].targetPort", "spec.type"],
  });
  const told =
    "Service proxies/dc-east has fields that are not ours: spec.ports[8080/TCP].targetPort (by kubectl-patch); this run removes them";
  assert.deepEqual(only([both], [warning(told)]), [
    "1 update (args: spec.type; repair of foreign edits by kubectl-patch)",
    "no effect on pods",
    "args: spec.type",
    "repair of foreign edits: spec.ports[8080/TCP].targetPort (by kubectl-patch)",
  ]);
});

test("foreign edits that stay are a warning, and say nothing of a change beside them", () => {
  const told =
    "Deployment proxies/dc-east has fields that are not ours: spec.template.spec.hostNetwork (by kubectl-edit); they stay, since zone.drift is warn";
  const scaled = updated(deployment({}), deployment({}, undefined, { replicas: 2 }), ["spec.replicas"]);
  assert.deepEqual(only([scaled], [warning(told)]), [
    "scales Deployment dc-east (replicas 1 -> 2), 1 warning",
    "starts or stops pods",
    "replicas 1 -> 2",
  ]);
});

test("an object that the state has and the cluster has lost", () => {
  const lost = [step("refresh", { kind: "Service" }), step("create", { kind: "Service" })];
  assert.deepEqual(only(lost), [
    "creates Service dc-east (is gone from the cluster)",
    "creates",
    "is gone from the cluster",
  ]);
});

test("a replacement is one change, however many steps tell it", () => {
  const steps = ["create-replacement", "replace", "delete-replaced"].map((op) =>
    step(op, { kind: "Service" }),
  );
  assert.deepEqual(only(steps), ["REPLACES Service dc-east", "replaces"]);
  assert.deepEqual(only(steps.filter(({ op }) => op !== "replace")), [
    "REPLACES Service dc-east",
    "replaces",
  ]);
});

test("a Secret of ours is no change of its own when its Deployment rolls for it, and one when it does not", () => {
  const secret = step("update", {
    kind: "Secret",
    name: "dc-east-config-token",
    old: { data: "[secret]" },
    paths: ["data.configToken"],
  });
  const own = { secret: "dc-east-config-token" };
  const rolled = updated(
    deployment({ "Secret/dc-east-config-token": { configToken: "a" } }, OLD, own),
    deployment({ "Secret/dc-east-config-token": { configToken: "b" } }, NEW, own),
    ROTATED,
  );
  const { headline, counts, entries } = zoneOf([secret, rolled]);
  assert.equal(headline, "1 rollout (config token rotated, valid until 2027-02-27)");
  assert.deepEqual([counts.rollouts, counts.updates], [1, 0]);
  assert.deepEqual(
    entries[0]?.changes.map(({ kind, partOf, causes }) => [kind, partOf, causes.map(causeText)]),
    [
      ["Deployment", undefined, ["config token rotated (Secret dc-east-config-token, key configToken)"]],
      ["Secret", "Deployment dc-east", ["data from the stack file: key configToken"]],
    ],
  );
  assert.deepEqual(only([secret]), [
    "1 update (data from the stack file: key configToken)",
    "no effect on pods",
    "data from the stack file: key configToken",
  ]);
});
