// Where a port-forward to a pod leads: no container listens, but a test, or a person, may do so in its place.

/** Ports of pods that lead to the same port on this machine's loopback address; the kernel gives them to nobody else. */
export const POD_PORTS = { first: 20_000, count: 200 } as const;

const { first, count } = POD_PORTS;

/** https://kwok.sigs.k8s.io/docs/user/kwok-in-cluster/port-forward-configuration/ */
export const PORT_FORWARD = {
  apiVersion: "kwok.x-k8s.io/v1alpha1",
  kind: "ClusterPortForward",
  metadata: { name: "loopback" },
  spec: {
    forwards: Array.from({ length: count }, (_, index) => ({
      ports: [first + index],
      target: { address: "127.0.0.1", port: first + index },
    })),
  },
};
