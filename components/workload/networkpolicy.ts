import { type Identity, objectLabels, selectorLabels } from "./labels.ts";
import type { NetworkPolicy } from "./manifest.ts";

/** Admits pods of the same namespace to the given ports, and nobody else. Egress stays open. */
export function renderNetworkPolicy(identity: Identity, ports: readonly number[]): NetworkPolicy {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: identity.name, namespace: identity.namespace, labels: objectLabels(identity) },
    spec: {
      podSelector: { matchLabels: selectorLabels(identity) },
      policyTypes: ["Ingress"],
      ingress: [{ ports: ports.map((port) => ({ port, protocol: "TCP" })), from: [{ podSelector: {} }] }],
    },
  };
}
