// The objects of a zone without what rightly differs from one time to the next.
import { at, type KubeObject, type TestZone } from "../../cluster/support/zone.ts";

const KINDS =
  "deployments,services,serviceaccounts,horizontalpodautoscalers,poddisruptionbudgets,networkpolicies,secrets,configmaps";

/** What the cluster itself puts into every namespace. */
const CLUSTER_MADE = ["ConfigMap/kube-root-ca.crt", "ServiceAccount/default"];

/** Counts and marks of history, not of what is declared. */
const HISTORY = ["pulumi-proxies.dev/repairs", "deployment.kubernetes.io/revision"];

/** Times, and digests with a salt of their own: what a record holds beside what became of it. */
const RECORD = "registration.json";

/** Kind/name -> the object, when those that were deleted are gone. */
export async function objectsOf(zone: TestZone): Promise<Record<string, unknown>> {
  const all = await zone.left(KINDS);
  const objects = all.map((object) => [nameOf(object), canonical(object)] as const);
  return Object.fromEntries(objects.filter(([name]) => !CLUSTER_MADE.includes(name)));
}

/** Kind/name -> uid of those that there are: equal, nobody has made them anew. */
export async function uidsOf(zone: TestZone, names: readonly string[]): Promise<Record<string, string>> {
  const objects = (await zone.list(KINDS)).filter((object) => names.includes(nameOf(object)));
  return Object.fromEntries(objects.map((object) => [nameOf(object), object.metadata.uid]));
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

function canonical(object: KubeObject): unknown {
  const { metadata } = object;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => !HISTORY.includes(key));
  const record = at(object, "data", RECORD);
  return {
    ...without(object, "status"),
    ...(object.kind === "Service" && {
      spec: without(object["spec"] as object, "clusterIP", "clusterIPs"),
    }),
    ...(typeof record === "string" && { data: at(JSON.parse(record), "outcome", "outcome") }),
    metadata: { labels: metadata.labels, annotations: Object.fromEntries(annotations) },
  };
}

/** The object without these fields. */
export function without(object: object, ...fields: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));
}
