// The live objects of a zone, and who wrote what in them that is not ours. Values are never looked at.
import { OWNER_ANNOTATION } from "../../components/children/owner.ts";
import {
  type Cluster,
  type KubeObject,
  type ManagedFieldsEntry,
  type Outcome,
  SECRETS,
  SERVICE_MONITORS,
} from "../../components/cluster/cluster.ts";
import { FIELD_MANAGER, foreignFields } from "../../components/cluster/ownership.ts";
import { configTokenSecretName } from "../../components/proxy/token.ts";
import { allowList } from "../../components/zone/allow.ts";
import { OWNED_KINDS } from "../../components/zone/owned-kinds.ts";
import { isSameField } from "../preview/causes.ts";
import { configValue, connectToZone, NO_PLACE, type ZonePlace, zonePlace } from "../zone.ts";
import type { Component, FieldEdit } from "./model.ts";

/** What is known of one live object. */
export interface LiveObject {
  kind: string;
  name: string;
  /** The component of this stack whose it is; undefined when it says nothing, or names another stack. */
  component?: Component | undefined;
  /** What others wrote and may not stay. */
  edits: FieldEdit[];
  /** Who else wrote a field, be it one that may stay. */
  writerOf: (path: string) => Omit<FieldEdit, "paths"> | undefined;
  /** Who set the number of pods by `scale`, which is nobody's drift by itself: an autoscaler does as well. */
  scaler?: Omit<FieldEdit, "paths"> | undefined;
}

/** Reads all objects of a zone that may be ours, from the stack's configuration (`pulumi config --json`). */
export async function readObjects(stack: string, config: unknown): Promise<LiveObject[] | { error: string }> {
  const place = zonePlace(config);
  if (place === undefined) return { error: NO_PLACE };
  const cluster = await connectToZone(place);
  if ("error" in cluster) return cluster;
  const read = await Promise.all([
    ...OWNED_KINDS.map((kind) => cluster.list(kind, place.namespace).then((list) => of(kind.kind, list))),
    serviceMonitors(cluster, place),
    ...ownedSecrets(config).map((name) =>
      cluster.get(SECRETS, place.namespace, name).then((secret) => of(SECRETS.kind, oneOf(secret))),
    ),
  ]);
  const failed = read.find((part) => !Array.isArray(part));
  if (failed !== undefined) return failed as { error: string };
  return (read as Read[][])
    .flat()
    .map(({ kind, object }) => liveObject(stack, kind, object, place.allowManagers ?? []));
}

interface Read {
  kind: string;
  object: KubeObject;
}

function of(kind: string, list: Outcome<KubeObject[]>): Read[] | { error: string } {
  if (list.outcome === "missing") return [];
  if (list.outcome !== "found") return { error: list.detail };
  return list.value.map((object) => ({ kind, object }));
}

function oneOf(outcome: Outcome<KubeObject>): Outcome<KubeObject[]> {
  return outcome.outcome === "found" ? { outcome: "found", value: [outcome.value] } : outcome;
}

async function serviceMonitors(
  cluster: Cluster,
  { namespace }: ZonePlace,
): Promise<Read[] | { error: string }> {
  const served = await cluster.serves(SERVICE_MONITORS);
  if (served.outcome !== "found") return of(SERVICE_MONITORS.kind, served);
  return of(SERVICE_MONITORS.kind, await cluster.list(SERVICE_MONITORS, namespace));
}

/** The Secrets that proxies make themselves: of those that name none. */
function ownedSecrets(config: unknown): string[] {
  const proxies = (configValue(config, "proxies") ?? {}) as Record<
    string,
    { configTokenSecretRef?: { name?: string } } | null
  >;
  return Object.entries(proxies)
    .filter(([, spec]) => spec?.configTokenSecretRef?.name === undefined)
    .map(([name]) => configTokenSecretName(name));
}

/** What is to be known of an object; `managers` are those whose fields may stay. */
export function liveObject(
  stack: string,
  kind: string,
  object: KubeObject,
  managers: readonly string[],
): LiveObject {
  const { managedFields = [], annotations, name } = object.metadata;
  const ours = managedFields.filter(({ manager }) => manager === FIELD_MANAGER);
  const others = managedFields.filter(
    ({ manager, subresource }) => manager !== FIELD_MANAGER && subresource !== "status",
  );
  // One after the other: each has a time of its own.
  const written = (entry: ManagedFieldsEntry, allow: Parameters<typeof foreignFields>[1]): FieldEdit[] => {
    const alone = { ...object, metadata: { ...object.metadata, managedFields: [...ours, entry] } };
    return foreignFields(alone, allow).map((found) => ({ ...found, time: entry.time }));
  };
  const writer = (entries: readonly ManagedFieldsEntry[], path: string): LiveObject["scaler"] => {
    const all = entries.flatMap((entry) => written({ ...entry, subresource: "" }, () => false));
    const found = all.find(({ paths }) => paths.some((wrote) => isSameField(wrote, path)));
    return found && { manager: found.manager, time: found.time };
  };
  const allow = allowList(managers);
  return {
    kind,
    name,
    component: componentOf(stack, annotations?.[OWNER_ANNOTATION]),
    edits: others.flatMap((entry) => written(entry, allow)),
    writerOf: (path) => writer(others, path),
    scaler: writer(
      others.filter(({ subresource }) => subresource === "scale"),
      "spec.replicas",
    ),
  };
}

function componentOf(stack: string, owner: string | undefined): Component | undefined {
  const [of, kind, name] = owner?.split("/").slice(-3) ?? [];
  return of === stack && kind !== undefined && name !== undefined ? { kind, name } : undefined;
}
