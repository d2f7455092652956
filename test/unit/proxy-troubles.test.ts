import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyStatus, type ProxyFacts } from "../../components/proxy/status.ts";
import { DEADLINE, live, NO_PODS, PAUSED, PROGRESSING } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";
import { truth } from "./proxy-facts.ts";

// The second half of the table of truth: what is wrong, and what is only worth a condition.
truth([
  // Paused by replicas 0.
  {
    when: "replicas is 0",
    facts: { live: f.found(live(0, 0)) },
    phase: "ScaledDown",
    conditions:
      "Progressing=False/ScaledToZero Available=False/ScaledToZero Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "replicas is 0 and pods are going",
    facts: { live: f.found(live(1, 0, { generation: 3 })) },
    phase: "ScaledDown",
    conditions:
      "Progressing=False/ScaledToZero Available=False/ScaledToZero Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  // (operator: Degraded stays True / ReplicaFailure)
  {
    when: "replicas is 0 after pods could not be made",
    facts: { live: f.found(live(0, 0, { conditions: [NO_PODS] })) },
    phase: "ScaledDown",
    conditions:
      "Progressing=False/ScaledToZero Available=False/ScaledToZero Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "replicas is 0 and the token has expired",
    facts: { live: f.found(live(0, 0)), tokenExpiresAt: f.PAST },
    phase: "ScaledDown",
    conditions:
      "Progressing=False/ScaledToZero Available=False/ScaledToZero Degraded=True/ConfigTokenExpired TokenExpiring=True/ConfigTokenExpired",
  },

  // Failures.
  {
    when: "pods can't be made",
    facts: { live: f.found(live(0, 1, { conditions: [PROGRESSING, NO_PODS] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ReplicaFailure Available=False/ReplicaFailure Degraded=True/ReplicaFailure TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "some pods can't be made",
    facts: { live: f.found(live(1, 2, { conditions: [PROGRESSING, NO_PODS] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ReplicaFailure Available=True/SomeReplicasReady Degraded=True/ReplicaFailure TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the deadline has passed",
    facts: { live: f.found(live(0, 1, { conditions: [DEADLINE] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ProgressDeadlineExceeded Available=False/ProgressDeadlineExceeded Degraded=True/ProgressDeadlineExceeded TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the deadline has passed while old pods serve",
    facts: { live: f.found(live(1, 1, { total: 2, conditions: [DEADLINE] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ProgressDeadlineExceeded Available=True/AllReplicasReady Degraded=True/ProgressDeadlineExceeded TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "pods can't be made until the deadline has passed",
    facts: { live: f.found(live(0, 1, { conditions: [DEADLINE, NO_PODS] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ReplicaFailure Available=False/ReplicaFailure Degraded=True/ReplicaFailure TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "a rollout is paused half-way",
    facts: { live: f.found(live(1, 1, { updated: 0, conditions: [PAUSED] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/DeploymentPaused Available=True/AllReplicasReady Degraded=True/DeploymentPaused TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "it is paused after its rollout",
    facts: { live: f.found(live(1, 1, { conditions: [PAUSED] })) },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running TokenExpiring=False/ConfigTokenValid",
  },

  // An expired token alone changes neither phase nor Available.
  {
    when: "the token of a running proxy has expired",
    facts: { tokenExpiresAt: f.PAST },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=True/ConfigTokenExpired TokenExpiring=True/ConfigTokenExpired",
  },
  {
    when: "the token of a starting proxy has expired",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(0, 1, { conditions: [PROGRESSING] })) },
    phase: "Deploying",
    conditions:
      "Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=True/ConfigTokenExpired TokenExpiring=True/ConfigTokenExpired",
  },
  {
    when: "the token has expired before there is a Deployment",
    facts: { tokenExpiresAt: f.PAST, live: f.ABSENT },
    phase: "Deploying",
    conditions:
      "Progressing=True/Reconciling Available=False/WaitingForReplicas Degraded=True/ConfigTokenExpired TokenExpiring=True/ConfigTokenExpired",
  },
  {
    when: "the token has expired and pods can't be made",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(0, 1, { conditions: [NO_PODS] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ReplicaFailure Available=False/ReplicaFailure Degraded=True/ReplicaFailure TokenExpiring=True/ConfigTokenExpired",
  },
  {
    when: "the token has expired, which is why the rollout hangs",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(0, 1, { conditions: [DEADLINE] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ProgressDeadlineExceeded Available=False/ProgressDeadlineExceeded Degraded=True/ConfigTokenExpired TokenExpiring=True/ConfigTokenExpired",
  },
  {
    when: "the last known token has expired and can't be read now",
    facts: { tokenExpiresAt: f.PAST, references: f.UNREADABLE },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=True/ConfigTokenExpired TokenExpiring=True/ConfigTokenExpired",
  },

  // The ServiceMonitor never changes the phase.
  {
    when: "the monitor is made",
    facts: { serviceMonitor: "yes" },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running TokenExpiring=False/ConfigTokenValid ServiceMonitorReady=True/ServiceMonitorCreated",
  },
  {
    when: "the monitor is not served",
    facts: { serviceMonitor: "no" },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running TokenExpiring=False/ConfigTokenValid ServiceMonitorReady=False/ServiceMonitorCRDNotInstalled",
  },
  {
    when: "it is not known whether the monitor is served",
    facts: { serviceMonitor: "unknown" },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running TokenExpiring=False/ConfigTokenValid ServiceMonitorReady=Unknown/ClusterUnreadable",
  },
]);

function message(facts: Partial<ProxyFacts>, type: string): string | undefined {
  return proxyStatus(f.facts(facts)).conditions.find((each) => each.type === type)?.message;
}

test("messages name the missing object and key", () => {
  const facts = { references: f.MISSING_KEY };
  assert.equal(message(facts, "Degraded"), 'Secret "dc-east-config" has no key "configToken"');
  assert.equal(message(facts, "Available"), 'Secret "dc-east-config" has no key "configToken"');
});

test("messages count replicas", () => {
  assert.equal(message({ live: f.found(live(1, 2)) }, "Available"), "1/2 replicas ready");
  assert.equal(message({}, "Progressing"), "1/1 replicas ready");
});

test("messages of a failure are Kubernetes' own", () => {
  const facts = { live: f.found(live(0, 1, { conditions: [NO_PODS] })) };
  for (const type of ["Progressing", "Available", "Degraded"])
    assert.equal(message(facts, type), NO_PODS.message);
});

test("the message of an expired token says when and what to do", () => {
  const text = message({ tokenExpiresAt: f.PAST }, "Degraded");
  assert.match(text ?? "", /2026-12-31T23:59:59Z/);
  assert.match(text ?? "", /new one/);
});
