import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyStatus } from "../../components/proxy/status.ts";
import { tokenExpiryWarning, tokenState } from "../../components/proxy/token.ts";
import { DEADLINE, live, NO_PODS, PROGRESSING } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";
import { truth } from "./proxy-facts.ts";

const DAY = 86_400_000;
/** NOW is 2027-01-01T00:00:00Z: this end is one second beyond a warning of 14 days, and the next is its very start. */
const JUST_FAR = "2027-01-15T00:00:01Z";
const AT_THE_WINDOW = "2027-01-15T00:00:00Z";
const SOON = "2027-01-01T00:00:01Z";
const NOW = "2027-01-01T00:00:00Z";

const RUNS = "Progressing=False/DeploymentComplete Available=True/AllReplicasReady";
const EXPIRING = "TokenExpiring=True/ConfigTokenExpiring";
const EXPIRED = "TokenExpiring=True/ConfigTokenExpired";
const VALID = "TokenExpiring=False/ConfigTokenValid";

// The third part of the table of truth: the token's end. The operator has no TokenExpiring; it knows the end only
// when something else makes it look (no timer), and then flips Degraded to False and back in every pass.
truth([
  {
    when: "the token's end is a second beyond the warning",
    facts: { tokenExpiresAt: JUST_FAR },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${VALID}`,
  },
  {
    when: "the warning begins, to the second",
    facts: { tokenExpiresAt: AT_THE_WINDOW },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${EXPIRING}`,
  },
  {
    when: "the token has a second left",
    facts: { tokenExpiresAt: SOON },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${EXPIRING}`,
  },
  // The moment of exp is valid, as with the operator (now > exp).
  {
    when: "the token ends now",
    facts: { tokenExpiresAt: NOW },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${EXPIRING}`,
  },
  {
    when: "the token ends now and the warning is off",
    facts: { tokenExpiresAt: NOW, tokenExpiryWarning: 0 },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${VALID}`,
  },
  {
    when: "the token has a second left and the warning is off",
    facts: { tokenExpiresAt: SOON, tokenExpiryWarning: 0 },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${VALID}`,
  },
  {
    when: "the token has expired and the warning is off: that much is always said",
    facts: { tokenExpiresAt: f.PAST, tokenExpiryWarning: 0 },
    phase: "Running",
    conditions: `${RUNS} Degraded=True/ConfigTokenExpired ${EXPIRED}`,
  },
  {
    when: "the warning is longer than time itself",
    facts: { tokenExpiresAt: f.FUTURE, tokenExpiryWarning: Infinity },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${EXPIRING}`,
  },
  {
    when: "the token was issued with an end before 1970",
    facts: { tokenExpiresAt: "1969-12-31T23:59:59Z" },
    phase: "Running",
    conditions: `${RUNS} Degraded=True/ConfigTokenExpired ${EXPIRED}`,
  },
  {
    when: "the token of a starting proxy is about to expire",
    facts: { tokenExpiresAt: SOON, live: f.found(live(0, 1, { conditions: [PROGRESSING] })) },
    phase: "Deploying",
    conditions: `Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=False/ConfigHealthy ${EXPIRING}`,
  },
  {
    when: "the token of an updating proxy is about to expire",
    facts: { tokenExpiresAt: SOON, live: f.found(live(1, 2, { conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions: `Progressing=True/RolloutInProgress Available=True/SomeReplicasReady Degraded=False/ConfigHealthy ${EXPIRING}`,
  },
  {
    when: "the token of an updating proxy has expired",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(1, 2, { conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions: `Progressing=True/RolloutInProgress Available=True/SomeReplicasReady Degraded=True/ConfigTokenExpired ${EXPIRED}`,
  },
  // (operator: Available stays True) After the end a restarted pod can't start: that is the crash loop.
  {
    when: "the token has expired and no pod is ready any more",
    facts: { tokenExpiresAt: f.PAST, live: f.found(live(0, 2)) },
    phase: "Deploying",
    conditions: `Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=True/ConfigTokenExpired ${EXPIRED}`,
  },
  {
    when: "the token of a paused proxy is about to expire",
    facts: { tokenExpiresAt: SOON, live: f.found(live(0, 0)) },
    phase: "ScaledDown",
    conditions: `Progressing=False/ScaledToZero Available=False/ScaledToZero Degraded=False/ConfigHealthy ${EXPIRING}`,
  },
  {
    when: "the token is about to expire and the rollout hangs for another reason",
    facts: { tokenExpiresAt: SOON, live: f.found(live(0, 1, { conditions: [DEADLINE] })) },
    phase: "Failed",
    conditions: `Progressing=False/ProgressDeadlineExceeded Available=False/ProgressDeadlineExceeded Degraded=True/ProgressDeadlineExceeded ${EXPIRING}`,
  },
  {
    when: "the token is about to expire and pods can't be made",
    facts: { tokenExpiresAt: SOON, live: f.found(live(0, 1, { conditions: [NO_PODS] })) },
    phase: "Failed",
    conditions: `Progressing=False/ReplicaFailure Available=False/ReplicaFailure Degraded=True/ReplicaFailure ${EXPIRING}`,
  },
  {
    when: "the token is about to expire and there is no Deployment yet",
    facts: { tokenExpiresAt: SOON, live: f.ABSENT },
    phase: "Deploying",
    conditions: `Progressing=True/Reconciling Available=False/WaitingForReplicas Degraded=False/ConfigHealthy ${EXPIRING}`,
  },
  {
    when: "a token of our own is about to expire and the cluster can't be read",
    facts: { tokenExpiresAt: SOON, live: f.UNKNOWN },
    phase: "Unknown",
    conditions: `Progressing=Unknown/ClusterUnreadable Available=Unknown/ClusterUnreadable Degraded=False/ConfigHealthy ${EXPIRING}`,
  },
  {
    when: "a token of our own has expired and the cluster can't be read",
    facts: { tokenExpiresAt: f.PAST, live: f.UNKNOWN },
    phase: "Unknown",
    conditions: `Progressing=Unknown/ClusterUnreadable Available=Unknown/ClusterUnreadable Degraded=True/ConfigTokenExpired ${EXPIRED}`,
  },

  // While references are missing or unreadable, pods go on with the token that was read last: its end still counts.
  {
    when: "the Secret is missing and the token that was read last is valid",
    facts: { references: f.MISSING_SECRET, tokenExpiresAt: JUST_FAR },
    phase: "Failed",
    conditions: `Available=False/MissingSecret Degraded=True/MissingSecret ${VALID}`,
  },
  {
    when: "the Secret is missing and the token that was read last is about to expire",
    facts: { references: f.MISSING_SECRET, tokenExpiresAt: SOON },
    phase: "Failed",
    conditions: `Available=False/MissingSecret Degraded=True/MissingSecret ${EXPIRING}`,
  },
  {
    when: "the Secret is missing and no token was ever read",
    facts: { references: f.MISSING_SECRET, tokenExpiresAt: undefined, live: f.ABSENT },
    phase: "Failed",
    conditions: "Available=False/MissingSecret Degraded=True/MissingSecret",
  },
  {
    when: "a ConfigMap is missing and the token is about to expire",
    facts: { references: f.MISSING_CONFIG_MAP, tokenExpiresAt: SOON },
    phase: "Failed",
    conditions: `Available=False/MissingConfigMap Degraded=True/MissingConfigMap ${EXPIRING}`,
  },
  {
    when: "the Secret can't be read and the token that was read last is about to expire",
    facts: { references: f.UNREADABLE, tokenExpiresAt: SOON },
    phase: "Running",
    conditions: `${RUNS} Degraded=Unknown/ReferenceUnreadable ${EXPIRING}`,
  },
  {
    when: "the monitor is made and the token is about to expire",
    facts: { serviceMonitor: "yes", tokenExpiresAt: SOON },
    phase: "Running",
    conditions: `${RUNS} Degraded=False/Running ${EXPIRING} ServiceMonitorReady=True/ServiceMonitorCreated`,
  },
]);

test("a token is about to expire from the very start of the warning on, and expired right after its end", () => {
  const at = (now: string, warning = 14 * DAY) =>
    tokenState({ tokenExpiresAt: AT_THE_WINDOW, tokenExpiryWarning: warning, now: new Date(now) });
  assert.equal(at("2026-12-31T23:59:59.999Z"), "valid");
  assert.equal(at("2027-01-01T00:00:00.000Z"), "expiring");
  assert.equal(at("2027-01-15T00:00:00.000Z"), "expiring");
  assert.equal(at("2027-01-15T00:00:00.001Z"), "expired");
  assert.equal(at("2027-01-15T00:00:00.000Z", 0), "valid");
  assert.equal(at("2027-01-15T00:00:00.001Z", 0), "expired");
});

test("a token that says nothing of its end has none", () => {
  assert.equal(
    tokenState({ tokenExpiresAt: undefined, tokenExpiryWarning: DAY, now: new Date(NOW) }),
    "endless",
  );
});

test("the warning is 14 days long unless the spec says otherwise", () => {
  assert.equal(tokenExpiryWarning({}), 14 * DAY);
  assert.equal(tokenExpiryWarning({ tokenExpiryWarning: "36h" }), 1.5 * DAY);
  assert.equal(tokenExpiryWarning({ tokenExpiryWarning: "0d" }), 0);
});

const message = (differences: Parameters<typeof f.facts>[0]): string | undefined =>
  proxyStatus(f.facts(differences)).conditions.find(({ type }) => type === "TokenExpiring")?.message;

test("the message names the moment, and what to do once there is something to do", () => {
  assert.equal(message({ tokenExpiresAt: JUST_FAR }), `the config token is valid until ${JUST_FAR}`);
  assert.equal(
    message({ tokenExpiresAt: SOON }),
    `the config token expires at ${SOON}; have a new one issued and put it in place before`,
  );
  assert.equal(
    message({ tokenExpiresAt: f.PAST }),
    `the config token expired at ${f.PAST}; have a new one issued and put it in place`,
  );
});

test("the message says when the token is not the one in place", () => {
  const last = `the config token that was read last is valid until ${JUST_FAR}`;
  assert.equal(message({ tokenExpiresAt: JUST_FAR, references: f.MISSING_SECRET }), last);
  assert.equal(message({ tokenExpiresAt: JUST_FAR, references: f.UNREADABLE }), last);
});

test("nothing changes because time passed, but for the token's warning and its end", () => {
  const later = new Date("2099-01-01T00:00:00Z");
  const endless = f.facts({ tokenExpiresAt: undefined, previous: proxyStatus(f.facts()).conditions });
  assert.deepEqual(proxyStatus({ ...endless, now: later }), proxyStatus(endless));
  assert.equal(f.summaryOf({ ...endless, now: later }), f.summaryOf(endless));

  const seen = (now: string): unknown => {
    const facts = f.facts({ tokenExpiresAt: AT_THE_WINDOW });
    const { previous } = {
      previous: proxyStatus({ ...facts, now: new Date("2026-06-01T00:00:00Z") }).conditions,
    };
    const at = { ...facts, previous, now: new Date(now) };
    return [proxyStatus(at).conditions.map(({ message: text }) => text), f.summaryOf(at)];
  };
  assert.deepEqual(seen("2026-06-02T00:00:00Z"), seen("2026-12-31T23:59:59Z"));
  assert.deepEqual(seen("2027-01-01T00:00:00Z"), seen("2027-01-15T00:00:00Z"));
  assert.deepEqual(seen("2027-01-16T00:00:00Z"), seen("2030-01-01T00:00:00Z"));
});
