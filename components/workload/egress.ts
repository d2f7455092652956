import type { Identity } from "./labels.ts";
import type { EnvVar } from "./manifest.ts";
import type { EgressSpec } from "./network-specs.ts";

/**
 * What never goes through a corporate proxy: the pod itself, its own Service under its short names, and its cluster. The
 * kubelet puts the API server's address in.
 */
function insideTheCluster({ name, namespace }: Identity, clusterDomain: string): string[] {
  return [
    ...["localhost", "127.0.0.1", "::1"],
    ...[name, `${name}.${namespace}`, ".svc", `.svc.${clusterDomain}`],
    ...["kubernetes.default", "kubernetes.default.svc", "$(KUBERNETES_SERVICE_HOST)"],
  ];
}

/** A component's corporate proxy over its zone's, field by field; its own exceptions stand before the zone's. */
export function mergeEgress(own: EgressSpec | undefined, zone: EgressSpec | undefined): EgressSpec {
  const given = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...zone,
    ...(Object.fromEntries(given) as EgressSpec),
    noProxy: [...(own?.noProxy ?? []), ...(zone?.noProxy ?? [])],
  };
}

/**
 * The environment that sends a process through a corporate proxy: both letter cases of each variable, because
 * programs disagree on which they read. NO_PROXY keeps the user's entries first, in their order, and is completed
 * for the cluster.
 */
export function egressEnv(egress: EgressSpec, identity: Identity, clusterDomain: string): EnvVar[] {
  if (egress.enabled === false || (!egress.httpProxy && !egress.httpsProxy)) return [];
  const exceptions = [...(egress.noProxy ?? []), ...insideTheCluster(identity, clusterDomain)];
  const noProxy = [...new Set(exceptions)].join(",");
  const both = (name: string, value: string | undefined): EnvVar[] =>
    value === undefined
      ? []
      : [
          { name, value },
          { name: name.toLowerCase(), value },
        ];
  return [
    ...both("HTTP_PROXY", egress.httpProxy),
    ...both("HTTPS_PROXY", egress.httpsProxy),
    ...both("NO_PROXY", noProxy),
  ];
}
