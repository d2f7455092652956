import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxyFacts } from "../../components/proxy/status.ts";
import { DEADLINE, live, NO_PODS, PROGRESSING } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";

const SOON = "2027-01-01T00:00:01Z";

const rows: { when: string; facts: Partial<ProxyFacts>; summary: string }[] = [
  {
    when: "it runs",
    facts: { live: f.found(live(2, 2)) },
    summary: "Running, 2/2 ready, version 1.0.0, token valid until 2027-06-01T00:00:00Z",
  },
  {
    when: "the token says nothing of its end",
    facts: { tokenExpiresAt: undefined },
    summary: "Running, 1/1 ready, version 1.0.0",
  },
  {
    when: "the token is about to expire",
    facts: { tokenExpiresAt: SOON },
    summary: `Running, 1/1 ready, version 1.0.0, token expires at ${SOON}`,
  },
  {
    when: "the token has expired",
    facts: { tokenExpiresAt: f.PAST },
    summary: `Running, 1/1 ready, version 1.0.0, token expired at ${f.PAST}`,
  },
  {
    when: "it updates",
    facts: { live: f.found(live(1, 2, { conditions: [PROGRESSING] })) },
    summary: "Updating, 1/2 ready, version 1.0.0, token valid until 2027-06-01T00:00:00Z",
  },
  {
    when: "no pod is ready",
    facts: { live: f.found(live(0, 2)) },
    summary: "Deploying, 0/2 ready, version 1.0.0, token valid until 2027-06-01T00:00:00Z",
  },
  {
    when: "there is no Deployment yet",
    facts: { live: f.ABSENT, tokenExpiresAt: undefined },
    summary: "Deploying, version 1.0.0",
  },
  {
    when: "replicas is 0",
    facts: { live: f.found(live(0, 0)) },
    summary: "ScaledDown, version 1.0.0, token valid until 2027-06-01T00:00:00Z",
  },
  {
    when: "the Secret is missing",
    facts: { references: f.MISSING_SECRET },
    summary: 'Failed: MissingSecret: Secret "dc-east-config" not found',
  },
  {
    when: "pods can't be made",
    facts: { live: f.found(live(1, 2, { conditions: [NO_PODS] })) },
    summary: "Failed: ReplicaFailure: pods are forbidden: exceeded quota",
  },
  {
    when: "the deadline has passed",
    facts: { live: f.found(live(0, 1, { conditions: [DEADLINE] })) },
    summary: 'Failed: ProgressDeadlineExceeded: ReplicaSet "x" has timed out progressing.',
  },
  {
    when: "an expired token is why the rollout hangs",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(0, 1, { conditions: [DEADLINE] })) },
    summary: `Failed: ConfigTokenExpired: the config token expired at ${f.PAST}; have a new one issued and put it in place`,
  },
  {
    when: "a reference can't be read",
    facts: { references: f.UNREADABLE },
    summary:
      'Running, 1/1 ready, version 1.0.0, token valid until 2027-06-01T00:00:00Z, ReferenceUnreadable: Secret "dc-east-config" could not be read: forbidden',
  },
  {
    when: "the cluster can't be read",
    facts: { live: f.UNKNOWN },
    summary: "Unknown: ClusterUnreadable: connect ECONNREFUSED",
  },
  {
    when: "Kubernetes' message has several lines",
    facts: { live: f.found(live(0, 1, { conditions: [{ ...NO_PODS, message: "one\n  two\r\nthree" }] })) },
    summary: "Failed: ReplicaFailure: one two three",
  },
];

for (const { when, facts, summary } of rows) {
  test(`the summary when ${when}`, () => {
    assert.equal(f.summaryOf(f.facts(facts)), summary);
  });
}
