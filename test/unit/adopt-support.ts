// Resources of the operator for the tests of adopt/.
import type { KubeObject } from "../../components/cluster/cluster.ts";
import type { LiveObjects } from "../../adopt/live.ts";
import { type IlmResource, type Kind, resourceOf } from "../../adopt/resources.ts";

export const TOKEN = { configTokenSecretRef: { name: "west-config" } };
export const IMAGE = { repository: "hub.example.com/x509", tag: "1" };
export const REGISTRATION = { platformUrl: "https://ilm.example.com/api", name: "X.509", authType: "none" };

/** A resource as the API server has it, with these differences in its metadata. */
export function resource(
  kind: Kind,
  name: string,
  spec: object,
  { status, ...metadata }: { status?: object | undefined } & Record<string, unknown> = { status: {} },
): IlmResource {
  return resourceOf(kind, {
    metadata: { name, namespace: "ilm", finalizers: ["otilm.com/finalizer"], ...metadata },
    spec,
    ...(status && { status }),
  });
}

export const west = (more: Record<string, unknown> = {}): IlmResource =>
  resource("Proxy", "west", TOKEN, { status: {}, ...more });

/** The owner reference of a resource. */
export function controlledBy(kind: string, name: string): KubeObject["metadata"]["ownerReferences"] {
  return [{ apiVersion: "otilm.com/v1alpha1", kind, name, controller: true }];
}

/** Live objects by kind, each of this name and with this in its metadata. */
export function live(kinds: readonly string[], name: string, metadata: object = {}): LiveObjects {
  const matchLabels = {
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/component": "proxy",
    "otilm.com/proxy": name,
  };
  return new Map(
    kinds.map((kind) => [
      kind,
      [{ kind, metadata: { name, namespace: "ilm", ...metadata }, spec: { selector: { matchLabels } } }],
    ]),
  );
}
