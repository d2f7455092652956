import type { StrategySpec } from "./availability-specs.ts";
import type { DeploymentStrategy } from "./manifest.ts";
import { isZero } from "./validation.ts";

const DEFAULT_MAX_SURGE = "25%";

/**
 * How a Deployment replaces its pods. Unless it is asked for, no pod goes before a new one is available: those who are
 * connected through a proxy would be cut off together. `maxSurge` 0 needs a pod that may be missing.
 */
export function deploymentStrategy(spec: StrategySpec | undefined): DeploymentStrategy {
  if (spec?.type === "Recreate") return { type: "Recreate" };
  const { maxSurge = DEFAULT_MAX_SURGE, maxUnavailable = isZero(maxSurge) ? 1 : 0 } =
    spec?.rollingUpdate ?? {};
  return { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } };
}
