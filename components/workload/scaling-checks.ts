import type { AutoscalingSpec, TopologySpreadConstraintSpec } from "./availability-specs.ts";
import { DEFAULT_MIN_READY_SECONDS, DEFAULT_PROGRESS_DEADLINE_SECONDS } from "./deployment.ts";
import type { Identity } from "./labels.ts";
import { selectorLabels } from "./labels.ts";
import type { ResourcesSpec, RolloutSpec } from "./specs.ts";
import { joinPath, type Problem } from "./validation.ts";

/** The parts of a workload that decide on the number of its pods and on where and how they are rolled. */
export interface ScalingParts {
  replicas?: number | undefined;
  autoscaling?: AutoscalingSpec | undefined;
  resources?: ResourcesSpec | undefined;
  minReadySeconds?: number | undefined;
  rollout?: RolloutSpec | undefined;
  topologySpreadConstraints?: readonly TopologySpreadConstraintSpec[] | undefined;
}

/** What the API server would refuse, or an autoscaler never act on, because two fields don't go together. */
export function scalingProblems(
  parts: ScalingParts,
  identity: Pick<Identity, "name" | "component">,
  path: string,
): Problem[] {
  const problem = (message: string, ...at: (string | number)[]): Problem => ({
    path: at.reduce<string>(joinPath, path),
    message,
  });
  const { replicas, autoscaling, minReadySeconds = DEFAULT_MIN_READY_SECONDS, rollout } = parts;
  const problems: Problem[] = [];
  if (autoscaling?.enabled === true) {
    if (replicas !== undefined)
      problems.push(problem("has no meaning beside autoscaling: keep one", "replicas"));
    problems.push(...utilizationProblems(autoscaling, parts.resources, problem));
  }
  const deadline = rollout?.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
  if (minReadySeconds >= deadline) {
    const message = `must be below rollout.progressDeadlineSeconds (${deadline}); it is ${minReadySeconds}`;
    problems.push(problem(message, "minReadySeconds"));
  }
  const timeout = rollout?.timeoutSeconds;
  if (timeout !== undefined && timeout <= minReadySeconds && rollout?.wait !== false) {
    const message = `must be above minReadySeconds (${minReadySeconds}): no run could see a rollout complete`;
    problems.push(problem(message, "rollout", "timeoutSeconds"));
  }
  for (const [index, { labelSelector, matchLabelKeys = [] }] of (
    parts.topologySpreadConstraints ?? []
  ).entries()) {
    const own = selectorLabels({ ...identity, namespace: "" });
    const selected = labelSelector === undefined ? Object.keys(own) : selectedKeys(labelSelector);
    for (const [key, label] of matchLabelKeys.entries()) {
      if (!selected.includes(label)) continue;
      const message = "is a label of labelSelector already: keep one";
      problems.push(problem(message, "topologySpreadConstraints", index, "matchLabelKeys", key));
    }
  }
  return problems;
}

function selectedKeys({
  matchLabels = {},
  matchExpressions = [],
}: NonNullable<TopologySpreadConstraintSpec["labelSelector"]>): string[] {
  return [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
}

/** A utilisation is a share of what is requested; a limit alone is a request as well. */
function utilizationProblems(
  autoscaling: AutoscalingSpec,
  resources: ResourcesSpec | undefined,
  problem: (message: string, ...at: string[]) => Problem,
): Problem[] {
  const { targetCPUUtilizationPercentage: cpu, targetMemoryUtilizationPercentage: memory } = autoscaling;
  const measured = [
    { name: "cpu", isTarget: cpu !== undefined || memory === undefined },
    { name: "memory", isTarget: memory !== undefined },
  ];
  return measured
    .filter(({ name, isTarget }) => isTarget && !resources?.requests?.[name] && !resources?.limits?.[name])
    .map(({ name }) => problem(`needs resources.requests.${name}, of which it is a share`, "autoscaling"));
}
