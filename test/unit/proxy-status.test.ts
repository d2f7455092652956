import { DEADLINE, live, NO_PODS, PROGRESSING } from "./live-deployment.ts";
import * as f from "./proxy-facts.ts";
import { truth } from "./proxy-facts.ts";

// The table of truth. "(operator: ...)" marks where its documented behaviour was a weakness that we do not copy.
truth([
  // References: the first problem decides, whatever the Deployment looks like; the old pods are not judged.
  {
    when: "the Secret is missing",
    facts: { references: f.MISSING_SECRET, live: f.ABSENT },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the token's key is missing",
    facts: { references: f.MISSING_KEY, live: f.ABSENT },
    phase: "Failed",
    conditions:
      "Available=False/MissingTokenKey Degraded=True/MissingTokenKey TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "a ConfigMap is missing",
    facts: { references: f.MISSING_CONFIG_MAP, live: f.ABSENT },
    phase: "Failed",
    conditions:
      "Available=False/MissingConfigMap Degraded=True/MissingConfigMap TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the Secret disappears under a running proxy",
    facts: { references: f.MISSING_SECRET },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the Secret is missing and replicas is 0",
    facts: { references: f.MISSING_SECRET, live: f.found(live(0, 0)) },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the Secret is missing and pods can't be made",
    facts: { references: f.MISSING_SECRET, live: f.found(live(0, 1, { conditions: [NO_PODS] })) },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the Secret is missing and the monitor is not served",
    facts: { references: f.MISSING_SECRET, serviceMonitor: "no" },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=False/ConfigTokenValid ServiceMonitorReady=False/ServiceMonitorCRDNotInstalled",
  },
  {
    when: "the Secret is missing and the last known token has expired",
    facts: { references: f.MISSING_SECRET, tokenExpiresAt: f.PAST },
    phase: "Failed",
    conditions:
      "Available=False/MissingSecret Degraded=True/MissingSecret TokenExpiring=True/ConfigTokenExpired",
  },
  {
    when: "a reference can't be read",
    facts: { references: f.UNREADABLE },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=Unknown/ReferenceUnreadable TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "a reference can't be read and pods start",
    facts: { references: f.UNREADABLE, live: f.found(live(0, 1, { conditions: [PROGRESSING] })) },
    phase: "Deploying",
    conditions:
      "Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=Unknown/ReferenceUnreadable TokenExpiring=False/ConfigTokenValid",
  },

  // What is not there, or not known.
  {
    when: "there is no Deployment yet",
    facts: { live: f.ABSENT },
    phase: "Deploying",
    conditions:
      "Progressing=True/Reconciling Available=False/WaitingForReplicas Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the cluster can't be read",
    facts: { live: f.UNKNOWN },
    phase: "Unknown",
    conditions:
      "Progressing=Unknown/ClusterUnreadable Available=Unknown/ClusterUnreadable Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "neither cluster nor reference can be read",
    facts: { live: f.UNKNOWN, references: f.UNREADABLE },
    phase: "Unknown",
    conditions:
      "Progressing=Unknown/ClusterUnreadable Available=Unknown/ClusterUnreadable Degraded=Unknown/ReferenceUnreadable TokenExpiring=False/ConfigTokenValid",
  },

  // Ready pods.
  {
    when: "1/1 is ready",
    facts: {},
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "3/3 are ready",
    facts: { live: f.found(live(3, 3)) },
    phase: "Running",
    conditions:
      "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "the token says nothing of its end",
    facts: { tokenExpiresAt: undefined },
    phase: "Running",
    conditions: "Progressing=False/DeploymentComplete Available=True/AllReplicasReady Degraded=False/Running",
  },
  {
    when: "1/2 is ready during a rollout",
    facts: { live: f.found(live(1, 2, { conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/SomeReplicasReady Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "1/2 is ready after a completed rollout",
    facts: { live: f.found(live(1, 2)) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/SomeReplicasReady Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "3/2 are ready while it scales down",
    facts: { live: f.found(live(3, 2, { updated: 3, total: 3 })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/AllReplicasReady Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "0/1 is ready at the start",
    facts: { live: f.found(live(0, 1, { conditions: [PROGRESSING] })) },
    phase: "Deploying",
    conditions:
      "Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  // (operator: Available stays True)
  {
    when: "all pods turn unready after a completed rollout",
    facts: { live: f.found(live(0, 2)) },
    phase: "Deploying",
    conditions:
      "Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },

  // Old pods are never taken for the new template. (operator: Running / DeploymentComplete)
  {
    when: "the controller has not seen the change yet",
    facts: { live: f.found(live(1, 1, { generation: 3 })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/AllReplicasReady Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "only old pods are ready",
    facts: { live: f.found(live(1, 1, { updated: 0, conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/AllReplicasReady Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "only old pods are ready and the condition is stale",
    facts: { live: f.found(live(1, 1, { updated: 0 })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/AllReplicasReady Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "new pods are ready but the rollout is not concluded",
    facts: { live: f.found(live(1, 1, { total: 2, conditions: [PROGRESSING] })) },
    phase: "Updating",
    conditions:
      "Progressing=True/RolloutInProgress Available=True/AllReplicasReady Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
  {
    when: "an old failure is superseded by a new generation",
    facts: { live: f.found(live(0, 1, { generation: 3, conditions: [DEADLINE, NO_PODS] })) },
    phase: "Deploying",
    conditions:
      "Progressing=True/WaitingForReplicas Available=False/WaitingForReplicas Degraded=False/ConfigHealthy TokenExpiring=False/ConfigTokenValid",
  },
]);
