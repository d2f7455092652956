import { OWNER_ANNOTATION } from "../../components/children/owner.ts";
import { DEPLOYMENTS, type KubeObject } from "../../components/cluster/cluster.ts";
import type { WorkloadFacts, WorkloadStatus } from "../../components/workload/status.ts";
import { tokenExpiryWarning } from "../../components/proxy/token.ts";
import { CHECKSUM_ANNOTATION, TOKEN_EXPIRES_AT_ANNOTATION } from "../../components/workload/checksum.ts";
import { readConditions, readDeployment } from "../../components/workload/conditions.ts";
import { configValue, connectToZone, NO_PLACE, type ZonePlace, zonePlace } from "../zone.ts";
import { kindOf } from "./kinds.ts";
import { type Reported, type Row, tokenState, unreadableZone, warningsOf, ZONE } from "./rows.ts";

const DAY = 86_400_000;

type Live = WorkloadFacts["live"];

/**
 * Rows as the cluster has them now, from those of the last run and the stack's configuration (`pulumi config --json`).
 * A cluster that can't be read is a row of its own, and the phases are then Unknown.
 */
export async function liveRows(
  stack: string,
  last: readonly Row[],
  config: unknown,
  now: Date,
): Promise<Row[]> {
  const place = zonePlace(config);
  if (place === undefined) return [unreadableZone(stack, NO_PLACE), ...last];
  const read = await readDeployments(place);
  const problem = Array.isArray(read) ? [] : [unreadableZone(stack, read.error)];
  const specs = configValue(config, "proxies") as Record<string, { tokenExpiryWarning?: string }> | undefined;
  const rows = last.map((row) => {
    if (row.kind === ZONE || row.phase === "Unreadable") return row;
    const live = Array.isArray(read)
      ? find(read, stack, row)
      : ({ state: "unknown", detail: read.error } as const);
    return liveRow(row, live, warningOf(specs?.[row.name]), now);
  });
  return [...problem, ...rows];
}

/** A row as its live Deployment has it. References are not read: they count as found. */
export function liveRow(
  row: Row,
  live: { state: "found"; object: KubeObject } | Exclude<Live, { state: "found" }>,
  tokenExpiryWarning: number,
  now: Date,
): Row {
  const object = live.state === "found" ? live.object : undefined;
  const deployment = object && readDeployment(object);
  const annotations = object?.metadata.annotations ?? {};
  const end = object ? validTime(annotations[TOKEN_EXPIRES_AT_ANNOTATION]) : row.tokenExpiresAt;
  const status = kindOf(row.kind).judge({
    references: { outcome: "found" },
    serviceMonitor: "unwanted",
    tokenExpiresAt: end,
    tokenExpiryWarning,
    now,
    live: live.state === "found" ? { state: "found", deployment: readDeployment(live.object) } : live,
    previous: readConditions(row.conditions),
  });
  const judged = {
    ...row,
    phase: status.phase,
    ready: deployment?.ready ?? (live.state === "absent" ? 0 : undefined),
    desired: deployment?.desired,
    version: (object && versionOf(object)) ?? row.version,
    tokenExpiresAt: end,
    tokenWarningDays: tokenExpiryWarning / DAY,
    configChecksum: (object && checksumOf(object)) ?? row.configChecksum,
    conditions: status.conditions,
  };
  return {
    ...judged,
    // Nothing newer is known of what a connector says of itself.
    conditions: [...judged.conditions, ...row.conditions.filter(({ type }) => type === "Healthy")],
    token: tokenState(judged, now),
    warnings: [
      ...changesSince(row, live.state, status.phase),
      ...warningsOf(row.kind, judged, now),
      ...notAsked(row),
    ],
  };
}

/** What the judgement of the cluster alone would pass over: somebody stopped the proxy, or took it away. */
function changesSince(row: Row, state: Live["state"], phase: string): string[] {
  if (state === "absent") return ["DeploymentMissing: its Deployment is gone; the next run makes it anew"];
  return phase === "ScaledDown" && row.phase !== phase
    ? [`ScaledDown: somebody scaled it to 0; the last run left it ${row.phase}`]
    : [];
}

/**
 * Findings of the last run about what is not looked at here: Secrets, ConfigMaps, the ServiceMonitor, and a connector's
 * health and registration.
 */
function notAsked({ kind, conditions }: Row): string[] {
  const isKept = ({ type, reason }: Reported): boolean =>
    type === "Degraded"
      ? /^(Missing|ReferenceUnreadable|RegistrationFailed)/.test(reason)
      : type === "ServiceMonitorReady" || type === "Healthy";
  // A phase of which nothing is said by itself.
  const status = { phase: "Running", conditions: conditions.filter(isKept) } as WorkloadStatus;
  return kindOf(kind)
    .warnings(status)
    .map((warning) => `${warning} (when the last run looked)`);
}

async function readDeployments(place: ZonePlace): Promise<KubeObject[] | { error: string }> {
  const cluster = await connectToZone(place);
  if ("error" in cluster) return cluster;
  const list = await cluster.list(DEPLOYMENTS, place.namespace);
  if (list.outcome === "found") return list.value;
  return { error: list.outcome === "missing" ? "the cluster serves no Deployments" : list.detail };
}

function find(
  deployments: readonly KubeObject[],
  stack: string,
  { kind, name }: Row,
): { state: "found"; object: KubeObject } | { state: "absent" } {
  const object = deployments.find(({ metadata }) => metadata.name === name);
  const owner = object?.metadata.annotations?.[OWNER_ANNOTATION];
  const isForeign = owner !== undefined && !owner.endsWith(`/${stack}/${kind}/${name}`);
  return object === undefined || isForeign ? { state: "absent" } : { state: "found", object };
}

function warningOf(spec: { tokenExpiryWarning?: string } | undefined): number {
  try {
    return tokenExpiryWarning(spec?.tokenExpiryWarning === undefined ? {} : spec);
  } catch {
    // The next run will refuse what is no duration.
    return tokenExpiryWarning({});
  }
}

function validTime(text: string | undefined): string | undefined {
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

interface Template {
  metadata?: { annotations?: Record<string, string> };
  spec?: { containers?: { image?: string }[] };
}

function templateOf(deployment: KubeObject): Template {
  return (deployment["spec"] as { template?: Template } | undefined)?.template ?? {};
}

function checksumOf(deployment: KubeObject): string | undefined {
  return templateOf(deployment).metadata?.annotations?.[CHECKSUM_ANNOTATION];
}

/** Tag or digest of the first container's image, which is the workload's own. */
function versionOf(deployment: KubeObject): string | undefined {
  const image = templateOf(deployment).spec?.containers?.[0]?.image;
  return image === undefined ? undefined : (/@(.+)$/.exec(image) ?? /:([^:/]+)$/.exec(image))?.[1];
}
