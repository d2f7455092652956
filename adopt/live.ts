// What the cluster says: lists alone, of the kinds that an adoption is about.
import {
  type Cluster,
  DEPLOYMENTS,
  type KubeObject,
  NAMESPACES,
  NETWORK_POLICIES,
  type Outcome,
  POD_DISRUPTION_BUDGETS,
  type Resource,
  SERVICE_ACCOUNTS,
  SERVICE_MONITORS,
  SERVICES,
} from "../components/cluster/cluster.ts";
import { API_VERSION, type IlmResource, type Kind, KINDS, resourceOf, served } from "./resources.ts";

/** Kinds of the objects that the operator makes. */
export const OPERATORS_KINDS = [
  DEPLOYMENTS,
  SERVICES,
  SERVICE_ACCOUNTS,
  NETWORK_POLICIES,
  POD_DISRUPTION_BUDGETS,
  SERVICE_MONITORS,
] as const;

/** Kind -> the namespace's objects of it. */
export type LiveObjects = ReadonlyMap<string, readonly KubeObject[]>;

/** What was read of a namespace. */
export interface Seen {
  resources: IlmResource[];
  objects: LiveObjects;
  /** Undefined where it may not be asked for. */
  namespaceUid: string | undefined;
}

/**
 * Reads a namespace.
 * @throws Error of one line that says what can't be read
 */
export async function readLive(cluster: Cluster, namespace: string): Promise<Seen> {
  const namespaceUid = await uidOf(cluster, namespace);
  const kinds = Object.keys(KINDS) as Kind[];
  const lists = await listAll(cluster, kinds.map(served), namespace);
  if (lists.every((all) => all === undefined))
    throw new Error(`the cluster serves no ${API_VERSION}: is it the operator's?`);
  const objects = await listAll(cluster, OPERATORS_KINDS, namespace);
  return {
    resources: lists.flatMap((all = [], index) =>
      all.map((object) => resourceOf(kinds[index] as Kind, object as unknown as Record<string, unknown>)),
    ),
    objects: new Map(OPERATORS_KINDS.map(({ kind }, index) => [kind, objects[index] ?? []])),
    namespaceUid,
  };
}

/** All objects of each kind, one kind after the other, so that it is always the first that is complained of. */
async function listAll(
  cluster: Cluster,
  kinds: readonly Resource[],
  namespace: string,
): Promise<(KubeObject[] | undefined)[]> {
  const lists: (KubeObject[] | undefined)[] = [];
  for (const kind of kinds) lists.push(await list(cluster, kind, namespace));
  return lists;
}

async function uidOf(cluster: Cluster, namespace: string): Promise<string | undefined> {
  const found = await cluster.get(NAMESPACES, undefined, namespace);
  if (found.outcome === "missing") throw new Error(`there is no namespace ${namespace} in the cluster`);
  return found.outcome === "forbidden" ? undefined : value(found, "the namespace").metadata.uid;
}

/** All objects of a kind; undefined where the cluster does not serve it. */
async function list(cluster: Cluster, kind: Resource, namespace: string): Promise<KubeObject[] | undefined> {
  // Who may not list a kind is told so, be it served or not: everybody may ask whether it is.
  if (kind.apiVersion.includes(".") && (await cluster.serves(kind)).outcome === "missing") return undefined;
  return value(await cluster.list(kind, namespace), kind.plural);
}

/** @throws Error of one line */
function value<T>(outcome: Outcome<T>, what: string): T {
  if (outcome.outcome === "found") return outcome.value;
  const why = outcome.outcome === "missing" ? "the cluster does not serve it" : outcome.detail;
  throw new Error(`${what} can't be read: ${why}`);
}
