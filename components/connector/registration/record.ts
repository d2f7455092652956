// The record of a registration in the cluster, a ConfigMap beside the connector: written before the platform is asked,
// so that a run that is killed, or a state that is lost, never lets a connector be registered twice.
import { z } from "zod";
import { isOurs, OWNER_ANNOTATION } from "../../children/owner.ts";
import { type Cluster, CONFIG_MAPS, type KubeObject } from "../../cluster/cluster.ts";
import type { Known } from "./decide.ts";
import { outcomeSchema } from "./outcome.ts";

/** Where a record is, and whose. */
export interface RecordPlace {
  namespace: string;
  /** Name of the ConfigMap. */
  name: string;
  /** Its owner annotation. */
  owner: string;
  /** Those that it may still carry from a former name of the stack. */
  formerOwners?: readonly string[] | undefined;
  /** Labels of a new one. */
  labels?: Readonly<Record<string, string>> | undefined;
}

/** What is in the record. */
export interface Entry extends Known {
  /** When the platform was going to be asked. */
  intentAt: string;
}

/** The record as it stands; each write needs the one before. */
export type Stored =
  | { state: "absent" }
  | { state: "found"; owner: string; entry: Entry; resourceVersion: string; uid: string }
  /** Somebody else's, damaged, or not to be read: nothing is done without it. */
  | { state: "unusable"; phrase: string };

function ownersOf({ owner, formerOwners = [] }: RecordPlace): string[] {
  return [owner, ...formerOwners];
}

/** As JSON Pointer writes it (RFC 6901). */
const OWNER_PATH = `/metadata/annotations/${OWNER_ANNOTATION.replaceAll("/", "~1")}`;

const DATA_KEY = "registration.json";

/** What the state keeps of a registration. */
export const registeredSchema = z.object({
  generation: z.number(),
  outcome: outcomeSchema,
  posted: z.object({ salt: z.string(), fields: z.record(z.string(), z.string()) }).optional(),
  platformUrl: z.string(),
  unrecorded: z.string().optional(),
}) satisfies z.ZodType<Known>;

const entrySchema = registeredSchema.extend({
  outcome: z.union([z.object({ outcome: z.literal("intent") }), outcomeSchema]),
  intentAt: z.string(),
}) satisfies z.ZodType<Entry>;

/** The name of a connector's record. */
export function recordName(connector: string): string {
  return `${connector}-registration`;
}

export async function readRecord(cluster: Cluster, place: RecordPlace): Promise<Stored> {
  const live = await cluster.get(CONFIG_MAPS, place.namespace, place.name);
  if (live.outcome === "missing") return { state: "absent" };
  if (live.outcome === "forbidden")
    return unusable(place, "may not be read: the identity may not get configmaps");
  if (live.outcome !== "found") return unusable(place, "can't be read");
  return storedIn(place, live.value);
}

/** Writes an entry in place of the one that was read; when somebody else was faster, nothing is written. */
export async function writeRecord(
  cluster: Cluster,
  place: RecordPlace,
  before: Stored,
  entry: Entry,
): Promise<Stored> {
  if (before.state === "unusable") return before;
  const data = { [DATA_KEY]: JSON.stringify(entry, null, 2) };
  const written =
    before.state === "absent"
      ? await cluster.create(CONFIG_MAPS, place.namespace, {
          apiVersion: CONFIG_MAPS.apiVersion,
          kind: CONFIG_MAPS.kind,
          metadata: {
            name: place.name,
            labels: place.labels,
            annotations: { [OWNER_ANNOTATION]: place.owner },
          },
          data,
        })
      : await cluster.jsonPatch(CONFIG_MAPS, place.namespace, place.name, [
          { op: "test", path: "/metadata/resourceVersion", value: before.resourceVersion },
          { op: "replace", path: OWNER_PATH, value: place.owner },
          { op: "replace", path: "/data", value: data },
        ]);
  switch (written.outcome) {
    case "found":
      return storedIn(place, written.value);
    case "conflict":
    case "missing":
      return unusable(place, "was changed by somebody else");
    case "forbidden":
      return unusable(
        place,
        `may not be written: the identity may not ${before.state === "absent" ? "create" : "patch"} configmaps`,
      );
    case "unreachable":
      return unusable(place, "can't be written");
  }
}

/** Removes the record if it is still ours; says why it could not. */
export async function removeRecord(cluster: Cluster, place: RecordPlace): Promise<string | undefined> {
  const live = await cluster.get(CONFIG_MAPS, place.namespace, place.name);
  if (live.outcome === "missing") return undefined;
  if (live.outcome !== "found") return live.detail;
  if (!isOurs(live.value, ownersOf(place))) return undefined;
  const { uid = "", resourceVersion = "" } = live.value.metadata;
  const removed = await cluster.remove(CONFIG_MAPS, place.namespace, place.name, { uid, resourceVersion });
  return removed.outcome === "found" || removed.outcome === "missing" ? undefined : removed.detail;
}

function storedIn(place: RecordPlace, live: KubeObject): Stored {
  if (!isOurs(live, ownersOf(place))) return unusable(place, "exists and is not ours");
  const entry = entrySchema.safeParse(
    parse((live["data"] as Record<string, string> | undefined)?.[DATA_KEY]),
  );
  if (!entry.success) return unusable(place, "holds no record that can be read");
  const { uid = "", resourceVersion = "", annotations } = live.metadata;
  const owner = annotations?.[OWNER_ANNOTATION] ?? "";
  return { state: "found", owner, entry: entry.data, resourceVersion, uid };
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unusable({ namespace, name }: RecordPlace, what: string): Stored {
  return { state: "unusable", phrase: `its record, ConfigMap ${namespace}/${name}, ${what}` };
}
