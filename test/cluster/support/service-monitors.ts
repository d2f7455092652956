// The kind that the Prometheus operator brings, where a test's control plane is to serve it.
import { serveCrds } from "./crds.ts";
import type { TestZone } from "./zone.ts";

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "servicemonitors.monitoring.coreos.com" },
  spec: {
    group: "monitoring.coreos.com",
    scope: "Namespaced",
    names: {
      kind: "ServiceMonitor",
      plural: "servicemonitors",
      singular: "servicemonitor",
      listKind: "ServiceMonitorList",
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
};

/** Has the zone's API server serve it: for everybody, so that the control plane must be the test's own. */
export function serveServiceMonitors(zone: TestZone): Promise<void> {
  return serveCrds(zone, [CRD.metadata.name], JSON.stringify(CRD));
}
