import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isStale,
  type LiveDeployment,
  readDeployment,
  rolloutState,
} from "../../components/workload/conditions.ts";
import { DEADLINE, live, NO_PODS, PAUSED, PROGRESSING, ROLLED_OUT } from "./live-deployment.ts";

const NOT_SEEN = "the controller has not taken up the change yet";
const QUOTA = "pods are forbidden: exceeded quota";

const rows: { when: string; deployment: LiveDeployment; expected: ReturnType<typeof rolloutState> }[] = [
  { when: "the new ReplicaSet is available", deployment: live(2, 2), expected: { state: "complete" } },
  {
    when: "pods turned unready after a completed rollout",
    deployment: live(0, 2),
    expected: { state: "complete" },
  },
  {
    when: "it is scaled to zero",
    deployment: live(0, 0, { conditions: [] }),
    expected: { state: "complete" },
  },
  {
    when: "pods are still being replaced",
    deployment: live(2, 3, { conditions: [PROGRESSING], updated: 1, available: 2 }),
    expected: { state: "progressing", detail: "1/3 updated, 2 available" },
  },
  {
    when: "the controller has said nothing yet",
    deployment: live(0, 1, { conditions: [], updated: 0 }),
    expected: { state: "progressing", detail: "0/1 updated, 0 available" },
  },
  {
    when: "all pods are new and ready but the controller has not concluded",
    deployment: live(1, 1, { conditions: [PROGRESSING] }),
    expected: { state: "progressing", detail: "1/1 updated, 1 available" },
  },
  {
    when: "the controller has not seen the change, although the old rollout was complete",
    deployment: live(1, 1, { generation: 3 }),
    expected: { state: "progressing", detail: NOT_SEEN },
  },
  {
    when: "the controller has not seen the change, although the old rollout failed",
    deployment: live(0, 1, { generation: 3, conditions: [DEADLINE, NO_PODS] }),
    expected: { state: "progressing", detail: NOT_SEEN },
  },
  {
    when: "the controller has not seen that it is scaled to zero",
    deployment: live(1, 0, { generation: 3 }),
    expected: { state: "progressing", detail: NOT_SEEN },
  },
  {
    when: "the deadline for progress has passed",
    deployment: live(0, 1, { conditions: [DEADLINE] }),
    expected: {
      state: "failed",
      reason: "ProgressDeadlineExceeded",
      detail: 'ReplicaSet "x" has timed out progressing.',
    },
  },
  {
    when: "the deadline has passed while old pods still serve",
    deployment: live(1, 1, { conditions: [DEADLINE], updated: 1, total: 2 }),
    expected: {
      state: "failed",
      reason: "ProgressDeadlineExceeded",
      detail: 'ReplicaSet "x" has timed out progressing.',
    },
  },
  {
    when: "Recreate still ends the old pods, and Kubernetes speaks of the rollout before",
    deployment: live(0, 1, { conditions: [ROLLED_OUT], updated: 0, total: 1 }),
    expected: { state: "progressing", detail: "0/1 updated, 0 available" },
  },
  {
    when: "pods can't be made",
    deployment: live(0, 1, { conditions: [PROGRESSING, NO_PODS], updated: 0 }),
    expected: { state: "failed", reason: "ReplicaFailure", detail: QUOTA },
  },
  {
    when: "pods can't be made and the deadline has passed, which is only the consequence",
    deployment: live(0, 1, { conditions: [DEADLINE, NO_PODS], updated: 0 }),
    expected: { state: "failed", reason: "ReplicaFailure", detail: QUOTA },
  },
  {
    when: "pods could not be made once, but now can",
    deployment: live(0, 1, { conditions: [PROGRESSING, { ...NO_PODS, status: "False" }], updated: 0 }),
    expected: { state: "progressing", detail: "0/1 updated, 0 available" },
  },
  {
    when: "it is paused before its pods were replaced",
    deployment: live(1, 1, { conditions: [PAUSED], updated: 0 }),
    expected: {
      state: "failed",
      reason: "DeploymentPaused",
      detail: "somebody paused it; `kubectl rollout resume` goes on",
    },
  },
  {
    when: "it is paused while old pods are still there",
    deployment: live(1, 1, { conditions: [PAUSED], total: 2 }),
    expected: {
      state: "failed",
      reason: "DeploymentPaused",
      detail: "somebody paused it; `kubectl rollout resume` goes on",
    },
  },
  {
    when: "it is paused with all pods replaced",
    deployment: live(1, 1, { conditions: [PAUSED] }),
    expected: { state: "complete" },
  },
  {
    when: "the Deployment is being deleted, whatever else it says",
    deployment: live(1, 1, { terminating: true }),
    expected: { state: "failed", reason: "Terminating", detail: "it is being deleted" },
  },
];

