import type { Cluster, FieldSet, KubeObject, ManagedFieldsEntry, Resource } from "./cluster.ts";
import { covers, type FieldPath, formatPath, leaves, partition, union } from "./fields.ts";

/** The field manager of everything that this project applies: one name for ever. */
export const FIELD_MANAGER = "pulumi-proxies";

/**
 * Put before the names of `kubectl`'s managers whose fields may stay: the provider takes over whatever `kubectl*` owns
 * whenever it updates an object, and would drop, say, the annotation of `kubectl rollout restart`, which rolls the pods
 * once more without a word in the preview.
 */
const KEPT = "kept-";

/** Times that a claim is tried when the object changes under it. */
const CLAIM_ATTEMPTS = 5;

/** Says whether a field that another manager wrote may stay. */
export type Allow = (manager: string, path: FieldPath) => boolean;

/** Fields that somebody else added to an object of ours. */
export interface Foreign {
  manager: string;
  /** As people write them, sorted, without repetition. */
  paths: string[];
}

/**
 * The fields of an object that other managers own and we don't: what `refresh` does not see. Values of ours that
 * somebody changed are among them as well. Subresources (status, scale) are nobody's drift.
 */
export function foreignFields(object: KubeObject, allow: Allow): Foreign[] {
  const entries = mainEntries(object);
  const ours = union(entries.filter(isOurs).map(fieldsOf));
  const byManager = new Map<string, Set<string>>();
  for (const entry of entries.filter((candidate) => !isOurs(candidate))) {
    const manager = managerOf(entry);
    for (const path of leaves(fieldsOf(entry))) {
      if (covers(ours, path) || allow(manager, path)) continue;
      const paths = byManager.get(manager) ?? new Set();
      byManager.set(manager, paths.add(formatPath(outermost(ours, path))));
    }
  }
  return [...byManager].map(([manager, paths]) => ({ manager, paths: [...paths].sort() }));
}

/** Whether anybody else owns a field of the object, be it one that may stay. */
export function hasOtherManagers(object: KubeObject): boolean {
  return mainEntries(object).some((entry) => !isOurs(entry));
}

/** The manager who wrote into an object last, other than us and whoever keeps its status. */
export function lastOtherManager(object: KubeObject): string | undefined {
  const [last] = (object.metadata.managedFields ?? [])
    .filter((entry) => !isOurs(entry) && entry.subresource !== "status")
    .sort(({ time: a = "" }, { time: b = "" }) => b.localeCompare(a));
  return last && managerOf(last);
}

/** A whole list item that is not ours is named as such, not by each of its fields. */
function outermost(ours: FieldSet, path: FieldPath): FieldPath {
  const item = path.findIndex(
    (key, index) => key.startsWith("k:") && !covers(ours, path.slice(0, index + 1)),
  );
  return item === -1 ? path : path.slice(0, item + 1);
}

/**
 * Makes every field of a live object ours, except what may stay, so that the server-side apply that follows removes
 * whatever it does not declare: owner references too, through which the object would go with somebody else's. All sets are merged into one entry: of two entries under one
 * manager name the API server keeps only the last.
 * @throws Error with one sentence for people
 */
export async function claim(
  cluster: Cluster,
  resource: Resource,
  namespace: string,
  name: string,
  allow: Allow,
): Promise<void> {
  const what = `${resource.kind} ${namespace}/${name}`;
  let detail = "";
  for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
    const live = await cluster.get(resource, namespace, name);
    if (live.outcome === "missing") return;
    if (live.outcome !== "found") throw new Error(`${what} could not be read: ${live.detail}`);
    const patched = await cluster.jsonPatch(resource, namespace, name, [
      { op: "test", path: "/metadata/resourceVersion", value: live.value.metadata.resourceVersion },
      { op: "replace", path: "/metadata/managedFields", value: claimed(live.value, allow) },
    ]);
    if (patched.outcome === "found" || patched.outcome === "missing") return;
    if (patched.outcome !== "conflict") throw new Error(`${what} could not be claimed: ${patched.detail}`);
    detail = patched.detail;
  }
  throw new Error(`${what} could not be claimed, it changes too fast: ${detail}`);
}

/** The managedFields of an object after a claim. */
export function claimed(object: KubeObject, allow: Allow): ManagedFieldsEntry[] {
  const kept = new Map<string, ManagedFieldsEntry>();
  const taken: FieldSet[] = [];
  for (const entry of mainEntries(object)) {
    const mayStay = (path: FieldPath): boolean => !isOurs(entry) && allow(managerOf(entry), path);
    const { chosen, rest } = partition(fieldsOf(entry), mayStay);
    taken.push(rest);
    if (Object.keys(chosen).length > 0) keep(kept, entry, chosen);
  }
  const ours: ManagedFieldsEntry = {
    manager: FIELD_MANAGER,
    operation: "Apply",
    apiVersion: object.apiVersion ?? mainEntries(object)[0]?.apiVersion ?? "v1",
    fieldsType: "FieldsV1",
    fieldsV1: union(taken),
  };
  const subresources = (object.metadata.managedFields ?? []).filter((entry) => entry.subresource);
  return [ours, ...kept.values(), ...subresources];
}

/** Keeps fields with their manager, out of the provider's reach; of two entries of one name the API server drops one. */
function keep(kept: Map<string, ManagedFieldsEntry>, entry: ManagedFieldsEntry, fields: FieldSet): void {
  const name = managerOf(entry);
  const manager = name.startsWith("kubectl") ? KEPT + name : name;
  const key = [manager, entry.operation, entry.apiVersion].join(" ");
  const before = kept.get(key)?.fieldsV1 ?? {};
  kept.set(key, { ...entry, manager, fieldsV1: union([before, fields]) });
}

/** The name under which a manager wrote, whether or not its fields were kept since. */
function managerOf({ manager = "unknown" }: ManagedFieldsEntry): string {
  return manager.startsWith(`${KEPT}kubectl`) ? manager.slice(KEPT.length) : manager;
}

function mainEntries(object: KubeObject): ManagedFieldsEntry[] {
  return (object.metadata.managedFields ?? []).filter((entry) => !entry.subresource);
}

function isOurs(entry: ManagedFieldsEntry): boolean {
  return entry.manager === FIELD_MANAGER;
}

function fieldsOf(entry: ManagedFieldsEntry): FieldSet {
  return entry.fieldsV1 ?? {};
}
