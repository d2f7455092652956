import { type Identity, objectLabels, selectorLabels } from "./labels.ts";
import type { ServiceMonitor } from "./manifest.ts";
import type { MetricsSpec } from "./specs.ts";

/** Whether a ServiceMonitor is asked for: both the metrics and their monitor must be on. */
export function wantsServiceMonitor(
  metrics: { enabled: boolean; serviceMonitor?: { enabled: boolean } | undefined } | undefined,
): boolean {
  return metrics?.enabled === true && metrics.serviceMonitor?.enabled === true;
}

/** Tells a Prometheus to scrape the `http` port of the workload's Service. */
export function renderServiceMonitor(
  identity: Identity,
  metrics: MetricsSpec,
  defaultPath: string,
): ServiceMonitor {
  const { labels, interval } = metrics.serviceMonitor ?? {};
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: {
      name: identity.name,
      namespace: identity.namespace,
      labels: { ...objectLabels(identity), ...labels },
    },
    spec: {
      selector: { matchLabels: selectorLabels(identity) },
      namespaceSelector: { matchNames: [identity.namespace] },
      endpoints: [
        { port: "http", path: metrics.path ?? defaultPath, ...(interval !== undefined && { interval }) },
      ],
    },
  };
}
