import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { failedCheck } from "../../ci/drift/check.ts";
import { metrics, writeAtOnce } from "../../ci/drift/metrics.ts";
import type { Finding } from "../../ci/drift/model.ts";
import { FINDINGS, zone } from "./drift-support.ts";
import { NOW } from "./support.ts";

const SAMPLE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/;

/**
 * Reads the text format by its own rules (https://prometheus.io/docs/instrumenting/exposition_formats/): HELP and TYPE
 * once per metric and before its samples, all samples of a metric together, none twice, a line feed at the end.
 */
function parse(text: string): Map<string, number> {
  assert.ok(text.endsWith("\n"));
  const samples = new Map<string, number>();
  const told = { HELP: new Set<string>(), TYPE: new Set<string>() };
  const closed = new Set<string>();
  let current = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, word, name = ""] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (?:gauge$|\S)/.exec(line) ?? [];
    if (word === "HELP" || word === "TYPE") {
      assert.ok(!told[word].has(name), line);
      told[word].add(name);
      if (name !== current) closed.add(current);
      assert.ok(!closed.has(name), line);
      current = name;
      continue;
    }
    const sample = SAMPLE.exec(line);
    assert.ok(sample, line);
    assert.equal(sample[1], current, line);
    assert.ok(told.HELP.has(current) && told.TYPE.has(current), line);
    const key = line.slice(0, line.lastIndexOf(" "));
    assert.ok(!samples.has(key), line);
    samples.set(key, Number(sample[3]));
  }
  return samples;
}

const of = (name: string): Finding => FINDINGS[name] as Finding;
const labels = 'zone="prod-dc-east",kind="Proxy",name="dc-east"';

test("what a zone's metrics say", async () => {
  const components = [
    { kind: "Proxy", name: "dc-east", phase: "Running", tokenExpiresAt: "2026-11-28T10:00:00Z" },
    { kind: "Proxy", name: "other", phase: "Failed" },
  ];
  const samples = parse(
    await metrics([zone({ components, findings: [of("drift"), of("deleted"), of("rotation")] })], NOW),
  );
  const expected = {
    [`pulumi_proxies_token_expiry_timestamp_seconds{${labels}}`]: 1795860000,
    [`pulumi_proxies_phase{${labels},phase="Running"}`]: 1,
    [`pulumi_proxies_phase{${labels},phase="Failed"}`]: 0,
    [`pulumi_proxies_phase{${labels},phase="Deploying"}`]: 0,
    [`pulumi_proxies_drift_fields{${labels}}`]: 2,
    [`pulumi_proxies_rotation_pending{${labels}}`]: 1,
    ['pulumi_proxies_phase{zone="prod-dc-east",kind="Proxy",name="other",phase="Failed"}']: 1,
    ['pulumi_proxies_drift_fields{zone="prod-dc-east",kind="Proxy",name="other"}']: 0,
    ['pulumi_proxies_check_success{zone="prod-dc-east"}']: 1,
    ['pulumi_proxies_check_timestamp_seconds{zone="prod-dc-east"}']: 1795986000,
  };
  for (const [key, value] of Object.entries(expected)) assert.equal(samples.get(key), value, key);
  // Two components: one end of a token, six phases each, drift and rotation each; the zone's own two.
  assert.equal(samples.size, 1 + 12 + 2 + 2 + 2);
});

test("of a zone that could not be checked only that is told, and the ends of its tokens", async () => {
  const known = [
    { kind: "Proxy", name: "dc-east", phase: "Running", tokenExpiresAt: "2027-01-01T00:00:00Z" },
  ];
  const samples = parse(await metrics([failedCheck("prod-dc-east", "no cluster", known)], NOW));
  assert.deepEqual(Object.fromEntries(samples), {
    [`pulumi_proxies_token_expiry_timestamp_seconds{${labels}}`]: 1798761600,
    'pulumi_proxies_check_success{zone="prod-dc-east"}': 0,
    'pulumi_proxies_check_timestamp_seconds{zone="prod-dc-east"}': 1795986000,
  });
});

test("names that nobody would give stay inside their quotes", async () => {
  const stack = 'a"} 1\nevil{x="\\';
  const samples = parse(await metrics([zone({ stack })], NOW));
  assert.deepEqual(
    [...samples.keys()],
    [
      'pulumi_proxies_check_success{zone="a\\"} 1\\nevil{x=\\"\\\\"}',
      'pulumi_proxies_check_timestamp_seconds{zone="a\\"} 1\\nevil{x=\\"\\\\"}',
    ],
  );
});

test("the file is there as a whole, or as it was", (t) => {
  const folder = mkdtempSync(`${tmpdir()}/drift-`);
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const file = `${folder}/proxies.prom`;
  writeFileSync(file, "before\n");
  writeAtOnce(file, "after\n");
  assert.equal(readFileSync(file, "utf8"), "after\n");
  assert.deepEqual(readdirSync(folder), ["proxies.prom"]);
  assert.throws(() => {
    writeAtOnce(`${folder}/no/such/folder.prom`, "x");
  });
});
