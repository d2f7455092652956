// docs/status.md is written by hand: it names all that the code can say, and nothing that it can't.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Finding, askHealth, healthOf, NOT_ASKED } from "../../components/connector/health.ts";
import { readReport } from "../../components/connector/health-report.ts";
import type { Outcome } from "../../components/connector/registration/outcome.ts";
import { connectorStatus } from "../../components/connector/status.ts";
import { proxyStatus, type ProxyFacts } from "../../components/proxy/status.ts";
import { DEADLINE, live, NO_PODS, PAUSED, PROGRESSING, ROLLED_OUT } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/status.md");

function section(title: string): string {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  assert.ok(text, `docs/status.md has a section "${title}"`);
  return text;
}

/** What stands in a column of a section's table, as code; the head and the line below it left out. */
function codes(title: string, column: number): string[] {
  const rows = section(title)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return rows
    .slice(2)
    .flatMap((row) => [...(row.split("|")[column] ?? "").matchAll(/`(\w+)`/g)].map(([, code = ""]) => code));
}

const MISSING: ProxyFacts["references"] = { outcome: "missing", reason: "MissingKey", message: "m" };
const references = [
  { outcome: "found" } as const,
  f.MISSING_SECRET,
  f.MISSING_CONFIG_MAP,
  f.MISSING_KEY,
  MISSING,
  f.UNREADABLE,
];
const deployments = [ROLLED_OUT, PROGRESSING, DEADLINE, NO_PODS, PAUSED].flatMap((condition) =>
  [0, 1, 2].flatMap((desired) =>
    [0, 1, 2].flatMap((ready) =>
      [0, desired].flatMap((updated) =>
        [true, false].map((terminating) =>
          f.found(live(ready, desired, { updated, terminating, conditions: [condition] })),
        ),
      ),
    ),
  ),
);

const never = (): never => {
  throw new Error("nobody should be asked");
};
const REPORTS = ["UP", "DEGRADED", "DOWN", "OUT_OF_SERVICE", "UNKNOWN"].flatMap(
  (status) => readReport(Buffer.from(JSON.stringify({ status }))) ?? [],
);
const FINDINGS: Finding[] = [
  ...REPORTS.map((report): Finding => ({ path: "/", found: "report", report })),
  { path: "/", found: "no report", code: 404 },
  { path: "/", found: "no answer", detail: "d" },
];
const OUTCOMES: Outcome[] = [
  { outcome: "waiting" },
  { outcome: "registered", uuid: "u" },
  { outcome: "rejected", code: 400 },
];

/** Everything that a status can say, over all combinations of what it depends on. */
const phases = new Set<string>();
const reasons = new Set<string>();
const said = new Set<string>();
for (const reference of references)
  for (const deployment of [f.ABSENT, f.UNKNOWN, ...deployments])
    for (const tokenExpiresAt of [undefined, f.PAST, "2027-01-01T00:00:01Z", f.FUTURE])
      for (const serviceMonitor of ["unwanted", "yes", "no", "unknown"] as const) {
        const facts = { references: reference, live: deployment, tokenExpiresAt, serviceMonitor };
        const { phase, conditions } = proxyStatus(f.facts(facts));
        phases.add(phase);
        for (const { type, reason } of conditions) {
          said.add(type);
          reasons.add(reason);
        }
      }

for (const healthy of [
  undefined,
  await askHealth({}, false, never),
  NOT_ASKED,
  ...FINDINGS.map((one) => healthOf([one])),
])
  for (const outcome of OUTCOMES) {
    const registration = { outcome, changed: [] };
    for (const { type, reason } of connectorStatus({ ...f.facts(), healthy, registration }).conditions) {
      said.add(type);
      reasons.add(reason);
    }
  }

const sorted = (words: Iterable<string>): string[] => [...new Set(words)].sort();

test("the page names exactly the phases that there are", () => {
  assert.deepEqual(sorted(codes("Phases", 1)), sorted(phases));
});

test("the page names exactly the conditions that there are", () => {
  assert.deepEqual(sorted(codes("Conditions", 1)), sorted(said));
});

test("the page names exactly the reasons that there are", () => {
  assert.deepEqual(sorted(codes("Conditions", 3)), sorted(reasons));
});

test("no reason in the code is beyond the combinations of this test", () => {
  const code = [
    "proxy/status.ts",
    "proxy/token.ts",
    "workload/status.ts",
    "connector/status.ts",
    "connector/health.ts",
    "connector/health-report.ts",
  ]
    .map((file) => read(`components/${file}`))
    .join("\n");
  const written = [...code.matchAll(/reason: "(\w+)"/g)].map(([, reason = ""]) => reason);
  assert.ok(written.length > 10, "the code still writes reasons in this way");
  for (const reason of written) assert.ok(reasons.has(reason), reason);
});

test("every event of the operator has its place", () => {
  const expected = {
    Proxy: [
      "Deleting",
      "MissingSecret",
      "MissingConfigMap",
      "MissingTokenKey",
      "ConfigTokenExpired",
      "NetworkPolicyNotOwned",
    ],
    Connector: [
      "Deployed",
      "Recovered",
      "Updated",
      "Degraded",
      "Registered",
      "RegistrationFailed",
      "MissingSecret",
      "MissingConfigMap",
      "NetworkPolicyNotOwned",
      "Deleting",
      "ConfigChanged",
    ],
  };
  const rows = section("Where the operator's events went")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  for (const [kind, events] of Object.entries(expected))
    for (const event of events) {
      const row = rows.find(([, cell = ""]) => cell.startsWith(`${kind}:`) && cell.includes(`\`${event}\``));
      assert.ok(row, `${kind}: ${event}`);
      assert.ok((row[2] ?? "").length > 10, `${kind}: ${event} says what takes its place`);
    }
});
