import assert from "node:assert/strict";
import { test } from "node:test";
import { isAmbiguous } from "../../ci/drift/findings.ts";
import {
  CHECKSUM,
  deployment,
  DIGESTS,
  fixture,
  KEY_ID,
  REPAIRS,
  reportOf,
  step,
  zoneOf,
} from "./support.ts";
import { brief, entry, found, live } from "./drift-support.ts";
import { statesOf } from "../../ci/drift/states.ts";
import type { Row } from "../../ci/status/rows.ts";

const PROXY = "Proxy dc-east";
const DEPLOYMENT = "Deployment dc-east";
const AT = "2026-11-29T20:30:00Z";
const quiet = zoneOf([]);

test("what others wrote: fields, manager and time, of each writer by itself", () => {
  const message =
    "Deployment proxies/dc-east has fields that are not ours: metadata.labels.x (by kubectl-label); this run removes them";
  const report = zoneOf(
    [step("update", { kind: "Deployment", paths: [REPAIRS] })],
    [{ severity: "warning", message }],
  );
  const objects = [
    live("Deployment", [
      entry("kubectl-label", { "f:metadata": { "f:labels": { "f:x": {} } } }),
      entry(
        "kubectl-edit",
        { "f:metadata": { "f:labels": { "f:y": {}, "f:z": {} } } },
        { time: "2026-11-29T20:31:00Z" },
      ),
      entry("kube-controller-manager", { "f:status": { "f:replicas": {} } }, { subresource: "status" }),
      entry("helper", { "f:metadata": { "f:finalizers": {} } }),
    ]),
  ];
  assert.equal(isAmbiguous({ report, objects }), false);
  assert.deepEqual(found(report, objects), [
    [
      "drift",
      PROXY,
      DEPLOYMENT,
      `metadata.labels.x (by kubectl-label at ${AT}); metadata.labels.y, metadata.labels.z (by kubectl-edit at 2026-11-29T20:31:00Z)`,
      true,
    ],
  ]);
});

test("what stays since the zone only warns is drift that no run mends; what may stay is none", () => {
  const edit = entry("tool", { "f:metadata": { "f:labels": { "f:x": {} } } });
  assert.deepEqual(found(quiet, [live("Service", [edit])]), [
    ["drift", PROXY, "Service dc-east", `metadata.labels.x (by tool at ${AT})`, false],
  ]);
  assert.deepEqual(found(quiet, [live("Service", [edit], { allow: ["tool"] })]), []);
  assert.deepEqual(found(quiet, [live("Service", [edit], { stack: "another" })]), []);
});

test("a rotation is no drift, and needs no second look", () => {
  const rotated = zoneOf([
    step("update", {
      kind: "Deployment",
      old: deployment({ "Secret/dc-east-config": { configToken: "a" } }),
      new: deployment({ "Secret/dc-east-config": { configToken: "b" } }),
      paths: [CHECKSUM, DIGESTS],
    }),
  ]);
  assert.equal(isAmbiguous({ report: rotated, objects: [live("Deployment", [])] }), false);
  assert.deepEqual(found(rotated, [live("Deployment", [])]), [
    [
      "rotation pending",
      PROXY,
      DEPLOYMENT,
      "config token rotated (Secret dc-east-config, key configToken)",
      true,
    ],
  ]);
});

test("another key of the checksums is what the stack file says differently, no rotation", () => {
  const made = (digest: string, keyId: string) =>
    deployment({ "Secret/dc-east-config": { configToken: digest } }, undefined, { keyId });
  const rekeyed = zoneOf([
    step("update", {
      kind: "Deployment",
      old: made("a", "none"),
      new: made("b", "bbbbbbbb"),
      paths: [CHECKSUM, DIGESTS, KEY_ID],
    }),
  ]);
  assert.deepEqual(found(rekeyed, [live("Deployment", [])], rekeyed), [
    ["args pending", PROXY, DEPLOYMENT, "checksumKey added", true],
  ]);
});

test("both secret routes of a real preview are told once each", () => {
  const report = reportOf(fixture("rotate-both.json"));
  assert.equal(isAmbiguous({ report, objects: [] }), false);
  const kinds = found(report, []).map(([kind, component, object]) => [kind, component, object]);
  assert.ok(kinds.length >= 2);
  assert.deepEqual(new Set(kinds.map(([kind]) => kind)), new Set(["rotation pending"]));
  assert.equal(new Set(kinds.map(([, component]) => component)).size, kinds.length);
});

test("a forged digest is drift, not a rotation", () => {
  const forged = zoneOf([
    step("update", {
      kind: "Deployment",
      old: deployment({ "Secret/dc-east-config": { configToken: "forged" } }),
      new: deployment({ "Secret/dc-east-config": { configToken: "a" } }),
      paths: [DIGESTS, REPAIRS],
    }),
  ]);
  const field = { "f:metadata": { "f:annotations": { "f:pulumi-proxies.dev/reference-digests": {} } } };
  const objects = [live("Deployment", [entry("kubectl-annotate", field)])];
  assert.equal(isAmbiguous({ report: forged, objects }), true);
  const repair = zoneOf([step("update", { kind: "Deployment", old: deployment({}), paths: [REPAIRS] })]);
  assert.deepEqual(found(forged, objects, repair), [
    [
      "drift",
      PROXY,
      DEPLOYMENT,
      `metadata.annotations["pulumi-proxies.dev/reference-digests"] (by kubectl-annotate at ${AT})`,
      true,
    ],
  ]);
});

