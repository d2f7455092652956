import { type Change, changesOf, tellsRepair } from "./changes.ts";
import { headlineOf } from "./headline.ts";
import { type Counts, type Entry, objectsOf, type Warning, type ZoneReport } from "./model.ts";
import type { Preview } from "./read.ts";
import { shortened } from "./words.ts";

/** The report of one zone from its preview. */
export function zoneReport(stack: string, preview: Preview, now: Date): ZoneReport {
  if (preview.failure !== undefined) return failedZone(stack, preview.failure);
  const changes = changesOf(preview);
  const entries = entriesOf(changes);
  const counts = countsOf(entries);
  const warnings = warningsOf(preview, changes);
  return { stack, headline: headlineOf(entries, warnings.length, now), counts, entries, warnings };
}

/** The report of a zone that could not be previewed. */
export function failedZone(stack: string, why: string): ZoneReport {
  const failure = why.split("\n")[0]?.trim() || "no reason was given";
  const headline = `preview failed: ${shortened(failure, 400)}`;
  return { stack, headline, failure, counts: countsOf([]), entries: [], warnings: [] };
}

function entriesOf(changes: readonly Change[]): Entry[] {
  const groups = Map.groupBy(changes, ({ component }) =>
    component === undefined ? "" : `${component.kind} ${component.name}`,
  );
  return [...groups.values()].map((group): Entry => {
    const own = group.find(({ isComponent }) => isComponent)?.effect;
    const isWhole = (own === "creates" || own === "deletes") && group.every(({ effect }) => effect === own);
    return { component: group[0]?.component, ...(isWhole && { whole: own }), changes: group };
  });
}

const COUNTED_AS = {
  "rolls pods": "rollouts",
  "starts or stops pods": "scalings",
  creates: "creates",
  deletes: "deletes",
  replaces: "replaces",
  "no effect on pods": "updates",
  unknown: "unknown",
} as const;

function countsOf(entries: readonly Entry[]): Counts {
  const counts: Counts = {
    rollouts: 0,
    scalings: 0,
    creates: 0,
    deletes: 0,
    replaces: 0,
    updates: 0,
    unknown: 0,
  };
  for (const { effect } of entries.flatMap(objectsOf)) counts[COUNTED_AS[effect]]++;
  return counts;
}

/** The run's warnings, each once; those that are told as causes are left out. */
function warningsOf({ diagnostics }: Preview, changes: readonly Change[]): Warning[] {
  const warnings = diagnostics
    .filter(({ severity, message }) => severity === "warning" && !tellsRepair(message, changes))
    .map(({ message, component }): Warning => (component ? { message, component } : { message }));
  return [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()];
}
