import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyStatus, proxySummary, type ProxyFacts } from "../../components/proxy/status.ts";
import type { LiveDeployment } from "../../components/workload/conditions.ts";
import { live } from "./live-deployment.ts";

export const NOW = new Date("2027-01-01T00:00:00Z");
export const PAST = "2026-12-31T23:59:59Z";
export const FUTURE = "2027-06-01T00:00:00Z";
const DAY = 86_400_000;

export const MISSING_SECRET: ProxyFacts["references"] = {
  outcome: "missing",
  reason: "MissingSecret",
  message: 'Secret "dc-east-config" not found',
};
export const MISSING_KEY: ProxyFacts["references"] = {
  outcome: "missing",
  reason: "MissingTokenKey",
  message: 'Secret "dc-east-config" has no key "configToken"',
};
export const MISSING_CONFIG_MAP: ProxyFacts["references"] = {
  outcome: "missing",
  reason: "MissingConfigMap",
  message: 'ConfigMap "ca" not found',
};
export const UNREADABLE: ProxyFacts["references"] = {
  outcome: "unknown",
  message: 'Secret "dc-east-config" could not be read: forbidden',
};

/** The facts of a proxy that runs well, unless the differences say otherwise. */
export function facts(differences: Partial<ProxyFacts> = {}): ProxyFacts {
  return {
    references: { outcome: "found" },
    tokenExpiresAt: FUTURE,
    tokenExpiryWarning: 14 * DAY,
    previous: [],
    serviceMonitor: "unwanted",
    live: { state: "found", deployment: live(1, 1) },
    now: NOW,
    ...differences,
  };
}

export const found = (deployment: LiveDeployment): ProxyFacts["live"] => ({ state: "found", deployment });
export const ABSENT: ProxyFacts["live"] = { state: "absent" };
export const UNKNOWN: ProxyFacts["live"] = { state: "unknown", detail: "connect ECONNREFUSED" };

export interface Row {
  when: string;
  facts: Partial<ProxyFacts>;
  phase: string;
  /** `type=status/reason` of each condition, in order. */
  conditions: string;
}

/** Tests every row of a table of truth. */
export function truth(rows: readonly Row[]): void {
  for (const { when, facts: differences, phase, conditions } of rows) {
    test(`phase is ${phase} when ${when}`, () => {
      const status = proxyStatus(facts(differences));
      assert.equal(status.phase, phase);
      assert.equal(
        status.conditions.map((each) => `${each.type}=${each.status}/${each.reason}`).join(" "),
        conditions,
      );
    });
  }
}

/** The summary of a proxy of version 1.0.0. */
export function summaryOf(all: ProxyFacts): string {
  return proxySummary(proxyStatus(all), all, "1.0.0");
}
