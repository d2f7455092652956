import { z } from "zod";
import { type LabelSelectorSpec, labelSelectorSpec } from "./selector-specs.ts";
import { int32, unique } from "./spec-rules.ts";
import { intOrPercent, isZero, qualifiedName, shareOrCount, strict } from "./validation.ts";

/** How pods of a new template take the place of the old ones. */
export interface StrategySpec {
  /**
   * `RollingUpdate`: new pods first. `Recreate`: old pods end before the first new one starts.
   * @effect none on the pods; it decides how they are rolled
   */
  type: "RollingUpdate" | "Recreate";
  /** Bounds of a rolling update; not both may be 0. Only with `RollingUpdate`. */
  rollingUpdate?:
    | {
        /**
         * Pods beyond `replicas` during a rollout: a count or a percentage, rounded up.
         * @default 25%
         * @effect none on the pods; it decides how they are rolled
         */
        maxSurge?: number | string | undefined;
        /**
         * Pods that may be missing during a rollout: a count or a percentage, rounded down.
         * @default 0, or 1 when `maxSurge` is 0
         * @effect none on the pods; it decides how they are rolled
         */
        maxUnavailable?: number | string | undefined;
      }
    | undefined;
}

export const strategySpec = strict({
  type: z.enum(["RollingUpdate", "Recreate"]),
  rollingUpdate: strict({
    maxSurge: intOrPercent.optional(),
    maxUnavailable: shareOrCount.optional(),
  })
    .refine(
      ({ maxSurge, maxUnavailable }) => !isZero(maxSurge) || !isZero(maxUnavailable),
      "maxSurge and maxUnavailable are both 0: no pod could ever be replaced",
    )
    .optional(),
}).refine(
  ({ type, rollingUpdate }) => type === "RollingUpdate" || rollingUpdate === undefined,
  "rollingUpdate has no meaning with type Recreate: keep one",
);

/**
 * A budget for voluntary disruptions, such as the drain of a node. Pods that are not ready never hold up a drain.
 * https://kubernetes.io/docs/tasks/run-application/configure-pdb/
 */
export interface PodDisruptionBudgetSpec {
  /**
   * Whether there is a budget.
   * @effect none on the pods
   */
  enabled: boolean;
  /**
   * Pods that must stay available: a count or a percentage, rounded up. Excludes `maxUnavailable`.
   * @default 1 from two replicas on, when `maxUnavailable` is not given
   * @effect none on the pods
   */
  minAvailable?: number | string | undefined;
  /**
   * Pods that may be unavailable: a count or a percentage, rounded up. Excludes `minAvailable`.
   * @default 1 below two replicas, when `minAvailable` is not given
   * @effect none on the pods
   */
  maxUnavailable?: number | string | undefined;
}

export const podDisruptionBudgetSpec = strict({
  enabled: z.boolean(),
  minAvailable: shareOrCount.optional(),
  maxUnavailable: shareOrCount.optional(),
}).refine(
  ({ minAvailable, maxUnavailable }) => minAvailable === undefined || maxUnavailable === undefined,
  "has both minAvailable and maxUnavailable: keep one",
);

/** How fast an autoscaler may go in one direction. */
export interface ScalingRulesSpec {
  /**
   * Seconds of the past whose most cautious recommendation counts, 0 to 3600.
   * @default 0 up, 300 down (Kubernetes)
   */
  stabilizationWindowSeconds?: number | undefined;
  /**
   * Which of several policies counts; `Disabled` never scales in this direction.
   * @default Max
   */
  selectPolicy?: "Max" | "Min" | "Disabled" | undefined;
  /** Most pods, or most percent of the pods, that are added or removed per period; Kubernetes' own when not given. */
  policies?: ScalingPolicySpec[] | undefined;
}

/** One bound on the speed of an autoscaler. */
export interface ScalingPolicySpec {
  /** What `value` counts: pods, or percent of the current pods. */
  type: "Pods" | "Percent";
  /** From 1 on. */
  value: number;
  /** Seconds for which the bound holds, 1 to 1800. */
  periodSeconds: number;
}

/**
 * A HorizontalPodAutoscaler in place of `replicas`: https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
 * It measures the main container alone, as a share of its requests.
 */
