import assert from "node:assert/strict";
import { test } from "node:test";
import { printable, readReport } from "../../components/connector/health-report.ts";
import { CANARY } from "./support.ts";

const read = (body: string) => readReport(Buffer.from(body));
const summaryOf = (report: unknown) => read(JSON.stringify(report))?.summary;

test("components of version 2 and parts of version 1 that are not up are named, sorted", () => {
  const components = {
    queue: { status: "UNKNOWN" },
    cache: { status: "UP" },
    db: { status: "DOWN", details: { host: CANARY } },
    ping: { status: "ok" },
  };
  const expected = "the connector reports DOWN; not up: db (DOWN), queue (UNKNOWN)";
  assert.equal(summaryOf({ status: "DOWN", components }), expected);
  assert.equal(summaryOf({ status: "DOWN", parts: components }), expected);
  assert.equal(
    summaryOf({ status: "nok", parts: { db: { status: "nok", description: CANARY } }, description: CANARY }),
    "the connector reports nok; not up: db (nok)",
  );
});

test("nothing but names and statuses is ever said", () => {
  const body = {
    status: "DEGRADED",
    components: {
      db: { status: "DOWN", details: { [CANARY]: CANARY }, components: { x: { status: CANARY } } },
    },
    groups: [CANARY],
    details: { error: CANARY },
    [CANARY]: { status: "DOWN" },
  };
  const summary = summaryOf(body) ?? "";
  assert.equal(summary, "the connector reports DEGRADED; not up: db (DOWN)");
  assert.doesNotMatch(summary, new RegExp(CANARY));
});

test("ten components are named, the others counted", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${1000 + i}`, { status: "DOWN" }]));
  const ten = summaryOf({ status: "DOWN", components: many(10) }) ?? "";
  assert.match(ten, /c1009 \(DOWN\)$/);
  const eleven = summaryOf({ status: "DOWN", components: many(11) }) ?? "";
  assert.equal(eleven, `${ten} and 1 more`);
  const all = summaryOf({ status: "DOWN", components: many(2000) }) ?? "";
  assert.equal(all, `${ten} and 1990 more`);
});

test("components that are none of the expected kind say no more than that", () => {
  const cases: [components: unknown, said: string][] = [
    [null, ""],
    [[], ""],
    ["db", ""],
    [7, ""],
    [{}, ""],
    [{ db: null }, "; not up: db (without a status)"],
    [{ db: "DOWN" }, "; not up: db (without a status)"],
    [{ db: { status: 1 } }, "; not up: db (without a status)"],
    [{ db: { status: ["UP"] } }, "; not up: db (without a status)"],
    [{ db: { status: "FATAL" } }, "; not up: db (FATAL)"],
    [{ "": { status: "DOWN" } }, "; not up:  (DOWN)"],
    [
      { constructor: { status: "DOWN" }, toString: {} },
      "; not up: constructor (DOWN), toString (without a status)",
    ],
  ];
  for (const [components, said] of cases)
    assert.equal(summaryOf({ status: "UP", components }), `the connector reports UP${said}`);
});

test("a body that is no report is none", () => {
  const bodies = [
    "",
    "UP",
    '"UP"',
    "null",
    "[]",
    '[{"status":"UP"}]',
    "{}",
    '{"status":null}',
    '{"status":200}',
    '{"status":["UP"]}',
    '{"status":"up"}',
    '{"status":"UP "}',
    '{"Status":"UP"}',
    '{"status":"constructor"}',
    '{"status":"__proto__"}',
    '{"__proto__":{"status":"UP"}}',
    '{"status":"UP"} {"status":"DOWN"}',
    '{"status":"UP"',
    '\u{feff}{"status":"UP"}',
    "<html><body>UP</body></html>",
    "[".repeat(1_000_000),
    `${'{"status":'.repeat(100_000)}"UP"${"}".repeat(100_000)}`,
  ];
  for (const body of bodies) assert.equal(read(body), undefined, body.slice(0, 40));
  assert.equal(readReport(Buffer.from([0xff, 0xfe, 0x7b])), undefined);
});

test("a report stays one, whatever else it holds", () => {
  const deep = `${"[".repeat(400_000)}${"]".repeat(400_000)}`;
  assert.equal(read(`{"deep":${deep},"status":"UP"}`)?.reason, "Up");
  assert.equal(read('{"status":"DOWN","status":"UP"}')?.reason, "Up", "the last of two counts");
  const proto = read(
    '{"status":"DOWN","components":{"__proto__":{"status":"DOWN"},"db":{"__proto__":{"status":"UP"}}}}',
  );
  assert.equal(proto?.summary, "the connector reports DOWN; not up: __proto__ (DOWN), db (without a status)");
  assert.equal(({} as Record<string, unknown>)["status"], undefined);
  assert.equal(read(` {"status" : "UP"}${" ".repeat(1_000_000)}`)?.reason, "Up");
});

test("a long name or status is clipped at 128 bytes, between two characters", () => {
  assert.equal(printable("x".repeat(128)), "x".repeat(128));
  assert.equal(printable("x".repeat(129)), `${"x".repeat(125)}…`);
  assert.equal(printable("ü".repeat(64)), "ü".repeat(64));
  assert.equal(printable("ü".repeat(65)), `${"ü".repeat(62)}…`);
  assert.equal(printable("€".repeat(43)), `${"€".repeat(41)}…`);
  assert.equal(printable("😀".repeat(32)), "😀".repeat(32));
  assert.equal(printable("😀".repeat(33)), `${"😀".repeat(31)}…`);
  assert.equal(printable(`x${"😀".repeat(64)}`), `x${"😀".repeat(31)}…`);
  for (const text of ["x", "ü", "€", "😀", "\u0007", "\ud800"].map((unit) => unit.repeat(1_000_000))) {
    const clipped = printable(text);
    assert.ok(Buffer.byteLength(clipped) <= 128 && clipped.endsWith("…") && clipped.isWellFormed());
  }
  const name = "n".repeat(65_536);
  const summary = summaryOf({ status: "DOWN", components: { [name]: { status: name } } }) ?? "";
  assert.equal(summary, `the connector reports DOWN; not up: ${"n".repeat(125)}… (${"n".repeat(125)}…)`);
});

test("nothing in a name or status steers a terminal or turns a line", () => {
  const hostile = "a\u001b[2Jb\r\nc\u0000d\u0085e\u009bf\u2028g\u2029h\u202ei\u2066j\u200bk\ufeffl\ud800m";
  assert.equal(
    printable(hostile),
    "a\ufffd[2Jb\ufffd\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh\ufffdi\ufffdj\ufffdk\ufffdl\ufffdm",
  );
  const summary = summaryOf({ status: "DOWN", components: { [hostile]: { status: hostile } } }) ?? "";
  assert.doesNotMatch(summary, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
});
