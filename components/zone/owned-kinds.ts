import {
  DEPLOYMENTS,
  HORIZONTAL_POD_AUTOSCALERS,
  NETWORK_POLICIES,
  POD_DISRUPTION_BUDGETS,
  SERVICE_ACCOUNTS,
  SERVICES,
} from "../cluster/cluster.ts";

/**
 * Kinds that components make and every cluster serves; each is read by one list per run. Beside them are
 * ServiceMonitors, which a cluster may not serve, and Secrets, which are read one by one.
 */
export const OWNED_KINDS = [
  SERVICE_ACCOUNTS,
  DEPLOYMENTS,
  SERVICES,
  HORIZONTAL_POD_AUTOSCALERS,
  POD_DISRUPTION_BUDGETS,
  NETWORK_POLICIES,
] as const;
