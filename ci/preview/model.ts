import type { Change } from "./changes.ts";

/** What the next run does to one zone. */
export interface ZoneReport {
  stack: string;
  /** The zone in one line, without its name: `1 rollout (config token rotated, valid until 2027-02-27)`. */
  headline: string;
  /** Why it could not be previewed; then nothing else is known of it. */
  failure?: string;
  counts: Counts;
  entries: Entry[];
  warnings: Warning[];
}

/** Objects, by what happens to them. Parts of another change don't count. */
export interface Counts {
  rollouts: number;
  /** Pods that are started or stopped because another number of them is asked for. */
  scalings: number;
  creates: number;
  deletes: number;
  replaces: number;
  /** Updates without effect on pods. */
  updates: number;
  unknown: number;
}

/** A component and what changes of it; without component, what belongs to the zone as a whole. */
export interface Entry {
  component?: { kind: string; name: string } | undefined;
  /** When the component is made, or goes, as a whole. */
  whole?: "creates" | "deletes";
  changes: Change[];
}

export interface Warning {
  message: string;
  component?: { kind: string; name: string } | undefined;
}

/** The objects of an entry: a component is none, unless there is nothing else of it. */
export function objectsOf({ changes }: Entry): Change[] {
  const objects = changes.filter(({ isComponent, partOf }) => !isComponent && partOf === undefined);
  return objects.length > 0 ? objects : changes;
}

/** How much attention a zone needs, the most first: it failed, replaces, deletes, changes; or it stays as it is. */
export type Urgency = "failed" | "replaces" | "deletes" | "changes" | "quiet";
export const URGENCIES: readonly Urgency[] = ["failed", "replaces", "deletes", "changes", "quiet"];

export function urgencyOf({ failure, counts, entries }: ZoneReport): Urgency {
  if (failure !== undefined) return "failed";
  if (counts.replaces > 0) return "replaces";
  if (counts.deletes > 0) return "deletes";
  return entries.length > 0 ? "changes" : "quiet";
}

/**
 * The exit code over all zones: 1 when one failed, 3 when something is replaced or deleted, 2 for other changes, else
 * 0. With `failOn: "replace"`, 1 also when anything is replaced.
 */
export function exitCode(zones: readonly ZoneReport[], failOn?: "replace"): 0 | 1 | 2 | 3 {
  const urgencies = new Set(zones.map(urgencyOf));
  if (urgencies.has("failed") || (failOn === "replace" && urgencies.has("replaces"))) return 1;
  if (urgencies.has("replaces") || urgencies.has("deletes")) return 3;
  return urgencies.has("changes") ? 2 : 0;
}