test("args and hands are told apart by a preview that does not look at the cluster", () => {
  const update = (paths: string[], replicas: number) =>
    step("update", {
      kind: "Deployment",
      old: deployment({}),
      new: deployment({}, undefined, { replicas }),
      paths,
    });
  const both = zoneOf([update(["spec.replicas", 'metadata.labels["app"]'], 2)]);
  assert.equal(isAmbiguous({ report: both, objects: [live("Deployment", [])] }), true);
  const args = zoneOf([update(["spec.replicas"], 2)]);
  const unknown = 'metadata.labels["app"] (removed, or changed by nobody who is known)';
  assert.deepEqual(found(both, [live("Deployment", [])], args), [
    ["drift", PROXY, DEPLOYMENT, unknown, true],
    ["args pending", PROXY, DEPLOYMENT, "replicas 1 -> 2", true],
  ]);
  assert.deepEqual(found(args, [live("Deployment", [])], args), [
    ["args pending", PROXY, DEPLOYMENT, "replicas 1 -> 2", true],
  ]);
  // `kubectl scale` writes by a subresource, which is nobody's drift by itself.
  const byScale = entry("kubectl", { "f:spec": { "f:replicas": {} } }, { subresource: "scale" });
  const unowned = { "f:spec": { "f:template": {} } };
  const scaled = [live("Deployment", [byScale], { ours: unowned })];
  const drift = ["drift", PROXY, DEPLOYMENT, `spec.replicas (by kubectl at ${AT})`, true];
  assert.deepEqual(found(args, scaled, quiet), [drift]);
  assert.deepEqual(found(args, scaled, args), [
    drift,
    ["args pending", PROXY, DEPLOYMENT, "replicas 1 -> 2", true],
  ]);
});

test("deleted objects, and what is made, deleted, replaced or not known", () => {
  assert.deepEqual(
    found(reportOf(fixture("lost-service.json")), [])
      .map(([kind, , object]) => [kind, object])
      .slice(0, 1),
    [["deleted", "Service dc-east"]],
  );
  const report = zoneOf([
    step("create", { kind: "Proxy", proxy: "new" }),
    step("create", { kind: "Service", proxy: "new" }),
    step("delete", { kind: "NetworkPolicy" }),
    step("replace", { kind: "Service", paths: ["spec.clusterIP"] }),
    step("surprise", { kind: "Deployment" }),
  ]);
  assert.deepEqual(found(report, []), [
    ["args pending", PROXY, DEPLOYMENT, "unknown operation surprise", true],
    ["args pending", PROXY, "NetworkPolicy dc-east", "is to be DELETED", true],
    ["args pending", PROXY, "Service dc-east", "is to be REPLACED: args: spec.clusterIP", true],
    ["args pending", "Proxy new", "-", "is not made yet (1 object)", true],
  ]);
});

const row = (parts: Partial<Row>): Row => ({
  zone: "z",
  kind: "Proxy",
  name: "dc-east",
  phase: "Running",
  token: "none",
  conditions: [],
  warnings: [],
  ...parts,
});
const component = { kind: "Proxy", name: "dc-east" };
const states = (rows: Row[], messages: string[] = []) =>
  statesOf(
    rows,
    messages.map((message) => ({ message, component })),
  );

test("phases, tokens and warnings", () => {
  const table: [Row, string[], [string, string, boolean][]][] = [
    [row({}), [], []],
    [row({ phase: "ScaledDown" }), [], []],
    [
      row({ phase: "Deploying", warnings: ["Deploying: 0/2 replicas ready"] }),
      [],
      [["phase", "Deploying: 0/2 replicas ready", false]],
    ],
    [
      row({}),
      ['MissingSecret: Secret "x" not found'],
      [["phase", 'Failed: MissingSecret: Secret "x" not found', false]],
    ],
    [
      row({ token: "expiring", tokenExpiresAt: "2026-12-01T00:00:00Z" }),
      [
        "ConfigTokenExpiring: the config token expires at 2026-12-01T00:00:00Z; have a new one issued and put it in place before",
      ],
      [["token expiring", "the config token expires at 2026-12-01T00:00:00Z", false]],
    ],
    [
      row({ token: "expired", tokenExpiresAt: "2026-11-01T00:00:00Z" }),
      [],
      [
        [
          "token expired",
          "the config token of the pods expired at 2026-11-01T00:00:00Z; the one in place is another",
          true,
        ],
      ],
    ],
    [row({}), ["ReferenceUnreadable: forbidden"], [["warning", "ReferenceUnreadable: forbidden", false]]],
    [
      row({}),
      ["Service ns/x has fields that are not ours: a (by b); they stay, since zone.drift is warn"],
      [],
    ],
  ];
  for (const [given, messages, expected] of table) {
    assert.deepEqual(
      states([given], messages).findings.map(({ kind, what, mendable }) => [kind, what, mendable]),
      expected,
    );
  }
  const missing = states([row({})], ['MissingSecret: Secret "x" not found']);
  assert.equal(missing.components[0]?.phase, "Failed");
  const first = states([row({ kind: "Zone", name: "", phase: "NotApplied" })], ["MissingSecret: gone"]);
  assert.deepEqual(brief(first.findings), [["warning", PROXY, "-", "MissingSecret: gone", false]]);
  assert.deepEqual(statesOf([], [{ message: "about the zone" }]).notes, ["about the zone"]);
});
