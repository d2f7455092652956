import type { ConnectorSpec } from "../../components/connector/args.ts";
import { type ConnectorInput, connectorManifests } from "../../components/connector/manifests.ts";
import type { Identity } from "../../components/workload/labels.ts";
import type { WorkloadManifests } from "../../components/workload/workload.ts";

export const IMAGE = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };

const identity: Identity = { name: "x509", namespace: "ilm", component: "connector" };

/** What the smallest connector is rendered from, with the given differences. */
export function connectorInput(
  spec: Partial<ConnectorSpec> = {},
  differences: Partial<ConnectorInput> = {},
): ConnectorInput {
  return {
    identity,
    spec: { image: IMAGE, ...spec },
    zone: { clusterDomain: "cluster.local" },
    checksum: undefined,
    guarded: {},
    annotations: {},
    ...differences,
  };
}

export function renderConnector(
  spec?: Partial<ConnectorSpec>,
  differences?: Partial<ConnectorInput>,
): WorkloadManifests {
  return connectorManifests(connectorInput(spec, differences));
}
