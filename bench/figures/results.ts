// What the benchmark keeps: of every operation of every subject and size the median and the spread of its rounds.
import type { Run } from "../rounds.ts";
import type { Startup } from "../startup/startup.ts";
import { writesEachStep } from "../subjects/subject.ts";

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface Row {
  subject: string;
  size: number;
  operation: string;
  /** Whether the state was written as it is by default: by Pulumi's engine after each step. */
  checkpoints: boolean;
  /** How often it was measured. */
  times: number;
  wallSeconds: Spread;
  /** CPU time of all processes together. */
  cpuSeconds: Spread;
  cliCpuSeconds: Spread;
  programCpuSeconds: Spread;
  /** Peaks of resident memory. */
  cliMiB: Spread;
  programMiB: Spread;
  providerMiB: Spread;
  /** Requests to the API server, without those for discovery. */
  requests: Spread;
  stateKiB: Spread;
  /** When it was measured: YYYY-MM-DD. */
  date: string;
}

export interface Results {
  machine: string;
  versions: string;
  /** Subject -> what people call it. */
  titles: Record<string, string>;
  rows: Row[];
  startup: Startup[];
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => rounded(sorted[index] ?? NaN);
  const half = (sorted.length - 1) / 2;
  return {
    median: rounded(((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half)] ?? NaN)) / 2),
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** Enough digits for every ratio, and few enough to read a difference of two results. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function summarize(runs: readonly Run[], checkpoints: boolean, date: string): Row[] {
  const groups = Map.groupBy(runs, ({ subject, size, operation }) => `${subject}/${size}/${operation}`);
  return [...groups.values()].map((group) => {
    const { subject, size, operation } = group[0] as Run;
    const spread = (value: (run: Run) => number): Spread => spreadOf(group.map(value));
    return {
      ...{ subject, size, operation, times: group.length },
      // Helm writes its state once, whatever Pulumi is told.
      checkpoints: subject === "helm" || writesEachStep(operation, checkpoints),
      wallSeconds: spread((run) => run.wallSeconds),
      cpuSeconds: spread((run) => run.cpuSeconds),
      cliCpuSeconds: spread((run) => run.parts.cli.cpuSeconds),
      programCpuSeconds: spread((run) => run.parts.program.cpuSeconds),
      cliMiB: spread((run) => run.parts.cli.peakMiB),
      programMiB: spread((run) => run.parts.program.peakMiB),
      providerMiB: spread((run) => run.parts.provider.peakMiB),
      requests: spread((run) => Object.values(run.requests).reduce((sum, count) => sum + count, 0)),
      stateKiB: spread((run) => run.stateBytes / 1024),
      date,
    };
  });
}

/** Whether figures may stand beside each other: those of two machines, or of other versions, say nothing. */
export function areComparable(a: Results, b: Results): boolean {
  return a.machine === b.machine && a.versions === b.versions;
}

/** What was measured before, but for what was measured anew; where they are not comparable, only the newer. */
export function withNewer(before: Results, newer: Results): Results {
  if (!areComparable(before, newer)) return newer;
  const key = ({ subject, size, operation, checkpoints }: Row): string =>
    JSON.stringify([subject, size, operation, checkpoints]);
  const replaced = new Set(newer.rows.map(key));
  return {
    ...newer,
    titles: { ...before.titles, ...newer.titles },
    rows: [...before.rows.filter((row) => !replaced.has(key(row))), ...newer.rows],
    startup: newer.startup.length > 0 ? newer.startup : before.startup,
  };
}
