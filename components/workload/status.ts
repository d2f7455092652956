import {
  type Condition,
  type Judgement,
  type LiveDeployment,
  type PreviousCondition,
  type RolloutState,
  rolloutState,
  withTransitionTimes,
} from "./conditions.ts";
import type { References } from "./references.ts";

/** The documented phases of a workload, and `Unknown` (ours): a preview that could not read the cluster. */
export type Phase = "Deploying" | "Running" | "Updating" | "ScaledDown" | "Failed" | "Unknown";

/** All that the status of any workload depends on. */
export interface WorkloadFacts {
  references: Exclude<References, { outcome: "found" }> | { outcome: "found" };
  /** Whether a ServiceMonitor is wanted and, when it is, whether the cluster serves the kind. */
  serviceMonitor: "unwanted" | "yes" | "no" | "unknown";
  live:
    | { state: "found"; deployment: LiveDeployment }
    | { state: "absent" }
    | { state: "unknown"; detail: string };
  /** What the run before said; empty when there was none. */
  previous: readonly PreviousCondition[];
  now: Date;
}

/** How a workload stands. */
export interface WorkloadStatus {
  phase: Phase;
  conditions: Condition[];
}

/** What is wrong with a component although its pods may run. */
export interface Trouble {
  reason: string;
  message: string;
  /** Whether it may be why a rollout does not complete. */
  breaksPods: boolean;
}

/** What a component adds to the status of its workload. */
export interface OwnStatus {
  /** `the proxy`, `the connector`. */
  what: string;
  /** What is wrong with it beside its pods, if anything. */
  trouble?: Trouble | undefined;
  conditions: Judgement[];
}

/** Phase and conditions: the operator's documented ones, judged by generation and updated replicas too. */
export function workloadStatus(facts: WorkloadFacts, own: OwnStatus): WorkloadStatus {
  const { phase, conditions } = judge(facts, own);
  const all = [...conditions, ...own.conditions, ...serviceMonitorReady(facts)];
  return { phase, conditions: withTransitionTimes(all, facts.previous, facts.now) };
}

/** The phase, which nothing of a component's own changes. */
export function workloadPhase(facts: PodFacts): Phase {
  return judge(facts, { what: "", conditions: [] }).phase;
}

type PodFacts = Pick<WorkloadFacts, "references" | "live">;

function judge(facts: PodFacts, own: OwnStatus): { phase: Phase; conditions: Judgement[] } {
  if (facts.references.outcome === "missing") {
    const { reason, message } = facts.references;
    return {
      phase: "Failed",
      conditions: [
        { type: "Available", status: "False", reason, message },
        { type: "Degraded", status: "True", reason, message },
      ],
    };
  }
  const { phase, progressing, available, failure } = deploymentStatus(facts, own.what);
  return { phase, conditions: [progressing, available, degraded(facts, own, phase, failure)] };
}

/** The most helpful cause first: pods that can't be made, then what breaks them, then a rollout that hangs, then the rest. */
function degraded(
  facts: PodFacts,
  { what, trouble }: OwnStatus,
  phase: Phase,
  failure: Failure | undefined,
): Judgement {
  const type = "Degraded";
  const isTold =
    failure === undefined || (trouble?.breaksPods === true && failure.reason !== "ReplicaFailure");
  if (trouble !== undefined && isTold)
    return { type, status: "True", reason: trouble.reason, message: trouble.message };
  if (failure !== undefined) return { type, status: "True", reason: failure.reason, message: failure.detail };
  if (facts.references.outcome === "unknown") {
    const { message } = facts.references;
    return { type, status: "Unknown", reason: "ReferenceUnreadable", message };
  }
  return phase === "Running"
    ? { type, status: "False", reason: "Running", message: `${what} runs normally` }
    : { type, status: "False", reason: "ConfigHealthy", message: "the configuration reads healthily" };
}

/** What people should hear of in every run until it is mended; one line per cause. `own` are the component's own. */
export function statusWarnings({ conditions, phase }: WorkloadStatus, own: readonly string[]): string[] {
  const of = (type: Condition["type"]) => conditions.find((condition) => condition.type === type);
  const [available, degraded, monitor] = [of("Available"), of("Degraded"), of("ServiceMonitorReady")];
  const told = (condition: Condition): string => `${condition.reason}: ${condition.message}`;
  // That the cluster can't be read was said once, when the zone was opened.
  if (phase === "Unknown") return [...(degraded?.status === "True" ? [told(degraded)] : []), ...own];
  // What a preview is about to create is not late.
  const late = (phase === "Updating" || phase === "Deploying") && of("Progressing")?.reason !== "Reconciling";
  const isDegraded = degraded !== undefined && degraded.status !== "False";
  return [
    ...(isDegraded ? [told(degraded)] : late ? [`${phase}: ${available?.message ?? ""}`] : []),
    ...own,
    ...(monitor !== undefined && monitor.status !== "True" ? [told(monitor)] : []),
  ];
}

/**
 * One line for CI and dashboards: phase, pods, version and what the component adds (`own`), or why it is Failed or
 * Unknown. It changes when one of them does, never because time passed.
 */
export function workloadSummary(
  { phase, conditions }: WorkloadStatus,
  { live }: Pick<WorkloadFacts, "live">,
  version: string,
  own: readonly string[],
): string {
  const of = (type: Condition["type"]) => conditions.find((condition) => condition.type === type);
  const [available, degraded] = [of("Available"), of("Degraded")];
  const why = phase === "Failed" ? degraded : phase === "Unknown" ? available : undefined;
  const parts =
    why !== undefined
      ? [`${phase}: ${why.reason}: ${why.message}`]
      : [
          phase,
          ...(live.state === "found" && phase !== "ScaledDown"
            ? [`${live.deployment.ready}/${live.deployment.desired} ready`]
            : []),
          `version ${version}`,
          ...own,
          ...(degraded?.status === "Unknown" ? [`${degraded.reason}: ${degraded.message}`] : []),
        ];
  return parts.join(", ").replace(/\s+/g, " ");
}

type Failure = Extract<RolloutState, { state: "failed" }>;

interface DeploymentStatus {
  phase: Phase;
  progressing: Judgement;
  available: Judgement;
  failure?: Failure;
}

function deploymentStatus({ live }: Pick<WorkloadFacts, "live">, what: string): DeploymentStatus {
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
      message: `replicas is 0: ${what} is paused`,
    } as const;
    return {
      phase: "ScaledDown",
      progressing: { type: "Progressing", ...scaled },
      available: { type: "Available", ...scaled },
    };
  }
  return runningStatus(deployment, rolloutState(deployment));
}

function runningStatus(deployment: LiveDeployment, rollout: RolloutState): DeploymentStatus {
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

function serviceMonitorReady({ serviceMonitor }: Pick<WorkloadFacts, "serviceMonitor">): Judgement[] {
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
