import { z } from "zod";
import { labelKey, labels, labelValue, strict } from "./validation.ts";

/** Selects objects by their labels; all conditions hold together, and none selects everything. */
export interface LabelSelectorSpec {
  /** Labels and their values. */
  matchLabels?: Record<string, string> | undefined;
  /** Further conditions. */
  matchExpressions?:
    | {
        /** Name of the label. */
        key: string;
        /** How the label is compared with `values`, or whether it must be there at all. */
        operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
        /** Values, with `In` and `NotIn` only. */
        values?: string[] | undefined;
      }[]
    | undefined;
}

export const labelSelectorSpec = strict({
  matchLabels: labels.optional(),
  matchExpressions: z
    .array(
      strict({
        key: labelKey,
        operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
        values: z.array(labelValue).optional(),
      }).superRefine(({ operator, values = [] }, context) => {
        const needsValues = operator === "In" || operator === "NotIn";
        if (needsValues === values.length > 0) return;
        const message = needsValues
          ? `needs at least one with operator ${operator}`
          : `has no meaning with operator ${operator}`;
        context.addIssue({ code: "custom", path: ["values"], message });
      }),
    )
    .optional(),
});
