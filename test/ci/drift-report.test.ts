import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { afterFix, failedCheck } from "../../ci/drift/check.ts";
import { driftDocument } from "../../ci/drift/document.ts";
import { headlineOf, summaryLine } from "../../ci/drift/headline.ts";
import { markdown, MARKER } from "../../ci/drift/markdown.ts";
import { canMend, exitCode, type Finding, type ZoneCheck } from "../../ci/drift/model.ts";
import { readOptions } from "../../ci/drift/options.ts";
import { LIMIT } from "../../ci/preview/fit.ts";
import { FINDINGS, zone } from "./drift-support.ts";
import { NOW } from "./support.ts";

const finding = (name: string, more: Partial<Finding> = {}): Finding => ({
  ...(FINDINGS[name] as Finding),
  ...more,
});

const REGISTRATION: Finding = {
  kind: "registration pending",
  what: "the platform is still to be asked to register the connector",
  todo: "`pulumi up` asks the platform (--fix)",
  mendable: true,
};

test("a zone in one line", () => {
  const table: [ZoneCheck, string][] = [
    [zone(), "clean"],
    [failedCheck("z", "no stack named 'z' found\nmore"), "could not be checked: no stack named 'z' found"],
    [zone({ findings: [finding("drift")] }), "drift (Deployment dc-east; by kubectl-scale)"],
    [zone({ findings: [finding("rotation")] }), "rotation pending (Deployment dc-east)"],
    [
      zone({ findings: [{ ...REGISTRATION, component: { kind: "Connector", name: "x509" } }] }),
      "registration pending (Connector x509)",
    ],
    [
      zone({ findings: [finding("expired"), finding("deleted")] }),
      "1 token EXPIRED (Proxy dc-east), deleted (Service dc-east)",
    ],
    [
      zone({ mended: [finding("drift")] }),
      "clean, after a fix of drift (Deployment dc-east; by kubectl-scale)",
    ],
    [
      zone({ findings: [finding("expired")], mended: [] }),
      "1 token EXPIRED (Proxy dc-east), after a fix that mended nothing",
    ],
    [
      zone({ findings: [finding("expired", { kind: "phase", what: "Failed: MissingSecret: x" })] }),
      "Proxy dc-east Failed",
    ],
  ];
  for (const [given, expected] of table) assert.equal(headlineOf(given), expected);
});

test("the answer over all zones, and the exit code", () => {
  const failed = failedCheck("broken", "no cluster");
  const drifted = zone({ stack: "drifted", findings: [finding("drift")] });
  const clean = zone({ stack: "tidy" });
  assert.equal(
    summaryLine([clean, drifted, failed]),
    "broken: could not be checked: no cluster; drifted: drift (Deployment dc-east; by kubectl-scale); tidy: clean",
  );
  assert.equal(summaryLine(["a", "b", "c", "d"].map((stack) => zone({ stack }))), "4 zones: clean");
  assert.deepEqual(
    [[clean], [clean, drifted], [drifted, failed], [failed], []].map((zones) => exitCode(zones)),
    [0, 2, 1, 1, 0],
  );
  assert.equal(exitCode([zone({ mended: [finding("drift")] })]), 0);
});

test("a run is for what it can mend, and tells what is left", () => {
  assert.deepEqual(
    [
      zone(),
      zone({ findings: [finding("expired")] }),
      zone({ findings: [finding("expired"), finding("drift")] }),
    ].map(canMend),
    [false, false, true],
  );
  const before = zone({ findings: [finding("drift"), finding("expired")] });
  const after = zone({ findings: [finding("expired")] });
  const done = afterFix(before, { code: 0, stdout: "", stderr: "" }, after);
  assert.deepEqual(
    done.mended?.map(({ kind }) => kind),
    ["drift"],
  );
  assert.deepEqual(done.findings, after.findings);
  const stdout =
    "Diagnostics:\n  pulumi:pulumi:Stack (x):\n    error: update failed\n  Proxy (p):\n    error: p: out of quota\n";
  const failed = afterFix(before, { code: 255, stdout, stderr: "" }, before);
  assert.deepEqual(
    [failed.findings[0]?.kind, failed.findings[0]?.what, failed.mended],
    ["fix failed", "p: out of quota", []],
  );
  assert.match(headlineOf(failed), /^FIX FAILED \(p: out of quota\), /);
});

test("an update that was interrupted says whether it left a lock; one that came to its end all the same is none", () => {
  const before = zone({ stack: "x", findings: [finding("drift")] });
  const fixed = (code: number, killed: boolean) =>
    afterFix(before, { code, stdout: "", stderr: "", interrupted: { why: "no end", killed } }, before)
      .findings;
  assert.deepEqual(
    [fixed(8, false)[0]?.what, fixed(8, false)[0]?.todo],
    ["`pulumi up` was interrupted: no end", "`pulumi up` goes on where it stopped; it left no lock"],
  );
  assert.deepEqual(
    [fixed(1, true)[0]?.what, fixed(1, true)[0]?.todo],
    [
      "`pulumi up` was killed: no end",
      "`pulumi cancel --stack x` takes away the lock that it may have left; then `pulumi up` goes on",
    ],
  );
  assert.deepEqual(fixed(0, false), before.findings);
});

