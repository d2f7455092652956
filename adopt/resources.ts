// The operator's custom resources, whoever has read them.
import type { Resource } from "../components/cluster/cluster.ts";
import { isMap } from "../components/workload/validation.ts";

export const API_VERSION = "otilm.com/v1alpha1";
export const FINALIZER = "otilm.com/finalizer";

/** What is known of each kind: `key` holds its specs in a stack file, `component` is the value of the pods' label. */
export const KINDS = {
  Proxy: { plural: "proxies", key: "proxies", component: "proxy" },
  Connector: { plural: "connectors", key: "connectors", component: "connector" },
} as const;
export type Kind = keyof typeof KINDS;

/** One custom resource, as far as it matters here. */
export interface IlmResource {
  kind: Kind;
  name: string;
  /** Undefined where a file does not say. */
  namespace: string | undefined;
  spec: unknown;
  /** Whether the operator has told anything of it; without, nobody knows whether it is registered. */
  hasStatus: boolean;
  /** The uuid under which the platform has it. */
  uuid: string | undefined;
  /** Undefined where a file has none, which says nothing. */
  finalizers: string[] | undefined;
  isDeleting: boolean;
}

/** The kind as the API server serves it. */
export function served(kind: Kind): Resource {
  return { kind, apiVersion: API_VERSION, plural: KINDS[kind].plural };
}

/** The type as kubectl takes it, such as `proxies.otilm.com`. */
export function typeOf(kind: Kind): string {
  return `${KINDS[kind].plural}.otilm.com`;
}

/** Narrows an object of the API to a resource of this kind. */
export function resourceOf(kind: Kind, object: Record<string, unknown>): IlmResource {
  const metadata = isMap(object["metadata"]) ? object["metadata"] : {};
  const status = isMap(object["status"]) ? object["status"] : undefined;
  const registration = isMap(status?.["registration"]) ? status["registration"] : {};
  const { finalizers } = metadata;
  return {
    kind,
    name: text(metadata["name"]) ?? "",
    namespace: text(metadata["namespace"]),
    spec: object["spec"],
    hasStatus: status !== undefined,
    uuid: text(registration["uuid"]),
    finalizers: Array.isArray(finalizers) ? finalizers.map(String) : undefined,
    isDeleting: metadata["deletionTimestamp"] !== undefined,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
