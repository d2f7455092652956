import type { LiveDeployment } from "../../components/workload/conditions.ts";

type LiveCondition = LiveDeployment["conditions"][number];

export const PROGRESSING: LiveCondition = {
  type: "Progressing",
  status: "True",
  reason: "ReplicaSetUpdated",
  message: 'ReplicaSet "x" is progressing.',
  lastUpdateTime: "2027-01-01T00:00:00Z",
};
export const ROLLED_OUT: LiveCondition = {
  type: "Progressing",
  status: "True",
  reason: "NewReplicaSetAvailable",
  message: 'ReplicaSet "x" has successfully progressed.',
  lastUpdateTime: "2027-01-01T00:00:00Z",
};
export const DEADLINE: LiveCondition = {
  type: "Progressing",
  status: "False",
  reason: "ProgressDeadlineExceeded",
  message: 'ReplicaSet "x" has timed out progressing.',
  lastUpdateTime: "2027-01-01T00:00:00Z",
};
export const PAUSED: LiveCondition = {
  type: "Progressing",
  status: "Unknown",
  reason: "DeploymentPaused",
  message: "Deployment is paused",
  lastUpdateTime: "2027-01-01T00:00:00Z",
};
export const NO_PODS: LiveCondition = {
  type: "ReplicaFailure",
  status: "True",
  reason: "FailedCreate",
  message: "pods are forbidden: exceeded quota",
  lastUpdateTime: "2027-01-01T00:00:00Z",
};

/** A live Deployment: `ready` of `desired` pods of the current template, rolled out, unless the differences say else. */
export function live(
  ready: number,
  desired: number,
  differences: Partial<LiveDeployment> = {},
): LiveDeployment {
  return {
    uid: "u",
    terminating: false,
    generation: 2,
    observedGeneration: 2,
    desired,
    total: desired,
    updated: desired,
    ready,
    available: ready,
    conditions: [ROLLED_OUT],
    ...differences,
  };
}
