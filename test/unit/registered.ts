import { type ProxyInput, proxyManifests, tokenSecret } from "../../components/proxy/manifests.ts";
import type { OwnToken } from "../../components/proxy/token.ts";
import type { Manifest } from "../../components/workload/manifest.ts";
import { wantsServiceMonitor } from "../../components/workload/servicemonitor.ts";

/** The manifests that a proxy registers, where nothing exists and the cluster serves every kind. */
export function registeredManifests(input: ProxyInput, own?: OwnToken): Record<string, Manifest> {
  const { spec, identity, token } = input;
  const { horizontalPodAutoscaler, networkPolicy, podDisruptionBudget, serviceMonitor, ...always } =
    proxyManifests(input);
  return {
    ...always,
    ...(own !== undefined && { tokenSecret: tokenSecret(identity, token, own) }),
    ...(spec.autoscaling?.enabled === true && { horizontalPodAutoscaler }),
    ...(spec.networkPolicy?.enabled !== false && { networkPolicy }),
    ...(spec.podDisruptionBudget?.enabled === true && { podDisruptionBudget }),
    ...(wantsServiceMonitor(spec.metrics) && { serviceMonitor }),
  };
}
