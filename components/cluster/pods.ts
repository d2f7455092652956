import { type Cluster, type KubeObject, type Outcome, PODS } from "./cluster.ts";

/** The selector of a list, for all of these labels. */
export function labelSelector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

/** The pods of a label selector that are ready and not on their way out, by name. */
export async function readyPods(
  cluster: Cluster,
  namespace: string,
  selector: string,
): Promise<Outcome<KubeObject[]>> {
  const pods = await cluster.list(PODS, namespace, selector);
  if (pods.outcome !== "found") return pods;
  const byName = (a: KubeObject, b: KubeObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);
  return { outcome: "found", value: pods.value.filter(isReady).sort(byName) };
}

function isReady(pod: KubeObject): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  const { conditions } = (pod["status"] ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
}
