import { type Identity, objectLabels, selectorLabels } from "./labels.ts";
import type { PodDisruptionBudget } from "./manifest.ts";
import type { PodDisruptionBudgetSpec } from "./specs.ts";

/** A disruption budget: `minAvailable` wins, else `maxUnavailable`, else one pod stays available. */
export function renderPodDisruptionBudget(
  identity: Identity,
  spec: PodDisruptionBudgetSpec,
): PodDisruptionBudget {
  const bound =
    spec.minAvailable === undefined && spec.maxUnavailable !== undefined
      ? { maxUnavailable: spec.maxUnavailable }
      : { minAvailable: spec.minAvailable ?? 1 };
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: identity.name, namespace: identity.namespace, labels: objectLabels(identity) },
    spec: { selector: { matchLabels: selectorLabels(identity) }, ...bound },
  };
}
