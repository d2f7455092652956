// The control plane that the tests of a run share: run.ts starts it and tells the test files through the environment.
import {
  CONTROL_PLANE_TOOLS,
  type ControlPlane,
  startControlPlane,
  type User,
} from "../../../dev/control-plane.ts";
import { WORKSPACE_TOOLS } from "../../../dev/workspace.ts";

export const TEST_TOOLS = [...CONTROL_PLANE_TOOLS, ...WORKSPACE_TOOLS, "kubectl"] as const;
export type TestTools = Record<(typeof TEST_TOOLS)[number], string>;

export interface TestCluster {
  tools: TestTools;
  /** Path of the admin's kubeconfig. */
  kubeconfig: string;
  context: string;
  /** Kubeconfigs, each with the context above. */
  users: Record<Exclude<User, "admin">, string>;
  /** Folder of the audit logs: one file for each control plane. */
  audit: string;
  /** One log file for each process of the control plane. */
  logs: string;
  /** Where the logs of failed tests go. */
  results: string;
}

const VARIABLE = "PULUMI_PROXIES_TEST_CLUSTER";

/** Kubeconfig, context, users and logs of a control plane. */
export function accessTo(
  controlPlane: ControlPlane,
): Pick<TestCluster, "kubeconfig" | "context" | "users" | "logs"> {
  return {
    kubeconfig: controlPlane.kubeconfig,
    context: controlPlane.context,
    users: {
      preview: controlPlane.kubeconfigFor("preview"),
      update: controlPlane.kubeconfigFor("update"),
      "cluster-update": controlPlane.kubeconfigFor("cluster-update"),
      stranger: controlPlane.kubeconfigFor("stranger"),
      "cluster-stranger": controlPlane.kubeconfigFor("cluster-stranger"),
    },
    logs: controlPlane.logsDir,
  };
}

export function environmentFor(cluster: TestCluster): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(cluster) };
}

export function sharedCluster(): TestCluster {
  const told = process.env[VARIABLE];
  if (told === undefined) throw new Error("run the cluster tests with `node test/run.ts cluster`");
  return JSON.parse(told) as TestCluster;
}

/**
 * Starts a control plane beside the shared one, for tests that change what concerns everybody on it; whoever asks stops
 * it. `auditLog` names its file among the audit logs.
 */
export async function startOwnCluster(
  auditLog?: string,
): Promise<{ cluster: TestCluster; controlPlane: ControlPlane }> {
  const shared = sharedCluster();
  const { tools, audit } = shared;
  const log = auditLog === undefined ? {} : { auditLog: `${audit}/${auditLog}.log` };
  const controlPlane = await startControlPlane({ tools, ...log });
  return { controlPlane, cluster: { ...shared, ...accessTo(controlPlane) } };
}
