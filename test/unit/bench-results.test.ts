import assert from "node:assert/strict";
import { test } from "node:test";
import { type Results, type Row, spreadOf, withNewer } from "../../bench/figures/results.ts";

const one = spreadOf([1]);

function row(subject: string, date: string): Row {
  return {
    ...{ subject, size: 1, operation: "create", checkpoints: true, times: 1, date },
    ...{ wallSeconds: one, cpuSeconds: one, cliCpuSeconds: one, programCpuSeconds: one },
    ...{ cliMiB: one, programMiB: one, providerMiB: one, requests: one, stateKiB: one },
  };
}

function results(rows: Row[], more: Partial<Results> = {}): Results {
  const titles = Object.fromEntries(rows.map(({ subject }) => [subject, subject]));
  return { machine: "m", versions: "v", titles, rows, startup: [], ...more };
}

const before = results([row("ours", "2026-01-01"), row("helm", "2026-01-01")], {
  startup: [{ state: "warm", phases: {} }],
});

test("what is measured anew on the same machine replaces its own figures alone", () => {
  const after = withNewer(before, results([row("ours", "2026-01-02")]));
  assert.deepEqual(
    after.rows.map(({ subject, date }) => `${subject} ${date}`),
    ["helm 2026-01-01", "ours 2026-01-02"],
  );
  assert.deepEqual(after.titles, { ours: "ours", helm: "helm" });
  assert.deepEqual(after.startup, before.startup);
});

test("figures of another machine, or of other versions, never stand beside each other", () => {
  for (const other of [{ machine: "another" }, { versions: "others" }]) {
    const newer = results([row("ours", "2026-01-02")], other);
    assert.deepEqual(withNewer(before, newer), newer);
  }
});
