/** The live cluster as this project sees it: raw API objects, read and patched, and what became of a request. */
import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";

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

/** One HTTP request to a port of a pod, and its bounds. */
export interface PodRequest {
  method: "GET" | "POST";
  /** With the query, encoded as it is sent. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Milliseconds for all of it, from opening the way to the last byte of the answer. */
  timeoutMs: number;
  /** An answer with a longer body is not read to its end. */
  maxBytes: number;
}

/** Why a pod gave no answer. */
export type NoAnswer =
  /** Nothing listens on the port. */
  | "refused"
  | "timeout"
  /** The connection ended too early, or what came is not HTTP. */
  | "broken"
  /** There is no such pod. */
  | "missing"
  /** Port-forward is not allowed to us. */
  | "forbidden"
  /** The API server, or the way from there to the pod, failed. */
  | "unreachable";

/** What became of a request to a pod. `detail` is one of a few fixed phrases: nothing that anybody answered is in it. */
export type HttpAnswer =
  | { outcome: "answered"; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { outcome: "too large"; status: number; detail: string }
  | { outcome: NoAnswer; detail: string };

/** All that is asked of a cluster. Only streams throw for what a cluster may answer. */
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
  /**
   * Opens a stream to a port of a pod, through the API server's port-forward: nothing else need be reachable, and no
   * proxy is used between the pod and us but the kubeconfig's own. `end` destroys it. What fails, now or later, is a
   * StreamFailure.
   */
  openStream(namespace: string, pod: string, port: number, end: AbortSignal): Promise<Duplex>;
  /** Sends one HTTP request over such a stream. Redirects are not followed. */
  ask(namespace: string, pod: string, port: number, request: PodRequest): Promise<HttpAnswer>;
  /** Makes an object under our field manager; one that is there already is a conflict. */
  create(resource: Resource, namespace: string, manifest: object): Promise<PatchOutcome>;
  /** Deletes exactly this object, as it was read; another one or another state of it is a conflict. */
  remove(
    resource: Resource,
    namespace: string,
    name: string,
    preconditions: { uid: string; resourceVersion: string },
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
