import {
  type Condition,
  type Judgement,
  type LiveDeployment,
  type PreviousCondition,
  type RolloutState,
  rolloutState,
  withTransitionTimes,
} from "../workload/conditions.ts";
import type { ProxySpec } from "./args.ts";
import { type TokenFacts, tokenExpiring, tokenMessage, tokenState, tokenSummary } from "./token.ts";

/** The documented phases of a Proxy, and `Unknown` (ours): a preview that could not read the cluster. */
export type Phase = "Deploying" | "Running" | "Updating" | "ScaledDown" | "Failed" | "Unknown";

/** All that the status of a Proxy depends on. */
export interface ProxyFacts extends TokenFacts {
  /** Whether a ServiceMonitor is wanted and, when it is, whether the cluster serves the kind. */
  serviceMonitor: "unwanted" | "yes" | "no" | "unknown";
  live:
    | { state: "found"; deployment: LiveDeployment }
    | { state: "absent" }
    | { state: "unknown"; detail: string };
  /** What the run before said; empty when there was none. */
  previous: readonly PreviousCondition[];
}

export interface ProxyStatus {
  phase: Phase;
  conditions: Condition[];
}

/** Phase and conditions of a Proxy: the operator's documented ones, judged by generation and updated replicas too. */
export function proxyStatus(facts: ProxyFacts): ProxyStatus {
  const { phase, conditions } = judge(facts);
  return { phase, conditions: withTransitionTimes(conditions, facts.previous, facts.now) };
}

function judge(facts: ProxyFacts): { phase: Phase; conditions: Judgement[] } {
  if (facts.references.outcome === "missing") {
    const { reason, message } = facts.references;
    return {
      phase: "Failed",
      conditions: [
        { type: "Available", status: "False", reason, message },
        { type: "Degraded", status: "True", reason, message },
        ...tokenExpiring(facts),
        ...serviceMonitorReady(facts),
      ],
    };
  }
  const { phase, progressing, available, failure } = workloadStatus(facts);
  return {
    phase,
    conditions: [
      progressing,
      available,
      degraded(facts, phase, failure),
      ...tokenExpiring(facts),
      ...serviceMonitorReady(facts),
    ],
  };
}

/** What people should hear of in every run until it is mended; one line per cause. */
export function proxyWarnings({ conditions, phase }: ProxyStatus): string[] {
  const of = (type: Condition["type"]) => conditions.find((condition) => condition.type === type);
  const [available, degraded, monitor] = [of("Available"), of("Degraded"), of("ServiceMonitorReady")];
  const token = of("TokenExpiring");
  const warnings: string[] = [];
  // An expired token is Degraded's own reason where nothing worse is.
  const tokenWarnings =
    token?.status === "True" && token.reason !== degraded?.reason
      ? [`${token.reason}: ${token.message}`]
      : [];
  // That the cluster can't be read was said once, when the zone was opened.
  if (phase === "Unknown") {
    if (degraded?.status === "True") warnings.push(`${degraded.reason}: ${degraded.message}`);
    return [...warnings, ...tokenWarnings];
  }
  // What a preview is about to create is not late.
  const late = (phase === "Updating" || phase === "Deploying") && of("Progressing")?.reason !== "Reconciling";
  if (degraded !== undefined && degraded.status !== "False") {
    warnings.push(`${degraded.reason}: ${degraded.message}`);
  } else if (late) {
    warnings.push(`${phase}: ${available?.message ?? ""}`);
  }
  warnings.push(...tokenWarnings);
  if (monitor !== undefined && monitor.status !== "True")
    warnings.push(`${monitor.reason}: ${monitor.message}`);
  return warnings;
}

/**
 * One line for CI and dashboards: phase, pods, version and token, or why it is Failed or Unknown. It changes when one
 * of them does, never because time passed, but for the token's warning and end.
 */
export function proxySummary(facts: ProxyFacts, version: string): string {
  const { phase, conditions } = proxyStatus(facts);
  const of = (type: Condition["type"]) => conditions.find((condition) => condition.type === type);
  const [available, degraded] = [of("Available"), of("Degraded")];
  const why = phase === "Failed" ? degraded : phase === "Unknown" ? available : undefined;
  const { live } = facts;
  const parts =
    why !== undefined
      ? [`${phase}: ${why.reason}: ${why.message}`]
      : [
          phase,
          ...(live.state === "found" && phase !== "ScaledDown"
            ? [`${live.deployment.ready}/${live.deployment.desired} ready`]
            : []),
          `version ${version}`,
          ...tokenSummary(facts),
          ...(degraded?.status === "Unknown" ? [`${degraded.reason}: ${degraded.message}`] : []),
        ];
  return parts.join(", ").replace(/\s+/g, " ");
}

