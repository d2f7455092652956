// The table of truth of a Connector. "(operator: ...)" marks where its behaviour was a weakness that we do not copy.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ConnectorFacts,
  connectorStatus,
  connectorSummary,
  connectorWarnings,
} from "../../components/connector/status.ts";
import { entryOf, type Outcome } from "../../components/connector/registration/outcome.ts";
import type { Judgement } from "../../components/workload/conditions.ts";
import { DEADLINE, live, NO_PODS, PROGRESSING } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";

function facts(differences: Partial<ConnectorFacts> = {}): ConnectorFacts {
  const healthy = {
    references: { outcome: "found" },
    serviceMonitor: "unwanted",
    previous: [],
    now: f.NOW,
  } as const;
  return { ...healthy, live: f.found(live(1, 1)), ...differences };
}

const health = (
  status: Judgement["status"],
  reason: string,
  message = `the connector reports ${reason}`,
): Judgement => ({ type: "Healthy", status, reason, message });
const UP = health("True", "Up");
const DOWN = health("False", "Down");
const REGISTERED: Outcome = { outcome: "registered", uuid: "u-1", status: "connected" };
const registration = (outcome: Outcome): Partial<ConnectorFacts> => ({
  registration: { outcome, changed: [] },
});
const RUNNING = "Progressing=False/DeploymentComplete Available=True/AllReplicasReady";
const UNREACHED: Outcome = { outcome: "unavailable", phrase: "no answer came in time" };

interface Row {
  when: string;
  facts: Partial<ConnectorFacts>;
  phase: string;
  conditions: string;
  warnings: RegExp[];
}