export interface AutoscalingSpec {
  /**
   * Whether an autoscaler decides on the number of pods; `replicas` is then not given.
   * @effect starts or stops pods, rolls none
   */
  enabled: boolean;
  /**
   * Fewest pods, from 1 on.
   * @default 1
   * @effect starts or stops pods, rolls none
   */
  minReplicas?: number | undefined;
  /**
   * Most pods, from `minReplicas` on.
   * @effect starts or stops pods, rolls none
   */
  maxReplicas: number;
  /**
   * CPU that pods should use, in percent of `resources.requests.cpu`, from 1 on.
   * @default 80 when no memory target is given
   * @effect starts or stops pods, rolls none
   */
  targetCPUUtilizationPercentage?: number | undefined;
  /**
   * Memory that pods should use, in percent of `resources.requests.memory`, from 1 on.
   * @effect starts or stops pods, rolls none
   */
  targetMemoryUtilizationPercentage?: number | undefined;
  /**
   * How fast it may scale up and down.
   * @effect none on the pods
   */
  behavior?:
    | {
        /** How fast pods are added. */
        scaleUp?: ScalingRulesSpec | undefined;
        /** How fast pods are taken away. */
        scaleDown?: ScalingRulesSpec | undefined;
      }
    | undefined;
}

const scalingRules = strict({
  stabilizationWindowSeconds: z.int().min(0).max(3600).optional(),
  selectPolicy: z.enum(["Max", "Min", "Disabled"]).optional(),
  policies: z
    .array(
      strict({
        type: z.enum(["Pods", "Percent"]),
        value: int32.min(1),
        periodSeconds: z.int().min(1).max(1800),
      }),
    )
    .min(1)
    .optional(),
});

export const autoscalingSpec = strict({
  enabled: z.boolean(),
  minReplicas: int32.min(1).optional(),
  maxReplicas: int32.min(1),
  targetCPUUtilizationPercentage: int32.min(1).optional(),
  targetMemoryUtilizationPercentage: int32.min(1).optional(),
  behavior: strict({ scaleUp: scalingRules.optional(), scaleDown: scalingRules.optional() }).optional(),
}).refine(({ minReplicas = 1, maxReplicas }) => minReplicas <= maxReplicas, {
  error: "must be at least minReplicas",
  path: ["maxReplicas"],
});

/** How pods spread over zones or nodes: https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/ */
export interface TopologySpreadConstraintSpec {
  /** Most that the numbers of pods of two topologies may differ, from 1 on. */
  maxSkew: number;
  /** Label of nodes whose values are the topologies, such as `topology.kubernetes.io/zone`. */
  topologyKey: string;
  /** Whether a pod that would break the rule waits, or runs all the same. */
  whenUnsatisfiable: "DoNotSchedule" | "ScheduleAnyway";
  /**
   * Which pods count.
   * @default the pods of this component
   */
  labelSelector?: LabelSelectorSpec | undefined;
  /**
   * Fewest topologies, from 1 on; only with `DoNotSchedule`.
   * @default 1
   */
  minDomains?: number | undefined;
  /**
   * Whether only nodes that nodeSelector and affinity allow count.
   * @default Honor
   */
  nodeAffinityPolicy?: "Honor" | "Ignore" | undefined;
  /**
   * Whether only nodes whose taints the pods tolerate count.
   * @default Ignore
   */
  nodeTaintsPolicy?: "Honor" | "Ignore" | undefined;
  /** Labels of the pod whose values select further, such as `pod-template-hash`: each template is then spread by itself. */
  matchLabelKeys?: string[] | undefined;
}

export const topologySpreadConstraintsSpec = z
  .array(
    strict({
      maxSkew: int32.min(1),
      topologyKey: qualifiedName,
      whenUnsatisfiable: z.enum(["DoNotSchedule", "ScheduleAnyway"]),
      labelSelector: labelSelectorSpec.optional(),
      minDomains: int32.min(1).optional(),
      nodeAffinityPolicy: z.enum(["Honor", "Ignore"]).optional(),
      nodeTaintsPolicy: z.enum(["Honor", "Ignore"]).optional(),
      matchLabelKeys: z
        .array(qualifiedName)
        .superRefine(unique(undefined, String, "is given twice; keep one"))
        .optional(),
    }).refine(
      ({ minDomains, whenUnsatisfiable }) =>
        minDomains === undefined || whenUnsatisfiable === "DoNotSchedule",
      { error: "has no meaning with whenUnsatisfiable ScheduleAnyway", path: ["minDomains"] },
    ),
  )
  .superRefine((constraints, context) => {
    const pairs = constraints.map(
      ({ topologyKey, whenUnsatisfiable }) => `${topologyKey} ${whenUnsatisfiable}`,
    );
    for (const [index, pair] of pairs.entries()) {
      if (pairs.indexOf(pair) === index) continue;
      const message = "is given twice with the same whenUnsatisfiable; keep one";
      context.addIssue({ code: "custom", path: [index, "topologyKey"], message });
    }
  });
