import type { HttpGetProbe } from "./manifest.ts";
import type { ProbeSpec } from "./pod-specs.ts";

/**
 * A probe over HTTP: the override as a whole where there is one, else the default. Without path there is none. Times
 * are seconds; what is not given, and a period or threshold of 0, is Kubernetes' default.
 */
export function httpProbe(
  override: ProbeSpec | undefined,
  fallback: ProbeSpec,
  port: number,
): HttpGetProbe | undefined {
  const { path, initialDelaySeconds, periodSeconds, failureThreshold } = override ?? fallback;
  if (!path) return undefined;
  return {
    httpGet: { path, port },
    ...(initialDelaySeconds !== undefined && { initialDelaySeconds }),
    ...(periodSeconds && { periodSeconds }),
    ...(failureThreshold && { failureThreshold }),
  };
}
