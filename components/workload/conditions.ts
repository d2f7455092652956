/** A condition in the sense of the Kubernetes API conventions. */
export interface Condition {
  type: "Progressing" | "Available" | "Degraded" | "TokenExpiring" | "ServiceMonitorReady";
  status: "True" | "False" | "Unknown";
  /** One word in CamelCase: for programs. */
  reason: string;
  /** One sentence: for people. Never holds a secret value. */
  message: string;
}

/** What status is told of a live Deployment. */
export interface LiveDeployment {
  /** Another one under the same name is another Deployment. */
  uid: string;
  /** Whether it has been deleted and only waits for its pods to go. */
  terminating: boolean;
  generation: number;
  observedGeneration: number;
  /** Declared replicas. */
  desired: number;
  /** Pods of any template. */
  total: number;
  /** Pods of the current template. */
  updated: number;
  ready: number;
  available: number;
  conditions: { type: string; status: string; reason: string; message: string; lastUpdateTime: string }[];
}

/** A Deployment as the API server returns it. */
export interface RawDeployment {
  metadata: { uid?: string; generation?: number; deletionTimestamp?: string };
  [field: string]: unknown;
}

/** Reads the numbers of a live Deployment; what the API server leaves out has its default. */
export function readDeployment(raw: RawDeployment): LiveDeployment {
  const spec = (raw["spec"] ?? {}) as { replicas?: number };
  const status = (raw["status"] ?? {}) as {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    conditions?: { type: string; status: string }[];
  };
  return {
    uid: raw.metadata.uid ?? "",
    terminating: raw.metadata.deletionTimestamp !== undefined,
    generation: raw.metadata.generation ?? 0,
    observedGeneration: status.observedGeneration ?? 0,
    desired: spec.replicas ?? 1,
    total: status.replicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    ready: status.readyReplicas ?? 0,
    available: status.availableReplicas ?? 0,
    conditions: (status.conditions ?? []).map((condition) => ({
      reason: "",
      message: "",
      lastUpdateTime: "",
      ...condition,
    })),
  };
}

export type RolloutState =
  /** The current template has been rolled out. Later unreadiness does not undo that. */
  | { state: "complete" }
  | { state: "progressing"; detail: string }
  /** Kubernetes gave up, or pods can't be made. */
  | {
      state: "failed";
      reason: "ProgressDeadlineExceeded" | "ReplicaFailure" | "DeploymentPaused" | "Terminating";
      detail: string;
    };

/**
 * Whether a failed rollout is that of a template before: the controller has seen the new one, but said nothing new of
 * its progress since `before`.
 */
export function isStale(live: LiveDeployment, before: LiveDeployment | undefined): boolean {
  const said = (deployment: LiveDeployment) =>
    deployment.conditions.find(({ type }) => type === "Progressing")?.lastUpdateTime;
  return live.uid === before?.uid && live.generation !== before.generation && said(live) === said(before);
}

/** How far the rollout of the current template is, as `kubectl rollout status` would judge it. */
export function rolloutState(live: LiveDeployment): RolloutState {
  const condition = (type: string) => live.conditions.find((entry) => entry.type === type);
  const progressing = condition("Progressing");
  if (live.terminating) return { state: "failed", reason: "Terminating", detail: "it is being deleted" };
  const observed = live.observedGeneration >= live.generation;
  if (!observed) return { state: "progressing", detail: "the controller has not taken up the change yet" };
  const replicaFailure = condition("ReplicaFailure");
  if (replicaFailure?.status === "True") {
    return { state: "failed", reason: "ReplicaFailure", detail: replicaFailure.message };
  }
  if (progressing?.reason === "ProgressDeadlineExceeded") {
    return { state: "failed", reason: "ProgressDeadlineExceeded", detail: progressing.message };
  }
  if (live.desired === 0 || progressing?.reason === "NewReplicaSetAvailable") return { state: "complete" };
  if (progressing?.reason === "DeploymentPaused") {
    // The reason has overwritten whether the rollout had completed before.
    const rolledOut =
      live.available === live.desired && live.updated === live.desired && live.total === live.desired;
    return rolledOut
      ? { state: "complete" }
      : {
          state: "failed",
          reason: "DeploymentPaused",
          detail: "somebody paused it; `kubectl rollout resume` goes on",
        };
  }
  return {
    state: "progressing",
    detail: `${live.updated}/${live.desired} updated, ${live.available} available`,
  };
}
