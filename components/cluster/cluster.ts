/** The live cluster as this project sees it: raw API objects, read and patched, and what became of a request. */

/** An object as the API server returns it. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    generation?: number;
    resourceVersion?: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { apiVersion?: string; kind: string; name: string; controller?: boolean }[];
    managedFields?: ManagedFieldsEntry[];
  };
  [field: string]: unknown;
}

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: FieldSet;
  subresource?: string;
}

/** A set of field paths in the FieldsV1 form. */
export interface FieldSet {
  [key: string]: FieldSet;
}

/** A kind that is read or owned here, and where the API server serves it. */
export interface Resource {
  kind: string;
  /** `v1`, `apps/v1` ... */
  apiVersion: string;
  plural: string;
}

/** What became of a request. Unknown (forbidden, unreachable) is not absent. */
export type Outcome<T> =
  | { outcome: "found"; value: T }
  | { outcome: "missing" }
  | { outcome: "forbidden"; detail: string }
  | { outcome: "unreachable"; detail: string };

export type PatchOutcome = Outcome<KubeObject> | { outcome: "conflict"; detail: string };

export interface JsonPatchOperation {
  op: "test" | "replace";
  path: string;
  value: unknown;
}

/** All that is asked of a cluster. Nothing here throws for what a cluster may answer. */
export interface Cluster {
  get(resource: Resource, namespace: string | undefined, name: string): Promise<Outcome<KubeObject>>;
  list(resource: Resource, namespace: string, labelSelector?: string): Promise<Outcome<KubeObject[]>>;
  /** Whether the cluster serves a kind; `missing` when it does not. */
  serves(resource: Resource): Promise<Outcome<true>>;
  /** What the API server would make of a new object, whatever its name; nothing is made. */
  dryRunCreate(resource: Resource, namespace: string, manifest: object): Promise<Outcome<KubeObject>>;
  jsonPatch(
    resource: Resource,
    namespace: string,
    name: string,
    patch: readonly JsonPatchOperation[],
  ): Promise<PatchOutcome>;
}

const resource = (kind: string, apiVersion: string, plural: string): Resource => ({
  kind,
  apiVersion,
  plural,
});

export const NAMESPACES = resource("Namespace", "v1", "namespaces");
export const PODS = resource("Pod", "v1", "pods");
export const SECRETS = resource("Secret", "v1", "secrets");
export const CONFIG_MAPS = resource("ConfigMap", "v1", "configmaps");
export const SERVICE_ACCOUNTS = resource("ServiceAccount", "v1", "serviceaccounts");
export const SERVICES = resource("Service", "v1", "services");
export const DEPLOYMENTS = resource("Deployment", "apps/v1", "deployments");
export const POD_DISRUPTION_BUDGETS = resource("PodDisruptionBudget", "policy/v1", "poddisruptionbudgets");
export const HORIZONTAL_POD_AUTOSCALERS = resource(
  "HorizontalPodAutoscaler",
  "autoscaling/v2",
  "horizontalpodautoscalers",
);
export const NETWORK_POLICIES = resource("NetworkPolicy", "networking.k8s.io/v1", "networkpolicies");
export const SERVICE_MONITORS = resource("ServiceMonitor", "monitoring.coreos.com/v1", "servicemonitors");
