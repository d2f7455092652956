import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyStatus } from "../../components/proxy/status.ts";
import { live, NO_PODS, PROGRESSING } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";
import { truth } from "./proxy-facts.ts";

// The fourth part of the table of truth: the operator's own weaknesses, one by one, each with what we say instead.
const FINE = "Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid";
const BEFORE = "2026-12-01T00:00:00Z";
/** What the run before said: status cannot depend on it, but for the times. */
const previous = (...said: string[]) =>
  said.map((each) => {
    const [type = "", status = ""] = each.split("=");
    return { type, status, lastTransitionTime: BEFORE };
  });

truth([
  // 1. (operator: Available stays True when the pods turn unready without a ReplicaFailure)
  {
    when: "a proxy that was available loses its broker",
    facts: { live: f.found(live(0, 1)), previous: previous("Available=True", "Degraded=False") },
    phase: "Deploying",
    conditions: `Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas ${FINE}`,
  },
  // 2. (operator: ready replicas alone count, so old pods read as Running / DeploymentComplete right after a change)
  {
    when: "right after a change every pod is ready, but of the template before",
    facts: { live: f.found(live(2, 2, { generation: 3, updated: 2 })) },
    phase: "Updating",
    conditions: `Progressing=True/RolloutInProgress Available=True/AllReplicasReady ${FINE}`,
  },
  {
    when: "a rollout has replaced one pod of two",
    facts: { live: f.found(live(2, 2, { updated: 1, total: 3, conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions: `Progressing=True/RolloutInProgress Available=True/AllReplicasReady ${FINE}`,
  },
  // 3. (operator: no timer, so a Running proxy's expiry shows when something else happens) Every run looks.
  {
    when: "nothing has changed since the run before but the token's end",
    facts: { tokenExpiresAt: f.PAST, previous: previous("Degraded=False", "TokenExpiring=True") },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=True/ConfigTokenExpired TokenExpiring=True/ConfigTokenExpired",
  },
  // 5. (operator: Degraded stays True / ReplicaFailure while it is scaled to zero, and while it updates)
  {
    when: "it was scaled to zero after pods could not be made",
    facts: { live: f.found(live(0, 0)), previous: previous("Degraded=True") },
    phase: "ScaledDown",
    conditions: `Progressing=False/ScaledToZero Available=False/ScaledToZero ${FINE}`,
  },
  {
    when: "it updates after pods could not be made",
    facts: {
      live: f.found(live(1, 2, { conditions: [PROGRESSING, { ...NO_PODS, status: "False" }] })),
      previous: previous("Degraded=True"),
    },
    phase: "Updating",
    conditions: `Progressing=True/RolloutInProgress Available=True/SomeReplicasReady ${FINE}`,
  },
  // 6. (operator: ServiceMonitorReady keeps its state while references are missing)
  {
    when: "the Secret is missing and the monitor has been made meanwhile",
    facts: {
      references: f.MISSING_SECRET,
      serviceMonitor: "yes",
      previous: previous("ServiceMonitorReady=False"),
    },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid ServiceMonitorReady=True/ServiceMonitorCreated",
  },
  {
    when: "the Secret is missing and the monitor is no longer asked for",
    facts: { references: f.MISSING_SECRET, previous: previous("ServiceMonitorReady=True") },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid",
  },
  // 7. (operator: Progressing stays True / Reconciling beside phase Failed)
  {
    when: "the Secret of a proxy that was about to be made is missing",
    facts: { references: f.MISSING_SECRET, live: f.ABSENT, previous: previous("Progressing=True") },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid",
  },
  // (operator: a key of secretRefs that is missing leaves the pods in CreateContainerConfigError, unnamed)
  {
    when: "a key of another Secret is missing",
    facts: { references: { outcome: "missing", reason: "MissingKey", message: 'Secret "s" has no key "k"' } },
    phase: "Failed",
    conditions: "Available=False/MissingKey Degraded=True/MissingKey TokenExpiring=False/ConfigTokenValid",
  },
  // (operator: a Deployment that is being deleted still reads as Running)
  {
    when: "somebody has deleted the Deployment, which waits for its pods to go",
    facts: { live: f.found(live(1, 1, { terminating: true })) },
    phase: "Failed",
    conditions:
      "Progressing=False/Terminating Available=True/AllReplicasReady Degraded=True/Terminating TokenExpiring=False/ConfigTokenValid",
  },
  // (operator: after the Secret is there, Degraded is False / ConfigHealthy until the pods are ready, as here)
  {
    when: "the Secret that was missing has come",
    facts: { live: f.found(live(0, 1, { conditions: [PROGRESSING] })), previous: previous("Degraded=True") },
    phase: "Deploying",
    conditions: `Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas ${FINE}`,
  },
]);

// 4. (operator: while the token is expired, each pass flips Degraded and renews its time, about once a second)
test("an expired token keeps the time of its first sight, run after run", () => {
  let said = proxyStatus(f.facts({ tokenExpiresAt: f.PAST })).conditions;
  for (const day of ["02", "03", "04"]) {
    const now = new Date(`2027-01-${day}T00:00:00Z`);
    const again = proxyStatus(f.facts({ tokenExpiresAt: f.PAST, previous: said, now })).conditions;
    assert.deepEqual(again, said);
    said = again;
  }
});