/** Whether there is no use in waiting for the pods. */
export function cannotRoll(spec: ProxySpec, facts: TokenFacts): boolean {
  return spec.replicas === 0 || facts.references.outcome === "missing" || tokenState(facts) === "expired";
}

type Failure = Extract<RolloutState, { state: "failed" }>;

interface WorkloadStatus {
  phase: Phase;
  progressing: Judgement;
  available: Judgement;
  failure?: Failure;
}

function workloadStatus({ live }: ProxyFacts): WorkloadStatus {
  if (live.state === "unknown") {
    const unknown = { status: "Unknown", reason: "ClusterUnreadable", message: live.detail } as const;
    return {
      phase: "Unknown",
      progressing: { type: "Progressing", ...unknown },
      available: { type: "Available", ...unknown },
    };
  }
  if (live.state === "absent") {
    const message = "the Deployment does not exist yet";
    return {
      phase: "Deploying",
      progressing: { type: "Progressing", status: "True", reason: "Reconciling", message },
      available: { type: "Available", status: "False", reason: "WaitingForReplicas", message },
    };
  }
  const { deployment } = live;
  if (deployment.desired === 0) {
    const scaled = {
      status: "False",
      reason: "ScaledToZero",
      message: "replicas is 0: the proxy is paused",
    } as const;
    return {
      phase: "ScaledDown",
      progressing: { type: "Progressing", ...scaled },
      available: { type: "Available", ...scaled },
    };
  }
  return runningStatus(deployment, rolloutState(deployment));
}

function runningStatus(deployment: LiveDeployment, rollout: RolloutState): WorkloadStatus {
  const { ready, desired, updated } = deployment;
  const counted = `${ready}/${desired} replicas ready`;
  const available: Judgement =
    ready === 0
      ? { type: "Available", status: "False", reason: "WaitingForReplicas", message: counted }
      : ready < desired
        ? { type: "Available", status: "True", reason: "SomeReplicasReady", message: counted }
        : { type: "Available", status: "True", reason: "AllReplicasReady", message: counted };
  if (rollout.state === "failed") {
    const { reason, detail: message } = rollout;
    return {
      phase: "Failed",
      progressing: { type: "Progressing", status: "False", reason, message },
      available: ready === 0 ? { ...available, reason, message } : available,
      failure: rollout,
    };
  }
  if (rollout.state === "complete" && ready === desired && updated === desired) {
    return {
      phase: "Running",
      progressing: { type: "Progressing", status: "False", reason: "DeploymentComplete", message: counted },
      available,
    };
  }
  const message = rollout.state === "progressing" ? rollout.detail : counted;
  return ready === 0
    ? {
        phase: "Deploying",
        progressing: { type: "Progressing", status: "True", reason: "WaitingForReplicas", message },
        available,
      }
    : {
        phase: "Updating",
        progressing: { type: "Progressing", status: "True", reason: "RolloutInProgress", message },
        available,
      };
}

/** The most helpful cause first: pods that can't be made, then a token that can't work, then a rollout that hangs. */
function degraded(facts: ProxyFacts, phase: Phase, failure: Failure | undefined): Judgement {
  const degradedBy = (reason: string, message: string): Judgement => ({
    type: "Degraded",
    status: "True",
    reason,
    message,
  });
  if (failure?.reason === "ReplicaFailure") return degradedBy(failure.reason, failure.detail);
  if (tokenState(facts) === "expired")
    return degradedBy("ConfigTokenExpired", tokenMessage(facts, "expired"));
  if (failure !== undefined) return degradedBy(failure.reason, failure.detail);
  if (facts.references.outcome === "unknown") {
    const { message } = facts.references;
    return { type: "Degraded", status: "Unknown", reason: "ReferenceUnreadable", message };
  }
  return phase === "Running"
    ? { type: "Degraded", status: "False", reason: "Running", message: "the proxy runs normally" }
    : {
        type: "Degraded",
        status: "False",
        reason: "ConfigHealthy",
        message: "the configuration reads healthily",
      };
}

function serviceMonitorReady({ serviceMonitor }: ProxyFacts): Judgement[] {
  const type = "ServiceMonitorReady";
  switch (serviceMonitor) {
    case "unwanted":
      return [];
    case "yes":
      return [
        { type, status: "True", reason: "ServiceMonitorCreated", message: "Prometheus can find the metrics" },
      ];
    case "no":
      return [
        {
          type,
          status: "False",
          reason: "ServiceMonitorCRDNotInstalled",
          message:
            "the cluster does not serve monitoring.coreos.com/v1; the next run after its installation adds the monitor",
        },
      ];
    case "unknown":
      return [
        {
          type,
          status: "Unknown",
          reason: "ClusterUnreadable",
          message: "it could not be found out whether the cluster serves monitoring.coreos.com/v1",
        },
      ];
  }
}
