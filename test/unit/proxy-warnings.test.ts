import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyStatus, proxyWarnings, type ProxyFacts } from "../../components/proxy/status.ts";
import { DEADLINE, live, NO_PODS, PROGRESSING } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";

const SOON = "2027-01-01T00:00:01Z";

const rows: { when: string; facts: Partial<ProxyFacts>; warnings: RegExp[] }[] = [
  { when: "it runs", facts: {}, warnings: [] },
  { when: "it is scaled to zero", facts: { live: f.found(live(0, 0)) }, warnings: [] },
  { when: "the monitor is made", facts: { serviceMonitor: "yes" }, warnings: [] },
  {
    when: "the Secret is missing",
    facts: { references: f.MISSING_SECRET },
    warnings: [/^MissingSecret: Secret "dc-east-config" not found$/],
  },
  {
    when: "a reference can't be read",
    facts: { references: f.UNREADABLE },
    warnings: [/^ReferenceUnreadable: Secret "dc-east-config" could not be read: forbidden$/],
  },
  {
    when: "the token has expired",
    facts: { tokenExpiresAt: f.PAST },
    warnings: [/^ConfigTokenExpired: .*2026-12-31T23:59:59Z/],
  },
  {
    when: "the token is about to expire",
    facts: { tokenExpiresAt: SOON },
    warnings: [
      /^ConfigTokenExpiring: the config token expires at 2027-01-01T00:00:01Z; have a new one issued/,
    ],
  },
  {
    when: "the token is about to expire and nobody wants to hear it",
    facts: { tokenExpiresAt: SOON, tokenExpiryWarning: 0 },
    warnings: [],
  },
  {
    when: "the token is about to expire while a pod is unready: two causes",
    facts: { tokenExpiresAt: SOON, live: f.found(live(1, 2)) },
    warnings: [/^Updating: 1\/2 replicas ready$/, /^ConfigTokenExpiring: /],
  },
  {
    when: "the token has expired while pods can't be made: two causes",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(0, 1, { conditions: [NO_PODS] })) },
    warnings: [/^ReplicaFailure: /, /^ConfigTokenExpired: /],
  },
  {
    when: "the Secret is missing while the token that was read last has expired: a restarted pod could not start",
    facts: { references: f.MISSING_SECRET, tokenExpiresAt: f.PAST },
    warnings: [/^MissingSecret: /, /^ConfigTokenExpired: the config token that was read last expired at /],
  },
  {
    when: "a token of our own has expired and the cluster can't be read, which was said before",
    facts: { tokenExpiresAt: f.PAST, live: f.UNKNOWN },
    warnings: [/^ConfigTokenExpired: /],
  },
  {
    when: "a token of our own is about to expire and the cluster can't be read",
    facts: { tokenExpiresAt: SOON, live: f.UNKNOWN },
    warnings: [/^ConfigTokenExpiring: /],
  },
  {
    when: "neither cluster nor reference can be read, which was said before",
    facts: { live: f.UNKNOWN, references: f.UNREADABLE },
    warnings: [],
  },
  {
    when: "pods can't be made",
    facts: { live: f.found(live(0, 1, { conditions: [NO_PODS] })) },
    warnings: [/^ReplicaFailure: pods are forbidden: exceeded quota$/],
  },
  {
    when: "the deadline has passed",
    facts: { live: f.found(live(0, 1, { conditions: [DEADLINE] })) },
    warnings: [/^ProgressDeadlineExceeded: /],
  },
  {
    when: "a pod turned unready",
    facts: { live: f.found(live(1, 2)) },
    warnings: [/^Updating: 1\/2 replicas ready$/],
  },
  {
    when: "all pods turned unready",
    facts: { live: f.found(live(0, 2)) },
    warnings: [/^Deploying: 0\/2 replicas ready$/],
  },
  {
    when: "an expired token keeps pods from starting, which is one cause",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(0, 1, { conditions: [PROGRESSING] })) },
    warnings: [/^ConfigTokenExpired: /],
  },
  {
    when: "the monitor is not served",
    facts: { serviceMonitor: "no" },
    warnings: [/^ServiceMonitorCRDNotInstalled: .*monitoring\.coreos\.com\/v1/],
  },
  {
    when: "it is not known whether the monitor is served",
    facts: { serviceMonitor: "unknown" },
    warnings: [/^ClusterUnreadable: .*monitoring\.coreos\.com\/v1/],
  },
  {
    when: "several things are wrong",
    facts: { references: f.MISSING_SECRET, serviceMonitor: "no" },
    warnings: [/^MissingSecret: /, /^ServiceMonitorCRDNotInstalled: /],
  },
];

for (const { when, facts, warnings } of rows) {
  test(`there ${warnings.length === 1 ? "is 1 warning" : `are ${warnings.length} warnings`} when ${when}`, () => {
    const given = proxyWarnings(proxyStatus(f.facts(facts)));
    assert.equal(given.length, warnings.length, given.join("\n"));
    for (const [index, pattern] of warnings.entries()) assert.match(given[index] ?? "", pattern);
  });
}

test("a proxy that is about to be made is nothing to warn of", () => {
  assert.deepEqual(proxyWarnings(proxyStatus(f.facts({ live: f.ABSENT }))), []);
});
