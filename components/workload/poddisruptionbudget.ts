import type { PodDisruptionBudgetSpec } from "./availability-specs.ts";
import { type Identity, objectLabels, selectorLabels } from "./labels.ts";
import type { PodDisruptionBudget } from "./manifest.ts";
import { isZero } from "./validation.ts";

/**
 * A disruption budget: the bound that is given, else one that keeps a pod where there are `replicas` to spare and never
 * holds up the drain of a node where there are not. Pods that are not ready may always be evicted.
 */
export function renderPodDisruptionBudget(
  identity: Identity,
  spec: PodDisruptionBudgetSpec,
  replicas: number,
): PodDisruptionBudget {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: identity.name, namespace: identity.namespace, labels: objectLabels(identity) },
    spec: {
      selector: { matchLabels: selectorLabels(identity) },
      ...boundOf(spec, replicas),
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}

/** Whether a budget lets no pod of `replicas` go, so that no node under them can be drained. */
export function blocksDrains(spec: PodDisruptionBudgetSpec | undefined, replicas: number): boolean {
  if (spec?.enabled !== true || replicas === 0) return false;
  const { minAvailable, maxUnavailable } = boundOf(spec, replicas);
  if (minAvailable === undefined) return isZero(maxUnavailable);
  const needed =
    typeof minAvailable === "number"
      ? minAvailable
      : Math.ceil((Number.parseInt(minAvailable) * replicas) / 100);
  return needed >= replicas;
}

function boundOf(
  { minAvailable, maxUnavailable }: PodDisruptionBudgetSpec,
  replicas: number,
): { minAvailable?: number | string; maxUnavailable?: number | string } {
  if (minAvailable !== undefined) return { minAvailable };
  if (maxUnavailable !== undefined) return { maxUnavailable };
  return replicas >= 2 ? { minAvailable: 1 } : { maxUnavailable: 1 };
}
