// A complete Kubernetes control plane on this machine: etcd, API server, controllers, scheduler, one fake
// node. It listens on the loopback address only and lives in one temporary folder.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CoreV1Api, KubeConfig, VersionApi } from "@kubernetes/client-node";
import { CONTEXT, USERS, makeCredentials, tokenOf, writeKubeconfig } from "./control-plane/credentials.ts";
import type { Credentials, Program, User } from "./control-plane/credentials.ts";
import { auditFlags } from "./control-plane/audit.ts";
import {
  apiServerFlags,
  controllerManagerFlags,
  etcdFlags,
  kwokFlags,
  schedulerFlags,
} from "./control-plane/flags.ts";
import { NODE_NAME, registerNode } from "./control-plane/node.ts";
import { freePorts } from "./control-plane/ports.ts";
import { Parts } from "./control-plane/parts.ts";
import { apiServerReady, podsCanRun, servingCertificate } from "./control-plane/ready.ts";
import { startWatcher } from "./kubelet/watcher.ts";
import { kwokConfig } from "./kwok/stages.ts";
import { temporaryFolder } from "./temporary.ts";

export type { User } from "./control-plane/credentials.ts";

/** The tools that {@link startControlPlane} needs, as ensureTools (tools.ts) takes them. */
export const CONTROL_PLANE_TOOLS = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kwok",
] as const;

export interface ControlPlane {
  /** URL of the API server. */
  readonly server: string;
  /** Its Kubernetes version, such as "v1.36.3". */
  readonly version: string;
  /** Path of the kubeconfig of `admin`, who may do everything. */
  readonly kubeconfig: string;
  /** The context in that kubeconfig. */
  readonly context: string;
  /**
   * Path of a user's kubeconfig; its context is that of `admin`'s. All but `admin` have no rights until they are
   * granted.
   */
  kubeconfigFor(user: User): string;
  /** The temporary folder of this control plane. */
  readonly dir: string;
  /** One log file for each process. */
  readonly logsDir: string;
  /** Resolves with the reason, naming a log, when a process ends that nobody stopped. */
  readonly broken: Promise<Error>;
  /**
   * Ends the API server or its database, keeps it away for `awayMs` milliseconds, and starts it again with the same port
   * and data. Resolves when the API server is ready.
   */
  restart(part: "kube-apiserver" | "etcd", awayMs?: number): Promise<void>;
  /** Stops all processes and removes `dir`; with `keepFiles` it stays, for its logs. Safe to call again. */
  stop(options?: { keepFiles?: boolean }): Promise<void>;
}

export interface ControlPlaneOptions {
  readonly tools: Readonly<Record<(typeof CONTROL_PLANE_TOOLS)[number], string>>;
  readonly report?: (line: string) => void;
  /** File for the API server's audit log: what the users other than `admin` ask for. Default: none is written. */
  readonly auditLog?: string;
  /**
   * Aborting it makes a start that is under way fail; everything is stopped then. It does not stop what runs.
   */
  readonly signal?: AbortSignal;
}

/**
 * Starts a control plane, which takes about 5 seconds, and waits until pods can run on it. Throws when a part
 * does not come up, with the end of its log; nothing is left running then, and the logs are kept.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { report = () => undefined } = options;
  const begin = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const parts = new Parts(await temporaryFolder("cluster"));
    try {
      const controlPlane = await start(parts, options);
      report(
        `control plane ready at ${controlPlane.server} after ${((Date.now() - begin) / 1000).toFixed(1)} s`,
      );
      return controlPlane;
    } catch (error) {
      // Between our looking for free ports and their use, another program can have taken one.
      const again = attempt < 3 && parts.sawPortInUse();
      const aborted = options.signal?.aborted === true;
      await parts.stop({ keepFiles: !again && !aborted });
      if (!again) throw error;
      report("a port was taken by another program; starting again with others");
    }
  }
}

async function start(parts: Parts, { tools, signal, auditLog }: ControlPlaneOptions): Promise<ControlPlane> {
  const { dir } = parts;
  const credentials = makeCredentials(dir);
  const [port = 0, etcdPort = 0, peerPort = 0, kubeletPort = 0] = await freePorts(4);
  const server = `https://127.0.0.1:${port}`;
  const certDir = join(dir, "certificates");

  await parts.run("etcd", tools.etcd, etcdFlags({ dataDir: join(dir, "etcd"), port: etcdPort, peerPort }));
  const apiServer = apiServerFlags({ port, etcdPort, certDir, ...credentials });
  const audit = auditLog === undefined ? [] : auditFlags(dir, auditLog);
  await parts.run("kube-apiserver", tools["kube-apiserver"], [...apiServer, ...audit]);
  const certificateFile = join(certDir, "apiserver.crt");
  const certificate = await servingCertificate(certificateFile, parts.processes, signal);
  const kubeconfigOf = (user: User | Program): string =>
    writeFor(user, dir, credentials, server, certificate);
  const kubeconfigs = new Map(USERS.map((user) => [user, kubeconfigOf(user)]));
  const admin = kubeconfigOf("admin");
  await apiServerReady(server, certificate, tokenOf(credentials, "admin"), parts.processes, signal);

  const config = new KubeConfig();
  config.loadFromFile(admin);
  const api = config.makeApiClient(CoreV1Api);
  const { gitVersion: version } = await config.makeApiClient(VersionApi).getCode();
  const kwok = join(dir, "kwok.yaml");
  writeFileSync(kwok, kwokConfig());
  const controllers = controllerManagerFlags({
    kubeconfig: kubeconfigOf("system:kube-controller-manager"),
    serviceAccountKeyFile: credentials.serviceAccountKeyFile,
    rootCertificateFile: certificateFile,
  });
  const kubelet = kubeconfigOf("system:kubelet");
  const kwokArgs = kwokFlags({ kubeconfig: kubelet, config: kwok, node: NODE_NAME, kubeletPort });
  const scheduler = schedulerFlags({ kubeconfig: kubeconfigOf("system:kube-scheduler") });
  await Promise.all([
    parts.run("kube-controller-manager", tools["kube-controller-manager"], controllers),
    parts.run("kube-scheduler", tools["kube-scheduler"], scheduler),
    parts.run("kwok", tools.kwok, kwokArgs),
    registerNode(api, version, kubeletPort),
  ]);
  parts.watcher = startWatcher({
    kubeconfig: kubelet,
    node: NODE_NAME,
    logFile: join(parts.logsDir, "kubelet.log"),
  });
  await podsCanRun(api, parts.processes, signal);

  return {
    server,
    version,
    kubeconfig: admin,
    context: CONTEXT,
    kubeconfigFor: (user) => {
      const file = kubeconfigs.get(user);
      if (file === undefined)
        throw new Error(`the local cluster has no user "${user}", but ${USERS.join(", ")}`);
      return file;
    },
    dir,
    logsDir: parts.logsDir,
    broken: parts.broken,
    restart: async (part, awayMs = 0) => {
      await parts.restart(part, awayMs);
      await apiServerReady(server, certificate, tokenOf(credentials, "admin"), parts.processes, undefined);
    },
    stop: (stopOptions) => parts.stop(stopOptions),
  };
}

function writeFor(
  user: User | Program,
  dir: string,
  credentials: Credentials,
  server: string,
  certificate: string,
): string {
  const file = join(dir, `kubeconfig-${user.replace(":", "-")}`);
  writeKubeconfig({ file, user, token: tokenOf(credentials, user), server, certificate });
  return file;
}
