import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../../ci/status/rows.ts";
import { conditionWord } from "../../ci/status/words.ts";
import { at, NOW, proxy } from "./status-fleet.ts";

const one = (output: unknown) => {
  const [row, ...more] = rowsOf("z", { proxies: { p: output } }, NOW);
  assert.ok(row !== undefined && more.length === 0);
  return row;
};

test("a row says what the output says", () => {
  const { conditions, ...row } = one(proxy({ days: 90 }));
  assert.deepEqual(row, {
    zone: "z",
    kind: "Proxy",
    name: "p",
    phase: "Running",
    version: "1.4.2",
    ready: 2,
    tokenExpiresAt: "2027-02-27T12:00:00Z",
    token: "valid",
    configChecksum: "0123456789abcdef".repeat(4),
    warnings: [],
  });
  assert.deepEqual(
    conditions.map(({ type }) => type),
    ["Progressing", "Available", "Degraded", "TokenExpiring"],
  );
});

const tokens: { when: string; output: object; token: string; warnings: string[] }[] = [
  { when: "it says nothing of its end", output: proxy(), token: "none", warnings: [] },
  {
    when: "the run found it within its warning",
    output: proxy({ days: 3 }),
    token: "expiring",
    warnings: [`ConfigTokenExpiring: the config token expires at ${at(3)}`],
  },
  {
    when: "the run found it expired",
    output: proxy({ days: -3, degraded: ["ConfigTokenExpired", "gone"] }),
    token: "expired",
    warnings: ["ConfigTokenExpired: gone"],
  },
  {
    when: "it was valid at the run and has expired since",
    output: { ...proxy({ days: 90 }), tokenExpiresAt: at(-1) },
    token: "expired",
    warnings: [`ConfigTokenExpired: the config token expired at ${at(-1)}, after the last run`],
  },
  {
    when: "it was within its warning at the run and has expired since",
    output: { ...proxy({ days: 3 }), tokenExpiresAt: at(-1) },
    token: "expired",
    warnings: [`ConfigTokenExpired: the config token expired at ${at(-1)}, after the last run`],
  },
];
for (const { when, output, token, warnings } of tokens) {
  test(`the token when ${when}`, () => {
    const row = one(output);
    assert.equal(row.token, token);
    assert.deepEqual(row.warnings, warnings);
  });
}

const malformed: { outputs: unknown; phase: string; warning: string }[] = [
  { outputs: "text", phase: "Unreadable", warning: "its outputs are no map" },
  { outputs: null, phase: "Unreadable", warning: "its outputs are no map" },
  { outputs: [], phase: "Unreadable", warning: "its outputs are no map" },
  { outputs: {}, phase: "NotApplied", warning: "nothing was applied yet" },
  { outputs: { other: 1 }, phase: "NotApplied", warning: "nothing was applied yet" },
  { outputs: { proxies: "[secret]" }, phase: "Unreadable", warning: "output proxies: it is a secret" },
  { outputs: { proxies: ["a"] }, phase: "Unreadable", warning: "output proxies: it is no map" },
  {
    outputs: { proxies: { p: "[secret]" } },
    phase: "Unreadable",
    warning: "the output has another shape: p: Invalid input: expected object, received string",
  },
  {
    outputs: { proxies: { p: { phase: 7, conditions: "none" } } },
    phase: "Unreadable",
    warning:
      "the output has another shape: phase: Invalid input: expected string, received number; " +
      "conditions: Invalid input: expected array, received string",
  },
  {
    outputs: { proxies: { p: { phase: "Running", tokenExpiresAt: "soon" } } },
    phase: "Unreadable",
    warning: "the output has another shape: tokenExpiresAt: expected a time (RFC 3339)",
  },
  {
    outputs: { proxies: { p: { phase: "Running", conditions: [{ type: "Available" }] } } },
    phase: "Unreadable",
    warning:
      "the output has another shape: conditions.0.status: Invalid input: expected string, received undefined",
  },
];
for (const { outputs, phase, warning } of malformed) {
  test(`outputs that are ${JSON.stringify(outputs)} are a row that says so`, () => {
    const rows = rowsOf("z", outputs, NOW);
    assert.deepEqual(
      rows.map((row) => [row.phase, row.warnings]),
      [[phase, [warning]]],
    );
  });
}

test("a wrong output leaves the others alone", () => {
  const rows = rowsOf("z", { proxies: { a: proxy(), b: 1 } }, NOW);
  assert.deepEqual(
    rows.map(({ name, phase }) => [name, phase]),
    [
      ["a", "Running"],
      ["b", "Unreadable"],
    ],
  );
});

test("what a later version adds or leaves out is no mistake", () => {
  const row = one({ phase: "Hibernating", extra: {}, version: null, ready: null, tokenExpiresAt: null });
  assert.equal(row.phase, "Hibernating");
  assert.equal(row.version, undefined);
  assert.deepEqual(row.conditions, []);
});

test("a zone that runs nothing has no rows", () => {
  assert.deepEqual(rowsOf("z", { proxies: {} }, NOW), []);
});

test("connectors have rows of their own, judged as connectors, beside those of proxies", () => {
  const outputs = { proxies: { p: proxy() }, connectors: { x509: proxy({ phase: "Updating", ready: 1 }) } };
  const rows = rowsOf("z", outputs, NOW);
  assert.deepEqual(
    rows.map(({ kind, name, phase, token }) => [kind, name, phase, token]),
    [
      ["Proxy", "p", "Running", "none"],
      ["Connector", "x509", "Updating", "none"],
    ],
  );
  assert.deepEqual(rows[1]?.warnings, ["Updating: 1/2 replicas ready"]);
});

test("a connector that is not registered, or not well, warns of both", () => {
  const refused = "the connector is not registered yet: the connection was refused; the next run tries again";
  const output = proxy({ degraded: ["RegistrationFailed", refused] }) as { conditions: object[] };
  const healthy = { type: "Healthy", status: "False", reason: "Down", message: "the connector reports DOWN" };
  const conditions = [...output.conditions, healthy];
  const [row] = rowsOf("z", { connectors: { x509: { ...output, conditions } } }, NOW);
  assert.deepEqual(row?.warnings, [
    `RegistrationFailed: ${refused}`,
    "health Down: the connector reports DOWN",
  ]);
  assert.deepEqual(row.conditions.map(conditionWord).slice(2), [
    "Degraded=RegistrationFailed",
    "Healthy=False/Down",
  ]);
});
