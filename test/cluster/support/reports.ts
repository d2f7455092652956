// What the commands of CI write for programs, as far as tests look at it.
import assert from "node:assert/strict";

/** An object that `preview-report` tells of. */
export interface ReportedChange {
  kind: string;
  name: string;
  effect: string;
  partOf: string | null;
  causes: { type: string; text: string }[];
  tokenExpiry: { before: string | null; after: string | null };
}

export interface ReportedZone {
  stack: string;
  status: string;
  headline: string;
  failure: string | null;
  counts: Record<string, number>;
  components: { component: { name: string } | null; whole: string | null; changes: ReportedChange[] }[];
}

export interface PreviewReport {
  exitCode: number;
  zones: ReportedZone[];
}

/** What `drift` tells of. */
export interface Found {
  kind: string;
  component: { name: string } | null;
  object: { kind: string; name: string } | null;
  what: string;
  mendable: boolean;
  edits: { paths: string[]; manager: string | null; time: string | null }[];
}

export interface CheckedZone {
  zone: string;
  status: string;
  headline: string;
  findings: Found[];
  fix: { mended: Found[] } | null;
}

export interface DriftReport {
  exitCode: number;
  zones: CheckedZone[];
}

/** What is reported of a Deployment. */
export function deploymentOf(zone: ReportedZone | undefined): ReportedChange {
  const change = zone?.components.flatMap(({ changes }) => changes).find(({ kind }) => kind === "Deployment");
  assert.ok(change, "the Deployment changes");
  return change;
}

/** Kind, component and object of a finding. */
export function briefOf({ kind, component, object }: Found): string {
  return [kind, component?.name ?? "-", object ? `${object.kind} ${object.name}` : "-"].join(" | ");
}
