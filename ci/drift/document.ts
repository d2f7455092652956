import { rfc3339 } from "../../components/workload/conditions.ts";
import { headlineOf, summaryLine } from "./headline.ts";
import { exitCode, type Finding, type ZoneCheck } from "./model.ts";

/** Raised when a field is renamed, removed, or changes its meaning; never for new ones. */
const SCHEMA_VERSION = 1;

/** The report for programs: nothing is cut. It holds neither states nor values of objects or of the configuration. */
export function driftDocument(zones: readonly ZoneCheck[], now: Date): object {
  return {
    schemaVersion: SCHEMA_VERSION,
    generatedAt: rfc3339(now),
    summary: summaryLine(zones),
    exitCode: exitCode(zones),
    zones: zones.map((zone) => ({
      zone: zone.stack,
      status: zone.failure !== undefined ? "failed" : zone.findings.length > 0 ? "findings" : "clean",
      headline: headlineOf(zone),
      failure: zone.failure ?? null,
      findings: zone.findings.map((finding) => findingDocument(zone.stack, finding)),
      fix:
        zone.mended === undefined
          ? null
          : { mended: zone.mended.map((finding) => findingDocument(zone.stack, finding)) },
      components: zone.components.map(({ kind, name, phase, tokenExpiresAt }) => ({
        kind,
        name,
        phase,
        tokenExpiresAt: tokenExpiresAt ?? null,
      })),
      warnings: zone.notes,
    })),
  };
}

function findingDocument(
  zone: string,
  { kind, component, object, what, todo, mendable, edits }: Finding,
): object {
  return {
    zone,
    kind,
    component: component ?? null,
    object: object ?? null,
    what,
    todo,
    mendable,
    edits: (edits ?? []).map(({ paths, manager, time }) => ({
      paths,
      manager: manager ?? null,
      time: time ?? null,
    })),
  };
}
