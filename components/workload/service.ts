import { type Identity, objectLabels, selectorLabels } from "./labels.ts";
import type { Service, ServicePort } from "./manifest.ts";

/** How a Service is published. */
export type ServiceType = "ClusterIP" | "NodePort" | "LoadBalancer";

/** A Service in front of the pods: each port leads to the container port of the same number. */
export function renderService(
  identity: Identity,
  ports: { name: string; port: number }[],
  type: ServiceType = "ClusterIP",
): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: identity.name, namespace: identity.namespace, labels: objectLabels(identity) },
    spec: {
      type,
      selector: selectorLabels(identity),
      ports: ports.map(({ name, port }): ServicePort => ({ name, port, targetPort: port, protocol: "TCP" })),
    },
  };
}
