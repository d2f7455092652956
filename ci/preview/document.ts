import { exitCode, urgencyOf, type ZoneReport } from "./model.ts";
import { summaryLine } from "./headline.ts";
import { causeText } from "./words.ts";

/** Raised when a field is renamed, removed, or changes its meaning; never for new ones. */
const SCHEMA_VERSION = 1;

/**
 * The report for programs: all that the comment knows, and what it had to cut. It holds neither states nor values of
 * the configuration.
 */
export function reportDocument(zones: readonly ZoneReport[], failOn?: "replace"): object {
  return {
    schemaVersion: SCHEMA_VERSION,
    summary: summaryLine(zones),
    exitCode: exitCode(zones, failOn),
    zones: zones.map(zoneDocument),
  };
}

function zoneDocument(zone: ZoneReport): object {
  const { stack, headline, failure, counts, entries, warnings } = zone;
  return {
    stack,
    status: urgencyOf(zone) === "quiet" ? "no change" : urgencyOf(zone),
    headline,
    failure: failure ?? null,
    counts,
    components: entries.map(({ component, whole, changes }) => ({
      component: component ?? null,
      whole: whole ?? null,
      changes: changes.map((change) => ({
        kind: change.kind,
        name: change.name,
        namespace: change.namespace ?? null,
        isComponent: change.isComponent,
        op: change.op,
        effect: change.effect,
        partOf: change.partOf ?? null,
        causes: change.causes.map((cause) => ({ ...cause, text: causeText(cause) })),
        paths: change.paths,
        tokenExpiry: {
          before: change.expiry?.before ?? null,
          after: change.expiry?.after ?? null,
        },
      })),
    })),
    warnings: warnings.map(({ message, component }) => ({ message, component: component ?? null })),
  };
}
