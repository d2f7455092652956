import { z } from "zod";
import { connect, KubeconfigError } from "../components/cluster/client.ts";
import { type Cluster, NAMESPACES } from "../components/cluster/cluster.ts";
import { isMap, ownValue } from "../components/workload/validation.ts";
import { readProject } from "./project.ts";

/** What a stack's configuration says of where its zone is, and of who may write there. */
const zoneSchema = z.object({
  namespace: z.string(),
  cluster: z
    .object({
      context: z.string().optional(),
      kubeconfig: z.string().optional(),
      namespaceUid: z.string().optional(),
    })
    .optional(),
  drift: z.string().optional(),
  allowManagers: z.array(z.string()).optional(),
});
export type ZonePlace = z.infer<typeof zoneSchema>;

/** Said of a stack whose configuration names no place. */
export const NO_PLACE = "its configuration has no zone.namespace";

/** Where a zone is, from its stack's configuration (`pulumi config --json`); undefined when that does not say. */
export function zonePlace(config: unknown): ZonePlace | undefined {
  return zoneSchema.safeParse(configValue(config, "zone")).data;
}

/** A plain value of a stack's configuration; never a secret one. */
export function configValue(config: unknown, key: string): unknown {
  const all = isMap(config) ? config : {};
  const entry = ownValue(all, `${readProject().name}:${key}`);
  return isMap(entry) && entry["secret"] !== true ? entry["objectValue"] : undefined;
}

/** Reaches a zone's cluster, and makes sure that it is the right one. */
export async function connectToZone({
  namespace,
  cluster: where,
}: ZonePlace): Promise<Cluster | { error: string }> {
  const { context, kubeconfig, namespaceUid } = where ?? {};
  let cluster: Cluster;
  try {
    cluster = await connect({
      ...(context !== undefined && { context }),
      ...(kubeconfig !== undefined && { kubeconfig }),
      tell: (line) => {
        console.error(line);
      },
    });
  } catch (error) {
    if (error instanceof KubeconfigError) return { error: error.message };
    throw error;
  }
  if (namespaceUid !== undefined) {
    const found = await cluster.get(NAMESPACES, undefined, namespace);
    const uid = found.outcome === "found" ? found.value.metadata.uid : undefined;
    if (uid !== undefined && uid !== namespaceUid)
      return {
        error: `namespace ${namespace} has UID ${uid}, not zone.cluster.namespaceUid: another cluster?`,
      };
  }
  return cluster;
}
