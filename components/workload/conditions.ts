/**
 * A condition in the sense of the Kubernetes API conventions:
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
export interface Condition {
  type: "Progressing" | "Available" | "Degraded" | "TokenExpiring" | "ServiceMonitorReady" | "Healthy";
  status: "True" | "False" | "Unknown";
  /** One word in CamelCase: for programs. */
  reason: string;
  /** One sentence: for people. Never holds a secret value. */
  message: string;
  /** When a run saw this status for the first time (RFC 3339, UTC, to the second); reason and message do not count. */
  lastTransitionTime: string;
}

/** A condition as a run judges it, before it is known since when. */
export type Judgement = Omit<Condition, "lastTransitionTime">;

/** What the run before said of a condition, as far as the next one cares. */
export interface PreviousCondition {
  type: string;
  status: string;
  reason?: string | undefined;
  message?: string | undefined;
  lastTransitionTime: string;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The conditions that somebody recorded, such as the run before; whatever does not look like one is left out. */
export function readConditions(recorded: unknown): PreviousCondition[] {
  if (!Array.isArray(recorded)) return [];
  return recorded.flatMap((entry: unknown): PreviousCondition[] => {
    const { type, status, reason, message, lastTransitionTime } = (entry ?? {}) as Record<string, unknown>;
    const isTime = typeof lastTransitionTime === "string" && TIME.test(lastTransitionTime);
    if (typeof type !== "string" || typeof status !== "string" || !isTime) return [];
    const isSaid = typeof reason === "string" && typeof message === "string";
    return [{ type, status, ...(isSaid && { reason, message }), lastTransitionTime }];
  });
}

/** Conditions with their times: that of the run before while the status is the same, else this run's. */
export function withTransitionTimes(
  judgements: readonly Judgement[],
  previous: readonly PreviousCondition[],
  now: Date,
): Condition[] {
  return judgements.map((condition) => {
    const before = previous.find(
      ({ type, status }) => type === condition.type && status === condition.status,
    );
    return { ...condition, lastTransitionTime: before?.lastTransitionTime ?? rfc3339(now) };
  });
}

/** RFC 3339, UTC, to the second. */
export function rfc3339(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, "Z");
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
 * Whether a failed rollout is that of a template before, or of something that its pods lacked and this run has made
 * (`mended`): the controller has not said the failure anew since `before`.
 */
export function isStale(live: LiveDeployment, before: LiveDeployment | undefined, mended: boolean): boolean {
  const isReplicaFailure = live.conditions.some(
    ({ type, status }) => type === "ReplicaFailure" && status === "True",
  );
  const telling = isReplicaFailure ? "ReplicaFailure" : "Progressing";
  const said = (deployment: LiveDeployment) =>
    deployment.conditions.find(({ type }) => type === telling)?.lastUpdateTime;
  const sameDeployment = live.uid === before?.uid;
  return sameDeployment && (mended || live.generation !== before.generation) && said(live) === said(before);
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
  // While Recreate ends the old pods, Kubernetes still speaks of the rollout before.
  const begun = live.updated >= live.desired;
  if (live.desired === 0 || (progressing?.reason === "NewReplicaSetAvailable" && begun)) {
    return { state: "complete" };
  }
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
