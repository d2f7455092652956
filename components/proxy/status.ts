import {
  type OwnStatus,
  statusWarnings,
  type WorkloadFacts,
  workloadStatus,
  type WorkloadStatus,
  workloadSummary,
} from "../workload/status.ts";
import { type TokenFacts, tokenExpiring, tokenMessage, tokenState, tokenSummary } from "./token.ts";

/** All that the status of a Proxy depends on. */
export type ProxyFacts = WorkloadFacts & TokenFacts;

/** Phase and conditions of a Proxy. An expired token degrades it, and changes its phase not by itself. */
export function proxyStatus(facts: ProxyFacts): WorkloadStatus {
  const isExpired = tokenState(facts) === "expired";
  const own: OwnStatus = {
    what: "the proxy",
    trouble: isExpired
      ? { reason: "ConfigTokenExpired", message: tokenMessage(facts, "expired"), breaksPods: true }
      : undefined,
    conditions: tokenExpiring(facts),
  };
  return workloadStatus(facts, own);
}

/** What people should hear of in every run until it is mended; one line per cause. */
export function proxyWarnings(status: WorkloadStatus): string[] {
  const token = status.conditions.find(({ type }) => type === "TokenExpiring");
  const degraded = status.conditions.find(({ type }) => type === "Degraded");
  // An expired token is Degraded's own reason where nothing worse is.
  const isNews = token?.status === "True" && token.reason !== degraded?.reason;
  return statusWarnings(status, isNews ? [`${token.reason}: ${token.message}`] : []);
}

/** One line for CI and dashboards: beside phase, pods and version the token, and its warning and end. */
export function proxySummary(status: WorkloadStatus, facts: ProxyFacts, version: string): string {
  return workloadSummary(status, facts, version, tokenSummary(facts));
}
