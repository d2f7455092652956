import type { Judgement } from "../workload/conditions.ts";
import {
  type OwnStatus,
  statusWarnings,
  type Trouble,
  type WorkloadFacts,
  workloadStatus,
  type WorkloadStatus,
  workloadSummary,
} from "../workload/status.ts";
import { type RegistrationFacts, registrationProblem } from "./registration/outcome.ts";

/** All that the status of a Connector depends on. */
export interface ConnectorFacts extends WorkloadFacts {
  /** What it said of its health; undefined where nobody asks. */
  healthy?: Judgement | undefined;
  /** What came of its registration; undefined where it has none. */
  registration?: RegistrationFacts | undefined;
}

/** Phase and conditions of a Connector. Without replicas it is ScaledDown, with too many Updating: the operator says neither. */
export function connectorStatus(facts: ConnectorFacts): WorkloadStatus {
  const { healthy, registration } = facts;
  const own: OwnStatus = {
    what: "the connector",
    trouble: registration && registrationTrouble(registration),
    conditions: healthy === undefined ? [] : [healthy],
  };
  return workloadStatus(facts, own);
}

/** The operator's reason, whatever keeps the connector from being registered; its pods have no part in it. */
function registrationTrouble({ outcome }: RegistrationFacts): Trouble | undefined {
  const message = registrationProblem(outcome);
  return message === undefined ? undefined : { reason: "RegistrationFailed", message, breaksPods: false };
}

/** What people should hear of in every run until it is mended; one line per cause. */
export function connectorWarnings(status: WorkloadStatus): string[] {
  const healthy = status.conditions.find(({ type }) => type === "Healthy");
  // That it does not run is said by the phase, and that a preview asks nobody is known.
  const isNews =
    healthy !== undefined && healthy.status !== "True" && !/^Not(Running|Asked)$/.test(healthy.reason);
  return statusWarnings(status, isNews ? [`health ${healthy.reason}: ${healthy.message}`] : []);
}

/** One line for CI and dashboards: beside phase, pods and version health and registration. */
export function connectorSummary(
  status: WorkloadStatus,
  facts: Pick<ConnectorFacts, "live" | "registration">,
  version: string,
): string {
  const healthy = status.conditions.find(({ type }) => type === "Healthy");
  const health = healthy?.status === "True" ? "healthy" : `health ${healthy?.reason}`;
  const isRegistered = facts.registration?.outcome.outcome === "registered";
  return workloadSummary(status, facts, version, [
    ...(healthy !== undefined && status.phase === "Running" ? [health] : []),
    ...(facts.registration !== undefined ? [isRegistered ? "registered" : "not registered"] : []),
  ]);
}
