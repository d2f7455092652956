import type { EnvVar } from "./manifest.ts";
import type { EgressSpec } from "./specs.ts";

/** What never goes through a corporate proxy: the pod itself and its own cluster. */
function insideTheCluster(clusterDomain: string): string[] {
  return ["localhost", "127.0.0.1", "::1", ".svc", `.svc.${clusterDomain}`, "kubernetes.default.svc"];
}

/**
 * The environment that sends a process through a corporate proxy: both letter cases of each variable, because
 * programs disagree on which they read. NO_PROXY keeps the user's entries first, in their order, and is completed
 * for the cluster.
 */
export function egressEnv(egress: EgressSpec | undefined, clusterDomain: string): EnvVar[] {
  if (!egress?.httpProxy && !egress?.httpsProxy) return [];
  const noProxy = [...new Set([...(egress.noProxy ?? []), ...insideTheCluster(clusterDomain)])].join(",");
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
