// The table of truth of a Connector. "(operator: ...)" marks where its behaviour was a weakness that we do not copy.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ConnectorFacts,
  connectorStatus,
  connectorSummary,
  connectorWarnings,
} from "../../components/connector/status.ts";
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
  assert.equal(connectorSummary(facts(), "1.3.1"), "Running, 1/1 ready, version 1.3.1");
  assert.equal(
    connectorSummary(facts({ references: f.MISSING_SECRET }), "1.3.1"),
    'Failed: MissingSecret: Secret "dc-east-config" not found',
  );
});
