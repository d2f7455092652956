import { z } from "zod";
import { labels, labelValue, qualifiedName, strict } from "./validation.ts";

/** One condition on a label. */
export interface LabelExpressionSpec {
  /** Key of the label. */
  key: string;
  /** `In`, `NotIn` (with `values`), `Exists` or `DoesNotExist` (without). */
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  /** Values of the label, at least one with `In` and `NotIn`. */
  values?: string[] | undefined;
}

/**
 * Objects by their labels; all conditions must hold. An empty selector selects everything.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export interface LabelSelectorSpec {
  /** Labels with exactly these values. */
  matchLabels?: Record<string, string> | undefined;
  /** Further conditions. */
  matchExpressions?: LabelExpressionSpec[] | undefined;
}

interface Expression {
  operator: string;
  values?: readonly string[] | undefined;
}

/** `In` and `NotIn` compare with values, `Exists` and `DoesNotExist` with none. */
export function checkExpression({ operator, values = [] }: Expression, context: z.RefinementCtx): void {
  const compares = operator === "In" || operator === "NotIn";
  const stands = operator === "Exists" || operator === "DoesNotExist";
  const message = compares
    ? values.length === 0 && "must have at least one value with operator In or NotIn"
    : stands && values.length > 0 && "has no meaning with operator Exists or DoesNotExist";
  if (message) context.addIssue({ code: "custom", path: ["values"], message });
}

export const labelSelectorSpec = strict({
  matchLabels: labels.optional(),
  matchExpressions: z
    .array(
      strict({
        key: qualifiedName,
        operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
        values: z.array(labelValue).optional(),
      }).superRefine(checkExpression),
    )
    .optional(),
});
