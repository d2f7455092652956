import assert from "node:assert/strict";
import { test } from "node:test";
import { summaryLine } from "../../ci/preview/headline.ts";
import { exitCode, type ZoneReport } from "../../ci/preview/model.ts";
import { failedZone } from "../../ci/preview/zone.ts";
import { CHECKSUM, deployment, DIGESTS, EXPIRES, fixture, reportOf, step, zoneOf } from "./support.ts";

const FIXTURES: [string, string, number][] = [
  ["same", "no change", 0],
  ["rotate-both", "2 rollouts (2 config tokens rotated, valid until 2027-02-27)", 2],
  [
    "drift",
    "1 rollout (repair of foreign edits by kubectl-set), 2 other updates (repair of foreign edits by kubectl-label; repair of foreign edits by kubectl-patch)",
    2,
  ],
  ["lost-service", "creates Service dc-east (is gone from the cluster)", 2],
  ["replace", "REPLACES Service dc-east", 3],
  [
    "edit-delete",
    "DELETES Proxy dc-west (4 objects), 1 rollout (image hub.omnitrustregistry.com/ilm/proxy:1.0.0 -> hub.omnitrustregistry.com/ilm/proxy:1.0.1; replicas 1 -> 2)",
    3,
  ],
  [
    "bad-file",
    'preview failed: pulumi-proxies:proxies.dc-east: unknown field "replicaz"; did you mean "replicas"?',
    1,
  ],
];

for (const [name, headline, code] of FIXTURES) {
  test(`a preview of the CLI, both shapes: ${name}`, () => {
    const zone = reportOf(fixture(`${name}.json`));
    assert.deepEqual(reportOf(fixture(`${name}.events`)), zone);
    assert.equal(zone.stack, "prod-dc-east");
    assert.equal(zone.headline, headline);
    assert.equal(exitCode([zone]), code);
  });
}

const rename = (zone: ZoneReport, stack: string): ZoneReport => ({ ...zone, stack });
const changed = rename(reportOf(fixture("rotate-both.json")), "b");
const deletes = rename(reportOf(fixture("edit-delete.json")), "c");
const replaces = rename(reportOf(fixture("replace.json")), "d");
const failed = failedZone("e", "no stack named 'e' found\nmore");
const quiet = (count: number): ZoneReport[] =>
  Array.from({ length: count }, (_, index) => rename(reportOf(fixture("same.json")), `q${index}`));

test("exit codes over all zones", () => {
  assert.equal(exitCode([]), 0);
  assert.equal(exitCode(quiet(2)), 0);
  assert.equal(exitCode([...quiet(1), changed]), 2);
  assert.equal(exitCode([changed, deletes]), 3);
  assert.equal(exitCode([changed, replaces]), 3);
  assert.equal(exitCode([changed, failed, deletes]), 1);
  assert.equal(exitCode([deletes, changed], "replace"), 3);
  assert.equal(exitCode([replaces, changed], "replace"), 1);
});

test("the first line: what is lost comes first, few quiet zones by name, many as a number", () => {
  assert.equal(summaryLine([]), "no zones");
  assert.equal(
    summaryLine([changed, ...quiet(1)]),
    `b: 2 rollouts (2 config tokens rotated, valid until 2027-02-27); q0: no change`,
  );
  assert.equal(
    summaryLine([...quiet(12), changed, deletes, replaces, failed]),
    `e: preview failed: no stack named 'e' found; d: REPLACES Service dc-east; c: ${deletes.headline}; b: ${changed.headline}; 12 zones: no change`,
  );
});

test("the first line stays a line with very many zones", () => {
  const many = Array.from({ length: 200 }, (_, index) => rename(changed, `zone-${index}`));
  const line = summaryLine(many);
  assert.ok(line.length < 2000);
  const named = line.split("; zone-").length;
  assert.ok(line.endsWith(`and ${200 - named} more zones with changes, warnings or failures`));
});

test("a component that is made or goes as a whole is one entry with the number of its objects", () => {
  const kinds = ["Proxy", "Deployment", "Service", "NetworkPolicy"];
  const created = zoneOf(kinds.map((kind) => step("create", { kind })));
  assert.equal(created.headline, "creates Proxy dc-east (3 objects)");
  assert.equal(created.counts.creates, 3);
  assert.equal(created.entries[0]?.whole, "creates");
  const gone = zoneOf(kinds.map((kind) => step("delete", { kind })));
  assert.equal(gone.headline, "DELETES Proxy dc-east (3 objects)");
  assert.equal(exitCode([gone]), 3);
  const partly = zoneOf(kinds.slice(1).map((kind) => step("delete", { kind })));
  assert.equal(partly.headline, "DELETES Deployment dc-east, NetworkPolicy dc-east, Service dc-east");
  assert.equal(zoneOf([step("delete", { kind: "Proxy" })]).headline, "DELETES Proxy dc-east");
});

test("several rollouts: tokens as a number with the end that comes first, other causes once each", () => {
  const rotated = (proxy: string, expires: string): ReturnType<typeof step> =>
    step("update", {
      kind: "Deployment",
      proxy,
      old: deployment({ "Secret/dc-east-config": { configToken: "a" } }, "2026-12-01T00:00:00Z"),
      new: deployment({ "Secret/dc-east-config": { configToken: "b" } }, expires),
      paths: [CHECKSUM, DIGESTS, EXPIRES],
    });
  const image = step("update", {
    kind: "Deployment",
    proxy: "z",
    old: deployment({}),
    new: deployment({}, undefined, { image: "hub/proxy:2" }),
    paths: ["spec.template.spec.containers[0].image"],
  });
  assert.equal(
    zoneOf([image, rotated("a", "2027-03-01T00:00:00Z"), rotated("b", "2027-02-27T00:00:00Z")]).headline,
    "3 rollouts (2 config tokens rotated, valid until 2027-02-27 at the earliest; image hub/proxy:1 -> hub/proxy:2)",
  );
});

test("a zone that fails tells its error and nothing else", () => {
  const zone = zoneOf(
    [step("create", { kind: "Service" })],
    [
      { severity: "warning", message: "warning: beside\n" },
      { severity: "error", message: "error: it broke\nhere\n" },
    ],
  );
  assert.deepEqual([zone.headline, zone.entries, zone.warnings], ["preview failed: it broke", [], []]);
});

test("warnings of the run stand in the headline even without changes, each once", () => {
  const urn = "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy::dc-east";
  const told = { severity: "warning", message: "warning: the config token expires soon\n", urn };
  const zone = zoneOf(
    [step("same", { kind: "Stack" })],
    [told, told, { severity: "info", message: "not told" }],
  );
  assert.equal(zone.headline, "no change, 1 warning");
  assert.deepEqual(zone.warnings, [
    { message: "the config token expires soon", component: { kind: "Proxy", name: "dc-east" } },
  ]);
});
