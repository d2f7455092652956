import { type Identity, objectLabels, selectorLabels } from "./labels.ts";
import type { NetworkPolicy } from "./manifest.ts";
import type { NetworkPolicyEgressRuleSpec, NetworkPolicySpec } from "./network-specs.ts";

/** DNS servers listen on 53, those of OpenShift's pods on 5353; a node's cache has no selector, so any server will do. */
const DNS: NetworkPolicyEgressRuleSpec = {
  ports: [53, 5353].flatMap((port) => [
    { port, protocol: "UDP" as const },
    { port, protocol: "TCP" as const },
  ]),
};

/**
 * Admits pods of the same namespace, and the peers of `allowFrom`, to the given ports, and nobody else. Egress stays
 * open unless rules are given.
 */
export function renderNetworkPolicy(
  identity: Identity,
  ports: readonly number[],
  { allowFrom = [], egress }: NetworkPolicySpec = {},
): NetworkPolicy {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: identity.name, namespace: identity.namespace, labels: objectLabels(identity) },
    spec: {
      podSelector: { matchLabels: selectorLabels(identity) },
      policyTypes: egress === undefined ? ["Ingress"] : ["Ingress", "Egress"],
      ingress: [
        {
          ports: ports.map((port) => ({ port, protocol: "TCP" })),
          from: [{ podSelector: {} }, ...allowFrom],
        },
      ],
      ...(egress && { egress: [DNS, ...egress] }),
    },
  };
}
