import { type Identity, objectLabels } from "./labels.ts";
import type { ServiceAccount } from "./manifest.ts";
import type { ServiceAccountSpec } from "./pod-specs.ts";

/** Name of the account under which the pods run: the workload's own unless another is given. */
export function serviceAccountName(name: string, spec: { name?: string | undefined } | undefined): string {
  return spec?.name ?? name;
}

/** The identity of the pods towards the API server; no rights are bound to it. */
export function renderServiceAccount(
  identity: Identity,
  spec: ServiceAccountSpec | undefined,
): ServiceAccount {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: {
      name: serviceAccountName(identity.name, spec),
      namespace: identity.namespace,
      labels: objectLabels(identity),
      ...(spec?.annotations && { annotations: spec.annotations }),
    },
  };
}
