import { z } from "zod";

/** Rules that several schemas share, as zod's refinements. */

/** Exactly one of these fields must be given. */
export function exactlyOne<Field extends string>(...fields: [Field, ...Field[]]) {
  return (value: Partial<Record<Field, unknown>>, context: z.RefinementCtx): void => {
    const given = fields.filter((field) => value[field] !== undefined);
    // A misspelt field has been told already, and is the one that was meant.
    if (given.length === 1 || (given.length === 0 && context.issues.length > 0)) return;
    const message =
      given.length === 0
        ? `must have one of ${fields.join(", ")}`
        : `has ${given.join(" and ")}: keep exactly one`;
    context.addIssue({ code: "custom", message });
  };
}

/** No two elements may have the same key; those without one are left alone. The later one is told, at `field`. */
export function unique<Element>(
  field: string | undefined,
  keyOf: (element: Element) => string | undefined,
  message: string,
) {
  return (elements: readonly Element[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    for (const [index, element] of elements.entries()) {
      const key = keyOf(element);
      if (key === undefined) continue;
      if (seen.has(key)) {
        context.addIssue({ code: "custom", path: field === undefined ? [index] : [index, field], message });
      }
      seen.add(key);
    }
  };
}

/** A field of Kubernetes' that may only stand with the one value that has no effect; `why` says the reason. */
export function only<const Value extends string | number | boolean>(value: Value, why: string) {
  const written = value === "" ? "empty" : value;
  return z.literal(value, { error: `must be ${written} or left out: ${why}` }).optional();
}

/** https://kubernetes.io/docs/reference/networking/ports-and-protocols/ */
export const portNumber = z
  .int({ error: "must be a port number from 1 to 65535" })
  .min(1, "must be a port number from 1 to 65535")
  .max(65535, "must be a port number from 1 to 65535");

/** The name of a port: IANA_SVC_NAME, RFC 6335. */
export const portName = z
  .string()
  .max(15, "must be at most 15 characters")
  .regex(
    /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    "must be lower-case letters, digits and single '-', at least one letter, starting and ending with a letter or digit",
  );

const portRule =
  "must be a port number from 1 to 65535, or the name of a port: at most 15 lower-case letters, digits and '-'";

export const portNumberOrName = z
  .union([z.number(), z.string()], { error: portRule })
  .refine((port) => (typeof port === "number" ? portNumber : portName).safeParse(port).success, portRule);

/** A number of seconds, or of times, as Kubernetes stores it. */
export const int32 = z.int().max(2147483647);