test("the whole report", () => {
  const report = markdown([zone({ stack: "tidy" }), zone({ findings: [finding("drift")], notes: ["look"] })]);
  assert.equal(
    report,
    [
      "prod-dc-east: drift (Deployment dc-east; by kubectl-scale); tidy: clean",
      "",
      MARKER,
      "",
      "<details open>",
      "<summary><code>prod-dc-east</code>: drift (Deployment dc-east; by kubectl-scale)</summary>",
      "",
      "| Finding | Component | Object | What | What to do |",
      "| --- | --- | --- | --- | --- |",
      "| **drift** | <code>Proxy dc-east</code> | <code>Deployment dc-east</code> | spec.replicas (by kubectl-scale at 2026-11-29T20:30:00Z) | pulumi up puts it back (--fix) |",
      "",
      "- warning: look",
      "",
      "</details>",
      "",
    ].join("\n"),
  );
});

test("whatever a manager or a path is called, it is text; and the report has room", () => {
  const evil = "@team <script> | [x](y) \u202e\n# h";
  const bad = finding("drift", {
    what: evil,
    todo: evil,
    component: { kind: "Proxy", name: evil },
    object: { kind: "Service", name: evil },
    edits: [{ paths: [evil], manager: evil }],
  });
  const report = markdown([
    zone({ stack: evil, findings: [bad], mended: [bad], notes: [evil], failure: evil }),
  ]);
  assert.doesNotMatch(report, /<script|@team|\[x\]|\u202e|^# h/m);
  const row = report.split("\n").find((line) => line.startsWith("| **drift**")) ?? "";
  assert.equal(row.match(/\|/g)?.length, 6);
  const many = Array.from({ length: 300 }, (_, index) =>
    zone({ stack: `zone-${index}`, findings: Array.from({ length: 20 }, () => finding("drift")) }),
  );
  const long = markdown(many);
  assert.ok(Buffer.byteLength(long) <= LIMIT);
  assert.match(long, /\*\*Shortened for GitHub: [\d,]+ lines/);
});

test("the document for programs", () => {
  const checked = zone({
    findings: [finding("drift")],
    components: [{ kind: "Proxy", name: "dc-east", phase: "Running" }],
  });
  const what = "spec.replicas (by kubectl-scale at 2026-11-29T20:30:00Z)";
  assert.deepEqual(driftDocument([checked], NOW), {
    schemaVersion: 1,
    generatedAt: "2026-11-29T21:00:00Z",
    summary: "prod-dc-east: drift (Deployment dc-east; by kubectl-scale)",
    exitCode: 2,
    zones: [
      {
        zone: "prod-dc-east",
        status: "findings",
        headline: "drift (Deployment dc-east; by kubectl-scale)",
        failure: null,
        findings: [
          {
            zone: "prod-dc-east",
            kind: "drift",
            component: { kind: "Proxy", name: "dc-east" },
            object: { kind: "Deployment", name: "dc-east" },
            what,
            todo: "`pulumi up` puts it back (--fix)",
            mendable: true,
            edits: [{ paths: ["spec.replicas"], manager: "kubectl-scale", time: "2026-11-29T20:30:00Z" }],
          },
        ],
        fix: null,
        components: [{ kind: "Proxy", name: "dc-east", phase: "Running", tokenExpiresAt: null }],
        warnings: [],
      },
    ],
  });
});

test("the command line", () => {
  assert.deepEqual(readOptions(["--stack", "a", "b", "--fix", "--concurrency", "2", "--metrics", "m.prom"]), {
    stacks: ["a", "b"],
    all: false,
    concurrency: 2,
    timeout: 10,
    json: undefined,
    markdown: undefined,
    metrics: "m.prom",
    fix: true,
    fixTimeout: 30,
  });
  const table: [string[], string][] = [
    [["--fux"], "there is no option --fux; did you mean --fix? --help names them all"],
    [["prod"], '"prod" belongs to no option: give --stack before it'],
    [["--all", "--concurrency", "0"], "--concurrency takes a number from 1 to 999"],
    [
      ["--all", "--fix-timeout", "1h"],
      "--fix-timeout takes minutes, such as 10 or 0.5, above 0 and below 10000",
    ],
  ];
  for (const [args, message] of table) assert.throws(() => readOptions(args), { message });
  const program = fileURLToPath(new URL("../../ci/drift.ts", import.meta.url));
  const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  const help = run("--help");
  assert.equal(help.status, 0);
  assert.match(help.stdout, /Exit codes: 0 clean, 2 findings/);
  const none = run("--stack", "prod-dc-eest");
  assert.deepEqual(
    [none.status, none.stderr],
    [1, 'error: there is no stacks/Pulumi.prod-dc-eest.yaml; did you mean "prod-dc-east"?\n'],
  );
});
