// The one node of the local cluster. No kubelet runs on it: kwok and ./kubelet play one.

import type { CoreV1Api, V1Node } from "@kubernetes/client-node";

export const NODE_NAME = "node-1";

/** Registers the node, with room for whatever a test schedules. */
export async function registerNode(
  api: CoreV1Api,
  kubeletVersion: string,
  kubeletPort: number,
): Promise<void> {
  const room = { cpu: "1000", memory: "1Ti", "ephemeral-storage": "1Ti", pods: "10000" };
  const node: V1Node = {
    metadata: {
      name: NODE_NAME,
      labels: {
        "kubernetes.io/hostname": NODE_NAME,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
      },
    },
    status: {
      capacity: room,
      allocatable: room,
      addresses: [
        { type: "InternalIP", address: "127.0.0.1" },
        { type: "Hostname", address: NODE_NAME },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
      nodeInfo: {
        architecture: "amd64",
        operatingSystem: "linux",
        osImage: "none",
        kernelVersion: "none",
        containerRuntimeVersion: "kwok://none",
        kubeletVersion,
        kubeProxyVersion: kubeletVersion,
        machineID: "",
        bootID: "",
        systemUUID: "",
      },
    },
  };
  await api.createNode({ body: node });
}
