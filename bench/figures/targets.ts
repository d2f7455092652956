// What this project means to reach, and what came out.
import { OWNED_KINDS } from "../../components/zone/owned-kinds.ts";
import { exponent } from "./growth.ts";
import type { Row, Spread } from "./results.ts";

export interface Target {
  /** What is compared, with what, at which size. */
  what: string;
  limit: string;
  value: string;
  met: boolean;
}

/** From which size on a zone is large. */
const LARGE = 100;

/** The same of two programs. */
interface Pair {
  size: number;
  /** The size, and what was special. */
  where: string;
  a: Spread;
  b: Spread;
}

type Measured = "wallSeconds" | "programMiB" | "programCpuSeconds" | "requests";

export function targets(rows: readonly Row[]): Target[] {
  const ours = rows.filter(({ subject }) => subject === "ours").sort((a, b) => a.size - b.size);
  /** Ours beside another's, wherever both were measured alike. */
  const pairs = (operation: string, other: string, measured: Measured): Pair[] =>
    ours.flatMap((row) => {
      if (row.operation !== operation) return [];
      const its = rows.find(
        ({ subject, operation: done, size, checkpoints }) =>
          subject === other && done === operation && size === row.size && checkpoints === row.checkpoints,
      );
      if (its === undefined) return [];
      const where = `${counted(row.size)}${row.checkpoints ? "" : " without checkpoints"}`;
      return [{ size: row.size, where, a: row[measured], b: its[measured] }];
    });
  const ratio = (
    operation: string,
    other: string,
    measured: Measured,
    limit: (size: number) => number | undefined,
  ) =>
    pairs(operation, other, measured).flatMap(({ size, where, a, b }): Target[] => {
      const [most, value] = [limit(size), a.median / b.median];
      if (most === undefined) return [];
      const what = `${NAMES[measured]} of "${operation}", ${where}, to ${TITLES[other] ?? other}`;
      return [{ what, limit: `${most} x`, value: `${value.toFixed(2)} x`, met: value <= most }];
    });
  const usual = (size: number): number | undefined => (size >= LARGE ? 1.05 : size === 1 ? 1.15 : undefined);
  return [
    ...["unchanged", "rotate one", "rotate all"].flatMap((operation) =>
      ratio(operation, "raw", "wallSeconds", usual),
    ),
    ...ratio("create", "defaults", "wallSeconds", () => 0.5),
    ...ratio("unchanged", "raw", "programMiB", () => 1.15),
    ...pairs("unchanged", "raw", "requests").map(({ size, where, a, b }): Target => {
      // A Secret each; the kinds of which every zone has objects, ServiceMonitors only where they are served.
      const most = size + OWNED_KINDS.length;
      const value = a.median - b.median;
      const what = `requests of "unchanged", ${where}, beyond the plain program's`;
      return { what, limit: String(most), value: String(value), met: value <= most };
    }),
    ...growth(ours.filter(({ operation }) => operation === "unchanged")),
  ];
}

function growth(rows: readonly Row[]): Target[] {
  const value = exponent(rows.map((row) => ({ size: row.size, value: row.programCpuSeconds.median })));
  if (value === undefined) return [];
  const what = `exponent by which the program's CPU time of "unchanged" grows with the proxies`;
  return [{ what, limit: "1.1", value: value.toFixed(2), met: value <= 1.1 }];
}

const NAMES: Record<Measured, string> = {
  wallSeconds: "time",
  programMiB: "peak memory of Node",
  programCpuSeconds: "CPU time of Node",
  requests: "requests",
};

const TITLES: Record<string, string> = {
  raw: "the plain program tuned alike",
  defaults: "the plain program with Pulumi's defaults",
};

function counted(size: number): string {
  return size === 1 ? "1 proxy" : `${size} proxies`;
}
