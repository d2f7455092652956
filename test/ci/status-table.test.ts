import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { byUrgency, count, summaryLine } from "../../ci/status/order.ts";
import { type Row, rowsOf, unreadableZone } from "../../ci/status/rows.ts";
import { table, wantsColours } from "../../ci/status/table.ts";
import { at, NOW, proxy, ZONES } from "./status-fleet.ts";

const FLEET: Row[] = byUrgency([
  ...Object.entries(ZONES).flatMap(([zone, outputs]) => rowsOf(zone, outputs, NOW)),
  unreadableZone("prod-mars", 'no stack named "prod-mars" found'),
]);
const plain = { now: NOW, wide: false, colours: false };

test("the table, the most urgent first", () => {
  assert.equal(
    table(FLEET, plain),
    `\
ZONE               KIND   NAME             PHASE       VERSION     READY  TOKEN-EXPIRES        WARNINGS
prod-mars          Zone   -                Unreadable  -           -      -                    no stack named "prod-mars" found
prod-dc-west       Proxy  dc-west          Failed      1.4.2       0      2027-01-08 (40d)     MissingSecret: Secret "dc-west-config" not found
prod-dc-west       Proxy  dc-west-standby  Running     1.4.2       2      2026-11-20 (9d ago)  ConfigTokenExpired: the config token expired at 2026-11-20T12:00:00Z
staging-dc-north   Zone   -                NotApplied  -           -      -                    nothing was applied yet
prod-partner-site  Proxy  partner          Updating    1.4.2       1      2027-02-28 (91d)     Updating: 1/2 replicas ready
staging-dc-east    Proxy  dc-east-a        Running     1.5.0-rc.1  2      2026-12-02 (3d)      ConfigTokenExpiring: the config token expires at 2026-12-02T16:48:00Z
prod-dc-east       Proxy  dc-east-b        Running     1.4.2       2      2026-12-08 (9d)      ConfigTokenExpiring: the config token expires at 2026-12-08T12:00:00Z
prod-lab           Proxy  lab-new          Running     1.4.2       2      2026-12-29 (30d)     -
prod-dc-east       Proxy  dc-east-a        Running     1.4.2       2      2027-02-27 (90d)     -
prod-partner-site  Proxy  partner-b        Running     1.4.2       2      2027-03-02 (93d)     -
prod-lab           Proxy  lab              Running     1.4.2       2      2028-04-12 (500d)    -
prod-lab           Proxy  lab-endless      Running     1.4.2       2      -                    -
prod-dc-east       Proxy  dc-east-c        ScaledDown  1.4.2       0      2027-06-17 (200d)    -
`,
  );
  assert.equal(
    summaryLine(count(FLEET)),
    "7 zones, 11 components: 1 Failed, 1 Updating, 8 Running, 1 ScaledDown, 1 token expired, 2 tokens about to expire, 1 zone unreadable",
  );
});

test("wide adds checksum and conditions, and whole versions", () => {
  const version = `sha256:${"ab".repeat(32)}`;
  const rows = rowsOf("z", { proxies: { p: proxy({ days: 90, version }) } }, NOW);
  assert.equal(
    table(rows, { ...plain, wide: true, columns: 40 }),
    `\
ZONE  KIND   NAME  PHASE    VERSION                                                                  READY  TOKEN-EXPIRES     CHECKSUM      CONDITIONS                                                                                                                   WARNINGS
z     Proxy  p     Running  ${version}  2      2027-02-27 (90d)  0123456789ab  Progressing=False/DeploymentComplete,Available=AllReplicasReady,Degraded=False/Running,TokenExpiring=False/ConfigTokenValid  -
`,
  );
  assert.match(table(rows, plain), / sha256:abababababab {2}2 /);
});

/** Phase, token and warnings -> rows that are more urgent come first; equal ones by the token's end, zone and name. */
test("urgency", () => {
  const row = (name: string, more: Partial<Row> = {}): Row => ({
    zone: "z",
    kind: "Proxy",
    name,
    phase: "Running",
    token: "valid",
    conditions: [],
    warnings: [],
    ...more,
  });
  const ordered = [
    row("", { kind: "Zone", phase: "Unreadable" }),
    row("shape", { phase: "Unreadable" }),
    row("failed-too", { phase: "Failed", token: "expired", tokenExpiresAt: at(-1) }),
    row("failed", { phase: "Failed" }),
    row("expired-down", { phase: "ScaledDown", token: "expired", tokenExpiresAt: at(-9) }),
    row("expired", { token: "expired", tokenExpiresAt: at(-8) }),
    row("unknown", { phase: "Unknown" }),
    row("deploying", { phase: "Deploying", zone: "a" }),
    row("updating", { phase: "Updating", zone: "b" }),
    row("expiring", { token: "expiring", tokenExpiresAt: at(3) }),
    row("warned", { warnings: ["ServiceMonitorCRDNotInstalled: x"] }),
    row("soon", { tokenExpiresAt: at(20) }),
    row("late", { tokenExpiresAt: at(21) }),
    row("a"),
    row("b"),
    row("a", { zone: "zz" }),
    row("down", { phase: "ScaledDown" }),
  ];
  assert.deepEqual(byUrgency(ordered.toReversed()), ordered);
});

test("colours are for terminals of people who want them", () => {
  assert.equal(wantsColours({ isTTY: true }, {}), true);
  assert.equal(wantsColours({ isTTY: true }, { NO_COLOR: "" }), true);
  assert.equal(wantsColours({ isTTY: true }, { NO_COLOR: "1" }), false);
  assert.equal(wantsColours({}, { FORCE_COLOR: "1" }), false);
  const coloured = table(FLEET, { ...plain, colours: true });
  assert.ok(coloured.includes("\x1b[31mFailed\x1b[39m"));
  assert.ok(coloured.includes("\x1b[33m2026-12-02 (3d)\x1b[39m"));
  assert.equal(stripVTControlCharacters(coloured), table(FLEET, plain));
});

test("on a terminal no line is longer than it is broad", () => {
  for (const columns of [1, 20, 80, 120]) {
    const lines = table(FLEET, { ...plain, columns })
      .trimEnd()
      .split("\n");
    assert.equal(lines.length, FLEET.length + 1);
    for (const line of lines) assert.ok(line.length <= columns, `${line.length}: ${line}`);
  }
});

test("text from elsewhere commands no terminal and breaks no line", () => {
  const nasty = "a\x1b[2J\x07\nb\u202ec\x9b1m";
  const rows = rowsOf(
    "z",
    { proxies: { [nasty]: proxy({ degraded: [nasty, nasty], version: nasty }) } },
    NOW,
  );
  const text = table([...rows, unreadableZone(nasty, nasty)], { ...plain, wide: true });
  assert.equal(text.trimEnd().split("\n").length, 3);
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});