for (const { when, deployment, expected } of rows) {
  test(`a rollout is ${expected.state} when ${when}`, () => {
    assert.deepEqual(rolloutState(deployment), expected);
  });
}

test("the numbers of a live Deployment are read from spec and status", () => {
  const deployment = readDeployment({
    metadata: { generation: 4, uid: "u", deletionTimestamp: "2027-01-01T00:00:00Z" },
    spec: { replicas: 3 },
    status: {
      observedGeneration: 3,
      replicas: 5,
      updatedReplicas: 2,
      readyReplicas: 4,
      availableReplicas: 1,
      conditions: [{ ...ROLLED_OUT }],
    },
  });
  assert.deepEqual(deployment, {
    uid: "u",
    terminating: true,
    generation: 4,
    observedGeneration: 3,
    desired: 3,
    total: 5,
    updated: 2,
    ready: 4,
    available: 1,
    conditions: [ROLLED_OUT],
  });
});

test("what the API server leaves out has its default", () => {
  assert.deepEqual(readDeployment({ metadata: {} }), {
    uid: "",
    terminating: false,
    generation: 0,
    observedGeneration: 0,
    desired: 1,
    total: 0,
    updated: 0,
    ready: 0,
    available: 0,
    conditions: [],
  });
  const { conditions } = readDeployment({
    metadata: {},
    status: { conditions: [{ type: "Progressing", status: "True" }] },
  });
  assert.deepEqual(conditions, [
    { type: "Progressing", status: "True", reason: "", message: "", lastUpdateTime: "" },
  ]);
});

test("replicas 0 is not taken for the default", () => {
  assert.equal(readDeployment({ metadata: {}, spec: { replicas: 0 } }).desired, 0);
});

const failed = live(0, 1, { conditions: [DEADLINE] });
const later = { ...DEADLINE, lastUpdateTime: "2027-01-01T00:05:00Z" };

const staleness: [boolean, string, LiveDeployment, LiveDeployment | undefined, boolean?][] = [
  [true, "the template has changed and nothing new was said", { ...failed, generation: 3 }, failed],
  [
    false,
    "the template has changed and the failure was said anew",
    { ...failed, generation: 3, conditions: [later] },
    failed,
  ],
  [false, "the template is the same: it is a retry", failed, failed],
  [
    false,
    "pods that were added can't be made, while the rollout stands as it did",
    live(1, 3, { generation: 3, observedGeneration: 3, conditions: [ROLLED_OUT, NO_PODS] }),
    live(1, 1),
  ],
  [
    true,
    "pods could not be made before, and nothing was said of the new ones",
    live(0, 1, { generation: 3, observedGeneration: 3, conditions: [PROGRESSING, NO_PODS] }),
    live(0, 1, { conditions: [PROGRESSING, NO_PODS] }),
  ],
  [false, "it is another Deployment of that name", { ...failed, generation: 3, uid: "v" }, failed],
  [false, "there was none before", failed, undefined],
  [true, "what the pods lacked is made in this run", failed, failed, true],
  [
    false,
    "what the pods lacked is made, and they fail anew",
    { ...failed, conditions: [later] },
    failed,
    true,
  ],
  [false, "what the pods of another Deployment lacked is made", { ...failed, uid: "v" }, failed, true],
];

for (const [stale, when, now, before, mended = false] of staleness) {
  test(`a failure is ${stale ? "one of before" : "this template's own"} when ${when}`, () => {
    assert.equal(isStale(now, before, mended), stale);
  });
}
