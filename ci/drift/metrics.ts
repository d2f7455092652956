import { renameSync, rmSync, writeFileSync } from "node:fs";
import { Gauge, Registry } from "prom-client";
import type { Phase } from "../../components/workload/status.ts";
import type { Component, Finding, ZoneCheck } from "./model.ts";

const PHASES: readonly string[] = [
  "Deploying",
  "Running",
  "Updating",
  "ScaledDown",
  "Failed",
  "Unknown",
] satisfies Phase[];

const COMPONENT = ["zone", "kind", "name"] as const;

/**
 * The metrics of all zones in the text format of Prometheus. Of a zone that could not be checked only its tokens' ends
 * are told, as its last run left them: what is not known has no sample, rather than a good one.
 */
export async function metrics(zones: readonly ZoneCheck[], now: Date): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Gauge<Label> => new Gauge({ name: `pulumi_proxies_${name}`, help, labelNames, registers: [registry] });
  const expiry = gauge(
    "token_expiry_timestamp_seconds",
    "When the config token of the pods ends.",
    COMPONENT,
  );
  const phase = gauge("phase", "1 for the phase that the component is in, 0 for the others.", [
    ...COMPONENT,
    "phase",
  ]);
  const drift = gauge(
    "drift_fields",
    "Fields of the component's objects that others wrote or removed; a deleted object counts as one.",
    COMPONENT,
  );
  const rotation = gauge(
    "rotation_pending",
    "1 when what the pods read has changed since they were made, else 0.",
    COMPONENT,
  );
  const success = gauge("check_success", "1 when the zone could be checked, else 0.", ["zone"]);
  const time = gauge("check_timestamp_seconds", "When the zone was checked.", ["zone"]);

  for (const { stack: zone, failure, findings, components } of zones) {
    success.set({ zone }, failure === undefined ? 1 : 0);
    time.set({ zone }, Math.floor(now.getTime() / 1000));
    for (const { kind, name, tokenExpiresAt } of components) {
      if (tokenExpiresAt !== undefined) expiry.set({ zone, kind, name }, Date.parse(tokenExpiresAt) / 1000);
    }
    if (failure !== undefined) continue;
    for (const { kind, name, phase: present } of components) {
      for (const each of new Set([...PHASES, present]))
        phase.set({ zone, kind, name, phase: each }, each === present ? 1 : 0);
    }
    for (const { kind, name } of everyComponent(components, findings)) {
      const own = findings.filter(({ component }) => component?.kind === kind && component.name === name);
      drift.set(
        { zone, kind, name },
        own.map(driftFields).reduce((sum, fields) => sum + fields, 0),
      );
      rotation.set({ zone, kind, name }, own.some((finding) => finding.kind === "rotation pending") ? 1 : 0);
    }
  }
  return registry.metrics();
}

function everyComponent(components: readonly Component[], findings: readonly Finding[]): Component[] {
  const all = [...components, ...findings.flatMap(({ component }) => component ?? [])];
  return [...new Map(all.map(({ kind, name }) => [`${kind}/${name}`, { kind, name }])).values()];
}

function driftFields({ kind, edits = [] }: Finding): number {
  if (kind === "deleted") return 1;
  return kind === "drift" ? new Set(edits.flatMap(({ paths }) => paths)).size : 0;
}

/** Writes a file so that who reads it sees the one before or the new one, never half of it. */
export function writeAtOnce(file: string, content: string): void {
  // Beside it, since a rename stays within a file system; node_exporter reads only names that end with .prom.
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
