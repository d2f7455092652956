// The command lines of the control plane. What is not said here is the program's own default.

const LOOPBACK = "127.0.0.1";

export function etcdFlags(options: { dataDir: string; port: number; peerPort: number }): string[] {
  const client = `http://${LOOPBACK}:${options.port}`;
  const peer = `http://${LOOPBACK}:${options.peerPort}`;
  return [
    `--data-dir=${options.dataDir}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // Nobody needs this data after a crash, and syncing it costs most of the time of every write.
    "--unsafe-no-fsync",
  ];
}

export function apiServerFlags(options: {
  port: number;
  etcdPort: number;
  certDir: string;
  tokenFile: string;
  serviceAccountKeyFile: string;
}): string[] {
  return [
    `--bind-address=${LOOPBACK}`,
    `--secure-port=${options.port}`,
    `--etcd-servers=http://${LOOPBACK}:${options.etcdPort}`,
    // It makes its own serving certificate there.
    `--cert-dir=${options.certDir}`,
    `--token-auth-file=${options.tokenFile}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-signing-key-file=${options.serviceAccountKeyFile}`,
    `--service-account-key-file=${options.serviceAccountKeyFile}`,
    "--service-cluster-ip-range=10.96.0.0/16",
    // The node's name, which comes first by default, is known to no name server.
    "--kubelet-preferred-address-types=InternalIP",
    // As every distribution sets it; whether a pod may be privileged is for PodSecurity to say.
    "--allow-privileged=true",
    // It would write the loopback address into the Endpoints of the Service `kubernetes`, which are refused.
    "--endpoint-reconciler-type=none",
  ];
}

/**
 * How often a client may call: the defaults (20 to 50 a second) would make tests of a large zone wait for
 * nothing.
 */
const CLIENT_LIMITS = ["--kube-api-qps=1000", "--kube-api-burst=2000"];

export function controllerManagerFlags(options: {
  kubeconfig: string;
  serviceAccountKeyFile: string;
  rootCertificateFile: string;
}): string[] {
  return [
    `--kubeconfig=${options.kubeconfig}`,
    `--service-account-private-key-file=${options.serviceAccountKeyFile}`,
    `--root-ca-file=${options.rootCertificateFile}`,
    "--leader-elect=false",
    "--secure-port=0",
    ...CLIENT_LIMITS,
  ];
}

export function schedulerFlags(options: { kubeconfig: string }): string[] {
  return [`--kubeconfig=${options.kubeconfig}`, "--leader-elect=false", "--secure-port=0", ...CLIENT_LIMITS];
}

export function kwokFlags(options: {
  kubeconfig: string;
  config: string;
  node: string;
  kubeletPort: number;
}): string[] {
  return [
    `--kubeconfig=${options.kubeconfig}`,
    `--config=${options.config}`,
    `--manage-single-node=${options.node}`,
    // Addresses for pods: 65,000 of them, outside the range of the Services.
    "--cidr=10.244.0.1/16",
    // Where the API server finds the node's kubelet, which kwok plays: for port-forward.
    `--node-ip=${LOOPBACK}`,
    `--node-port=${options.kubeletPort}`,
    `--server-address=${LOOPBACK}:${options.kubeletPort}`,
  ];
}
