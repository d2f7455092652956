// Many runs in a row on one zone with edits by chance: what a run leaves behind must not add up.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { test } from "node:test";
import { assertAbsentInRun } from "../cluster/support/secrets.ts";
import { inForm, report } from "./support/form.ts";
import { editsByChance, HOME, openSoakZone, type SoakZone } from "./support/soak-zone.ts";
import { measuredRun, type Roles } from "./support/memory.ts";

/** Runs in all; every fifth but one brings the zone back to what it was at first, and the fifth changes nothing. */
const RUNS = inForm({ short: 10, long: 200 });
const CYCLE = 5;

type Kind = "edit" | "home" | "unchanged";

interface Measured {
  kind: Kind;
  seconds: number;
  memory: Roles;
  stateBytes: number;
  /** Without ReplicaSets and what comes of them. */
  objects: number;
  replicaSets: number;
  historyBytes: number;
}

/** How much more the last fifth may have than the first: the state, and the memory of a process. */
const STATE_MARGIN = 1.02;
const MEMORY_MARGIN = 1.25;

/** What a Deployment keeps of its past, and its present. */
const REPLICA_SETS_EACH = 11;

test("many runs in a row leave state, objects and memory as they were", async (t) => {
  const soak = await openSoakZone(t);
  const streams: string[] = [];
  const measured: Measured[] = [];
  const edits = editsByChance(RUNS);
  for (let n = 0; n < RUNS; n++) {
    const kind = kindOf(n);
    if (kind === "edit") await edits[n]?.(soak);
    if (kind === "home") await soak.write(HOME);
    const args = ["up", "--yes", "--skip-preview", ...(kind === "unchanged" ? ["--expect-no-changes"] : [])];
    const { run, seconds, memory } = await measuredRun(soak.zone, args);
    streams.push(run.output);
    assert.equal(run.code, 0, run.output);
    measured.push({ kind, seconds, memory, ...(await sizes(soak)) });
  }
  assertAbsentInRun(soak.zone, streams, soak.secrets);

  const growth = growthOf(measured);
  report(t, "soak", { title: `${RUNS} runs in a row`, rows: growth.map(({ row }) => row) });
  for (const { row, within } of growth) assert.ok(within, JSON.stringify(row));
});

function kindOf(n: number): Kind {
  if (n % CYCLE === CYCLE - 2) return "home";
  return n % CYCLE === CYCLE - 1 ? "unchanged" : "edit";
}

async function sizes({ zone }: SoakZone): Promise<Omit<Measured, "kind" | "seconds" | "memory">> {
  const backend = `${zone.workspace.dir}/backend/.pulumi`;
  const objects = await zone.list(
    "deployments,replicasets,services,serviceaccounts,horizontalpodautoscalers,poddisruptionbudgets,networkpolicies,secrets,configmaps",
  );
  const replicaSets = objects.filter(({ kind }) => kind === "ReplicaSet").length;
  return {
    stateBytes: statSync(`${backend}/stacks/pulumi-proxies/${zone.stack}.json`).size,
    historyBytes: bytesIn(backend),
    objects: objects.length - replicaSets,
    replicaSets,
  };
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(`${parentPath}/${name}`).size, 0);
}

interface Growth {
  row: Record<string, string | number>;
  within: boolean;
}

/** The medians of the first and the last fifth, among the runs that end with the same zone. */
function growthOf(measured: readonly Measured[]): Growth[] {
  const of = (kind: Kind): Measured[] => measured.filter((one) => one.kind === kind);
  const compare = (
    what: string,
    runs: Measured[],
    value: (one: Measured) => number,
    margin?: number,
  ): Growth => {
    const values = runs.map(value);
    const fifth = Math.max(1, Math.floor(values.length / 5));
    const [first, last] = [median(values.slice(0, fifth)), median(values.slice(-fifth))];
    const row = {
      what,
      runs: values.length,
      "first fifth": round(first),
      "last fifth": round(last),
      "per 100 runs": round((slope(values) * values.length * 100) / measured.length),
    };
    return { row, within: margin === undefined || last <= first * margin };
  };
  const unchanged = of("unchanged");
  const roles = Object.keys(unchanged[0]?.memory ?? {}) as (keyof Roles)[];
  const deployments = Object.keys(HOME).length;
  const most = Math.max(...measured.map(({ replicaSets }) => replicaSets));
  return [
    compare("state file, bytes", of("home"), (one) => one.stateBytes, STATE_MARGIN),
    compare("objects", of("home"), (one) => one.objects, 1),
    {
      ...compare("ReplicaSets", of("home"), (one) => one.replicaSets),
      within: most <= REPLICA_SETS_EACH * (deployments + 1),
    },
    ...roles.map((role) =>
      compare(`memory of the ${role}, MiB`, unchanged, (one) => one.memory[role], MEMORY_MARGIN),
    ),
    compare("seconds of a run without changes", unchanged, ({ seconds }) => seconds),
    compare("seconds of a run with changes", of("home"), ({ seconds }) => seconds),
    compare("backend with its history, KiB", measured.slice(), (one) => one.historyBytes / 1024),
  ];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Of the line with the least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const by = values.reduce((sum, value, n) => sum + (n - middle) * (value - mean), 0);
  return by / (values.reduce((sum, _value, n) => sum + (n - middle) ** 2, 0) || 1);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
