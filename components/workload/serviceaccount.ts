import { type Identity, objectLabels } from "./labels.ts";
import type { ServiceAccount } from "./manifest.ts";

/** The identity of the pods towards the API server; no rights are bound to it. */
export function renderServiceAccount(identity: Identity): ServiceAccount {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: identity.name, namespace: identity.namespace, labels: objectLabels(identity) },
  };
}
