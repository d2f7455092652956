import { dump } from "js-yaml";
import { rfc3339 } from "../../components/workload/conditions.ts";
import { count, type Counts } from "./order.ts";
import { type Row, ZONE } from "./rows.ts";

/** The fleet for programs: times are absolute, nothing is cut, and what is not known is left out. */
export interface FleetDocument {
  generatedAt: string;
  /** What the rows were judged from: the outputs of the stacks' last runs, or also the clusters as they are. */
  source: Source;
  counts: Counts;
  components: (Omit<Row, "warnings"> & { warnings: string[] })[];
  /** Zones of which there is nothing to show but why. */
  zones: { zone: string; phase: string; warnings: string[] }[];
}

export type Source = "outputs" | "live";

export function fleetDocument(rows: readonly Row[], source: Source, now: Date): FleetDocument {
  return {
    generatedAt: rfc3339(now),
    source,
    counts: count(rows),
    components: rows.filter(({ kind }) => kind !== ZONE),
    zones: rows
      .filter(({ kind }) => kind === ZONE)
      .map(({ zone, phase, warnings }) => ({ zone, phase, warnings })),
  };
}

export function toJson(document: FleetDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

export function toYaml(document: FleetDocument): string {
  // YAML has no word for undefined.
  return dump(JSON.parse(JSON.stringify(document)), { lineWidth: -1, noRefs: true });
}