const rows: Row[] = [
  {
    when: "every pod is ready",
    facts: {},
    phase: "Running",
    conditions: "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running",
    warnings: [],
  },
  {
    when: "one of three pods is ready",
    facts: { live: f.found(live(1, 3, { conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/SomeReplicasReady Degraded=False/ConfigHealthy",
    warnings: [/^Updating: 1\/3 replicas ready$/],
  },
  {
    when: "more pods are ready than are asked for (operator: the phase stays what it was)",
    facts: { live: f.found(live(2, 1, { updated: 1, conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/AllReplicasReady Degraded=False/ConfigHealthy",
    warnings: [/^Updating: 2\/1 replicas ready$/],
  },
  {
    when: "replicas is 0 (operator: Deploying for ever)",
    facts: { live: f.found(live(0, 0)) },
    phase: "ScaledDown",
    conditions: "Progressing=False/ScaledToZero Available=False/ScaledToZero Degraded=False/ConfigHealthy",
    warnings: [],
  },
  {
    when: "no pod is ready yet (operator: Available stays as it was)",
    facts: { live: f.found(live(0, 1, { conditions: [PROGRESSING] })) },
    phase: "Deploying",
    conditions:
      "Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=False/ConfigHealthy",
    warnings: [/^Deploying: 0\/1 replicas ready$/],
  },
  {
    when: "pods can't be made",
    facts: { live: f.found(live(0, 1, { conditions: [NO_PODS] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ReplicaFailure Available=False/ReplicaFailure Degraded=True/ReplicaFailure",
    warnings: [/^ReplicaFailure: /],
  },
  {
    when: "Kubernetes gave the rollout up, and old pods still work",
    facts: { live: f.found(live(1, 1, { updated: 0, conditions: [DEADLINE] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ProgressDeadlineExceeded Available=True/AllReplicasReady Degraded=True/ProgressDeadlineExceeded",
    warnings: [/^ProgressDeadlineExceeded: /],
  },
  {
    when: "a Secret is missing",
    facts: { references: f.MISSING_SECRET },
    phase: "Failed",
    conditions: "Available=False/MissingSecret Degraded=True/MissingSecret",
    warnings: [/^MissingSecret: Secret "dc-east-config" not found$/],
  },
  {
    when: "a ConfigMap can't be read",
    facts: { references: f.UNREADABLE },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=Unknown/ReferenceUnreadable",
    warnings: [/^ReferenceUnreadable: /],
  },
  {
    when: "a monitor is wanted and not served (operator: nothing is said)",
    facts: { serviceMonitor: "no" },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running ServiceMonitorReady=False/ServiceMonitorCRDNotInstalled",
    warnings: [/^ServiceMonitorCRDNotInstalled: /],
  },
  {
    when: "there is no Deployment yet",
    facts: { live: f.ABSENT },
    phase: "Deploying",
    conditions:
      "Progressing=True/Reconciling Available=False/WaitingForReplicas Degraded=False/ConfigHealthy",
    warnings: [],
  },
  {
    when: "the cluster can't be read",
    facts: { live: f.UNKNOWN },
    phase: "Unknown",
    conditions:
      "Progressing=Unknown/ClusterUnreadable Available=Unknown/ClusterUnreadable Degraded=False/ConfigHealthy",
    warnings: [],
  },
  {
    when: "it reports that it is up",
    facts: { healthy: UP },
    phase: "Running",
    conditions: `${RUNNING} Degraded=False/Running Healthy=True/Up`,
    warnings: [],
  },
  {
    when: "it reports that it is down",
    facts: { healthy: DOWN },
    phase: "Running",
    conditions: `${RUNNING} Degraded=False/Running Healthy=False/Down`,
    warnings: [/^health Down: the connector reports Down$/],
  },
  {
    when: "it gives no answer",
    facts: { healthy: health("Unknown", "NoAnswer", "/v2/health gave no answer: nothing listens") },
    phase: "Running",
    conditions: `${RUNNING} Degraded=False/Running Healthy=Unknown/NoAnswer`,
    warnings: [/^health NoAnswer: /],
  },
  {
    when: "it is not asked, since it does not run",
    facts: { live: f.found(live(0, 0)), healthy: health("Unknown", "NotRunning") },
    phase: "ScaledDown",
    conditions:
      "Progressing=False/ScaledToZero Available=False/ScaledToZero Degraded=False/ConfigHealthy Healthy=Unknown/NotRunning",
    warnings: [],
  },
  {
    when: "a preview does not ask it",
    facts: { healthy: health("Unknown", "NotAsked") },
    phase: "Running",
    conditions: `${RUNNING} Degraded=False/Running Healthy=Unknown/NotAsked`,
    warnings: [],
  },
  {
    when: "it is registered",
    facts: registration(REGISTERED),
    phase: "Running",
    conditions: `${RUNNING} Degraded=False/Running`,
    warnings: [],
  },
  {
    when: "it is not registered yet",
    facts: registration({ outcome: "waiting" }),
    phase: "Running",
    conditions: `${RUNNING} Degraded=False/Running`,
    warnings: [],
  },
  ...(
    [
      ["the platform can't be reached", UNREACHED, /no answer came in time; the next run tries again$/],
      ["the platform refused it", { outcome: "rejected", code: 400 }, /rejected .* with status 400: /],
      [
        "the platform gave no uuid",
        { outcome: "invalid", code: 200, phrase: "x" },
        /status 200, but x: look /,
      ],
      [
        "nobody knows whether it is registered",
        { outcome: "unknown", phrase: "since x" },
        /not known .* since x: /,
      ],
    ] satisfies [string, Outcome, RegExp][]
  ).map(([when, outcome, message]) => ({
    when,
    facts: registration(outcome),
    phase: "Running",
    conditions: `${RUNNING} Degraded=True/RegistrationFailed`,
    warnings: [new RegExp(`^RegistrationFailed: .*${message.source}`)],
  })),
  {
    when: "it is not registered, and its rollout failed as well",
    facts: { ...registration(UNREACHED), live: f.found(live(1, 1, { updated: 0, conditions: [DEADLINE] })) },
    phase: "Failed",
    conditions:
      "Progressing=False/ProgressDeadlineExceeded Available=True/AllReplicasReady Degraded=True/ProgressDeadlineExceeded",
    warnings: [/^ProgressDeadlineExceeded: /],
  },
  {
    when: "it is not registered, and a ConfigMap can't be read",
    facts: { ...registration(UNREACHED), references: f.UNREADABLE },
    phase: "Running",
    conditions: `${RUNNING} Degraded=True/RegistrationFailed`,
    warnings: [/^RegistrationFailed: /],
  },
];

for (const { when, facts: differences, phase, conditions, warnings } of rows) {
  test(`connector: ${when}`, () => {
    const status = connectorStatus(facts(differences));
    const told = status.conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`);
    assert.deepEqual([status.phase, told.join(" ")], [phase, conditions]);
    const warned = connectorWarnings(status);
    assert.equal(warned.length, warnings.length, warned.join("\n"));
    warnings.forEach((pattern, index) => {
      assert.match(warned[index] ?? "", pattern);
    });
  });
}

test("the summary of a connector is one line", () => {
  const summary = (given: Partial<ConnectorFacts> = {}): string => {
    const all = facts(given);
    return connectorSummary(connectorStatus(all), all, "1.3.1");
  };
  assert.equal(summary(), "Running, 1/1 ready, version 1.3.1");
  assert.equal(
    summary({ references: f.MISSING_SECRET }),
    'Failed: MissingSecret: Secret "dc-east-config" not found',
  );
  assert.equal(
    summary({ healthy: UP, registration: { outcome: REGISTERED, changed: [] } }),
    "Running, 1/1 ready, version 1.3.1, healthy, registered",
  );
  assert.equal(
    summary({ healthy: DOWN, registration: { outcome: { outcome: "waiting" }, changed: [] } }),
    "Running, 1/1 ready, version 1.3.1, health Down, not registered",
  );
});

test("the entry in the platform's inventory is what the platform said, `failed` where it refused, else nothing", () => {
  const registeredAt = "2027-01-01T00:00:00Z";
  assert.deepEqual(entryOf({ ...REGISTERED, registeredAt }), {
    uuid: "u-1",
    status: "connected",
    registeredAt,
  });
  assert.deepEqual(entryOf({ outcome: "rejected", code: 403 }), { status: "failed" });
  for (const outcome of [UNREACHED, { outcome: "waiting" }, { outcome: "unknown", phrase: "x" }] as Outcome[])
    assert.equal(entryOf(outcome), undefined);
});
