import type { HttpGetProbe } from "./manifest.ts";

/** A probe over HTTP. Times are seconds; timeout and success threshold stay at Kubernetes' defaults (1 s, 1). */
export function httpProbe(
  path: string,
  port: number,
  timing: { initialDelaySeconds: number; periodSeconds: number; failureThreshold: number },
): HttpGetProbe {
  return { httpGet: { path, port }, ...timing };
}
