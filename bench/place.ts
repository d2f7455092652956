// Where the benchmark runs: a control plane of its own, an identity whose requests are counted, and namespaces with tokens.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppsV1Api, CoreV1Api, KubeConfig, RbacAuthorizationV1Api } from "@kubernetes/client-node";
import { CONTROL_PLANE_TOOLS, startControlPlane } from "../dev/control-plane.ts";
import { removeFolder, temporaryFolder } from "../dev/temporary.ts";
import { makeToken } from "../dev/token.ts";
import { ensureTools } from "../dev/tools.ts";
import { WORKSPACE_TOOLS } from "../dev/workspace.ts";

const TOOLS = [...CONTROL_PLANE_TOOLS, ...WORKSPACE_TOOLS, "kubectl", "helm"] as const;

/** The one who runs every command; `admin`, who prepares, is not in the audit log. */
export const USER = "update";

/** Requests that one preparation sends side by side. */
const SIDE_BY_SIDE = 50;

export interface Place {
  tools: Record<(typeof TOOLS)[number], string>;
  /** Of {@link USER}. */
  kubeconfig: string;
  context: string;
  kubernetesVersion: string;
  auditLog: string;
  makeNamespace(name: string): Promise<void>;
  /** Deletes it and waits until all of it is gone. */
  removeNamespace(name: string): Promise<void>;
  /** Puts a new token in place for each of these proxies; returns their checksums. */
  putTokens(namespace: string, proxies: readonly string[]): Promise<Record<string, string>>;
  /** Waits until every rollout of the namespace has ended, whoever waited for it or not. */
  quiet(namespace: string): Promise<void>;
  /** Bytes of the Secrets that hold Helm's releases. */
  releaseBytes(namespace: string): Promise<number>;
  stop(): Promise<void>;
}

export async function openPlace(report: (line: string) => void, signal: AbortSignal): Promise<Place> {
  const tools = await ensureTools(TOOLS, report);
  const audit = await temporaryFolder("bench-audit");
  const auditLog = join(audit, "audit.log");
  const controlPlane = await startControlPlane({ tools, report, signal, auditLog });
  const config = new KubeConfig();
  config.loadFromFile(controlPlane.kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const apps = config.makeApiClient(AppsV1Api);
  await config.makeApiClient(RbacAuthorizationV1Api).createClusterRoleBinding({
    body: {
      metadata: { name: "bench" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: USER }],
    },
  });
  return {
    tools,
    kubeconfig: controlPlane.kubeconfigFor(USER),
    context: controlPlane.context,
    kubernetesVersion: controlPlane.version,
    auditLog,
    makeNamespace: async (name) => {
      await core.createNamespace({ body: { metadata: { name } } });
    },
    removeNamespace: async (name) => {
      await core.deleteNamespace({ name });
      const isThere = async (): Promise<boolean> =>
        (await core.listNamespace()).items.some(({ metadata }) => metadata?.name === name);
      while (await isThere()) await pause(signal);
    },
    putTokens: (namespace, proxies) => putTokens(core, namespace, proxies),
    quiet: async (namespace) => {
      while (!(await isQuiet(apps, namespace))) await pause(signal);
    },
    releaseBytes: async (namespace) => {
      const secrets = await core.listNamespacedSecret({ namespace, labelSelector: "owner=helm" });
      return secrets.items.reduce((sum, { data }) => sum + (data?.["release"]?.length ?? 0), 0);
    },
    stop: async () => {
      await controlPlane.stop();
      await removeFolder(audit);
    },
  };
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(500, undefined, { signal });
}

async function isQuiet(apps: AppsV1Api, namespace: string): Promise<boolean> {
  const { items } = await apps.listNamespacedDeployment({ namespace });
  return items.every(({ metadata, spec, status = {} }) => {
    const all = [status.replicas, status.updatedReplicas, status.availableReplicas];
    return (
      status.observedGeneration === metadata?.generation &&
      all.every((count) => (count ?? 0) === spec?.replicas)
    );
  });
}

async function putTokens(
  core: CoreV1Api,
  namespace: string,
  proxies: readonly string[],
): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {};
  const put = async (proxy: string): Promise<void> => {
    const token = await makeToken("90d");
    const name = `${proxy}-config`;
    const body = { metadata: { name }, stringData: { configToken: token } };
    const known = await core.listNamespacedSecret({ namespace, fieldSelector: `metadata.name=${name}` });
    await (known.items.length === 0
      ? core.createNamespacedSecret({ namespace, body })
      : core.replaceNamespacedSecret({ namespace, name, body }));
    checksums[proxy] = createHash("sha256").update(token).digest("hex");
  };
  for (let at = 0; at < proxies.length; at += SIDE_BY_SIDE)
    await Promise.all(proxies.slice(at, at + SIDE_BY_SIDE).map(put));
  return checksums;
}
