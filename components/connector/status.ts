import {
  type OwnStatus,
  statusWarnings,
  type WorkloadFacts,
  workloadStatus,
  type WorkloadStatus,
  workloadSummary,
} from "../workload/status.ts";

/** All that the status of a Connector depends on. */
export type ConnectorFacts = WorkloadFacts;

const OWN: OwnStatus = { what: "the connector", conditions: [] };

/** Phase and conditions of a Connector. Without replicas it is ScaledDown, with too many Updating: the operator says neither. */
export function connectorStatus(facts: ConnectorFacts): WorkloadStatus {
  return workloadStatus(facts, OWN);
}

/** What people should hear of in every run until it is mended; one line per cause. */
export function connectorWarnings(status: WorkloadStatus): string[] {
  return statusWarnings(status, []);
}

/** One line for CI and dashboards. */
export function connectorSummary(facts: ConnectorFacts, version: string): string {
  return workloadSummary(connectorStatus(facts), facts, version, []);
}
