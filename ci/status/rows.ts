import { z } from "zod";
import { type Kind, kindOf, KINDS } from "./kinds.ts";
import type { WorkloadStatus } from "../../components/workload/status.ts";
import { isMap } from "../../components/workload/validation.ts";

/** One line of the fleet: a component of a zone, or a zone of which there is nothing to show but why. */
export interface Row {
  zone: string;
  /** `Proxy` ..., or {@link ZONE}. */
  kind: string;
  /** Empty for a zone. */
  name: string;
  /** The component's own; else `Unreadable`, or `NotApplied` of a zone without outputs. */
  phase: string;
  version?: string | undefined;
  ready?: number | undefined;
  /** Known from the cluster only. */
  desired?: number | undefined;
  /** RFC 3339. */
  tokenExpiresAt?: string | undefined;
  /** Days before the token's end in which runs warn; undefined where only the run knows. */
  tokenWarningDays?: number | undefined;
  token: TokenState;
  configChecksum?: string | undefined;
  conditions: Reported[];
  /** Each in one line. */
  warnings: string[];
}

export type TokenState = "none" | "valid" | "expiring" | "expired";

/** A condition as an output tells it. */
export interface Reported {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime?: string | undefined;
}

/** Kind of the rows that stand for a zone as a whole. */
export const ZONE = "Zone";
/** Phase of what could not be read. */
export const UNREADABLE = "Unreadable";
/** Phase of a zone whose stack has no outputs of ours. */
const NOT_APPLIED = "NotApplied";

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "expected a time (RFC 3339)");
const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().default(""),
  message: z.string().default(""),
  lastTransitionTime: z.string().optional(),
});
/** Loose: what a later version adds is no mistake. */
const component = z.object({
  phase: z.string(),
  version: z.string().nullish(),
  ready: z.number().nullish(),
  tokenExpiresAt: time.nullish(),
  configChecksum: z.string().nullish(),
  conditions: z.array(condition).default([]),
});

/** The rows of a zone, from what `pulumi stack output --json` says of it. */
export function rowsOf(zone: string, outputs: unknown, now: Date): Row[] {
  if (!isMap(outputs)) return [zoneRow(zone, UNREADABLE, "its outputs are no map")];
  const kinds = KINDS.filter(({ output }) => Object.hasOwn(outputs, output));
  if (kinds.length === 0) return [zoneRow(zone, NOT_APPLIED, "nothing was applied yet")];
  return kinds.flatMap((kind) => {
    const all = outputs[kind.output];
    if (!isMap(all)) {
      const what = all === "[secret]" ? "it is a secret" : "it is no map";
      return [zoneRow(zone, UNREADABLE, `output ${kind.output}: ${what}`)];
    }
    return Object.entries(all).map(([name, given]) => componentRow(zone, kind, name, given, now));
  });
}

/** A zone that can't be read. */
export function unreadableZone(zone: string, why: string): Row {
  return zoneRow(zone, UNREADABLE, why);
}

/** What is to be said of a component's status, now that the run which judged it is over. */
export function warningsOf(
  kind: string,
  row: Pick<Row, "phase" | "conditions" | "tokenExpiresAt">,
  now: Date,
) {
  const all = kindOf(kind).warnings(row as WorkloadStatus);
  if (tokenState(row, now) !== "expired" || all.some((warning) => warning.startsWith("ConfigTokenExpired: ")))
    return all;
  return [
    ...all.filter((warning) => !warning.startsWith("ConfigTokenExpiring: ")),
    `ConfigTokenExpired: the config token expired at ${row.tokenExpiresAt ?? ""}, after the last run`,
  ];
}

/** How a token stands: expired by the clock, about to expire by the judgement of the run. */
export function tokenState(
  { tokenExpiresAt: end, conditions }: Pick<Row, "tokenExpiresAt" | "conditions">,
  now: Date,
): TokenState {
  if (end === undefined) return "none";
  if (Date.parse(end) < now.getTime()) return "expired";
  return conditions.some(({ type, status }) => type === "TokenExpiring" && status === "True")
    ? "expiring"
    : "valid";
}

function componentRow(zone: string, { kind }: Kind, name: string, given: unknown, now: Date): Row {
  const read = component.safeParse(given);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || name}: ${message}`);
    const warnings = [`the output has another shape: ${problems.join("; ")}`];
    return { zone, kind, name, phase: UNREADABLE, token: "none", conditions: [], warnings };
  }
  const { phase, conditions, ...optional } = read.data;
  const status = { phase, conditions, tokenExpiresAt: optional.tokenExpiresAt ?? undefined };
  return {
    zone,
    kind,
    name,
    ...status,
    version: optional.version ?? undefined,
    ready: optional.ready ?? undefined,
    token: tokenState(status, now),
    configChecksum: optional.configChecksum ?? undefined,
    warnings: warningsOf(kind, status, now),
  };
}

function zoneRow(zone: string, phase: string, warning: string): Row {
  return { zone, kind: ZONE, name: "", phase, token: "none", conditions: [], warnings: [warning] };
}
