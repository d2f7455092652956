import { z } from "zod";
import { checkExpression, type LabelSelectorSpec, labelSelectorSpec } from "./selector-specs.ts";
import { unique } from "./spec-rules.ts";
import { labelValue, namespaceName, objectName, qualifiedName, strict } from "./validation.ts";

/** One condition on a node's label. */
export interface NodeExpressionSpec {
  /** Key of the label. */
  key: string;
  /** `In`, `NotIn` (with `values`), `Exists`, `DoesNotExist` (without), `Gt` or `Lt` (with one whole number). */
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";
  /** Values of the label. */
  values?: string[] | undefined;
}

/** One condition on a node's field. */
export interface NodeFieldSpec {
  /** The one field that Kubernetes knows here: `metadata.name`. */
  key: "metadata.name";
  /** `In` or `NotIn`. */
  operator: "In" | "NotIn";
  /** Exactly one name of a node. */
  values: string[];
}

/** Nodes for which all conditions hold; without conditions, no node. */
export interface NodeSelectorTermSpec {
  /** Conditions on labels. */
  matchExpressions?: NodeExpressionSpec[] | undefined;
  /** Conditions on the name. */
  matchFields?: NodeFieldSpec[] | undefined;
}

/** Which nodes the pods run on. */
export interface NodeAffinitySpec {
  /** The pods run only on nodes that one of the terms selects. */
  requiredDuringSchedulingIgnoredDuringExecution?:
    | {
        /** At least one. */
        nodeSelectorTerms: NodeSelectorTermSpec[];
      }
    | undefined;
  /** Nodes that the pods rather run on: those with the highest sum of weights. */
  preferredDuringSchedulingIgnoredDuringExecution?:
    | {
        /** 1 to 100. */
        weight: number;
        /** The nodes. */
        preference: NodeSelectorTermSpec;
      }[]
    | undefined;
}

/** Pods, and how near to one of them is near. */
export interface PodAffinityTermSpec {
  /** Label of nodes; those with the same value are one place, such as `kubernetes.io/hostname`. */
  topologyKey: string;
  /** The pods; none when not given. */
  labelSelector?: LabelSelectorSpec | undefined;
  /** Namespaces of the pods, in addition to those of `namespaceSelector`; the pod's own when neither is given. */
  namespaces?: string[] | undefined;
  /** Namespaces of the pods by label; empty selects all. */
  namespaceSelector?: LabelSelectorSpec | undefined;
  /**
   * Labels in which the pods have the same value as the pod that is scheduled, such as `pod-template-hash`. They need a
   * `labelSelector`, and don't stand in it. Kubernetes 1.31 or newer.
   */
  matchLabelKeys?: string[] | undefined;
  /** Labels in which they have another value. They need a `labelSelector`. Kubernetes 1.31 or newer. */
  mismatchLabelKeys?: string[] | undefined;
}

/** Which pods to be near to, or far from. */
export interface PodAffinitySpec {
  /** The pods run only where this holds. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTermSpec[] | undefined;
  /** Where the pods rather run: places with the highest sum of weights. */
  preferredDuringSchedulingIgnoredDuringExecution?:
    | {
        /** 1 to 100. */
        weight: number;
        /** The pods. */
        podAffinityTerm: PodAffinityTermSpec;
      }[]
    | undefined;
}

/**
 * Scheduling rules, as Kubernetes has them.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#affinity-and-anti-affinity
 */
export interface AffinitySpec {
  /** Nodes to run on. */
  nodeAffinity?: NodeAffinitySpec | undefined;
  /** Pods to be near to. */
  podAffinity?: PodAffinitySpec | undefined;
  /** Pods to be far from. */
  podAntiAffinity?: PodAffinitySpec | undefined;
}

const nodeExpressionSpec = strict({
  key: qualifiedName,
  operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]),
  values: z.array(labelValue).optional(),
})
  .superRefine(checkExpression)
  // The API server takes any value here, with which the scheduler then finds no node.
  .refine(
    ({ operator, values = [] }) =>
      (operator !== "Gt" && operator !== "Lt") || (values.length === 1 && /^\d+$/.test(values[0] ?? "")),
    { path: ["values"], error: "must be exactly one whole number, as text, with operator Gt or Lt" },
  );

const nodeTermSpec = strict({
  matchExpressions: z.array(nodeExpressionSpec).optional(),
  matchFields: z
    .array(
      strict({
        key: z.literal("metadata.name", "must be metadata.name: Kubernetes knows no other field here"),
        operator: z.enum(["In", "NotIn"]),
        values: z.array(objectName).length(1, "must be exactly one name of a node"),
      }),
    )
    .optional(),
});

const weight = z.int().min(1, "must be from 1 to 100").max(100, "must be from 1 to 100");

const nodeAffinitySpec = strict({
  requiredDuringSchedulingIgnoredDuringExecution: strict({
    nodeSelectorTerms: z.array(nodeTermSpec).min(1, "must have at least one term"),
  }).optional(),
  preferredDuringSchedulingIgnoredDuringExecution: z
    .array(strict({ weight, preference: nodeTermSpec }))
    .optional(),
});

/** Kubernetes adds the keys to the selector of each pod, and refuses pods whose selector has them already. */
function checkLabelKeys(term: PodAffinityTermSpec, context: z.RefinementCtx): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const issue = (message: string, ...path: (string | number)[]): void => {
    context.addIssue({ code: "custom", message, path });
  };
  if (labelSelector === undefined) {
    for (const [field, keys] of Object.entries({ matchLabelKeys, mismatchLabelKeys }))
      if (keys.length > 0) issue("needs a labelSelector beside it", field);
  }
  const { matchLabels = {}, matchExpressions = [] } = labelSelector ?? {};
  const selected = [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
  for (const [index, key] of matchLabelKeys.entries()) {
    if (selected.includes(key)) issue("stands in labelSelector too; keep one", "matchLabelKeys", index);
    if (mismatchLabelKeys.includes(key))
      issue("stands in mismatchLabelKeys too; keep one", "matchLabelKeys", index);
  }
}

const podTermSpec = strict({
  topologyKey: qualifiedName,
  labelSelector: labelSelectorSpec.optional(),
  namespaces: z.array(namespaceName).optional(),
  namespaceSelector: labelSelectorSpec.optional(),
  matchLabelKeys: z
    .array(qualifiedName)
    .superRefine(unique(undefined, (key) => key, "is given twice; keep one"))
    .optional(),
  mismatchLabelKeys: z.array(qualifiedName).optional(),
}).superRefine(checkLabelKeys);

const podAffinitySpec = strict({
  requiredDuringSchedulingIgnoredDuringExecution: z.array(podTermSpec).optional(),
  preferredDuringSchedulingIgnoredDuringExecution: z
    .array(strict({ weight, podAffinityTerm: podTermSpec }))
    .optional(),
});

export const affinitySpec = strict({
  nodeAffinity: nodeAffinitySpec.optional(),
  podAffinity: podAffinitySpec.optional(),
  podAntiAffinity: podAffinitySpec.optional(),
});
