// The fields of a zod schema: which there are, and which of them occur in a value.
import type { z } from "zod";

/** One step down from a schema: into a field, a list's items or a map's values. */
interface Step {
  /** `.name`, `[]` or `.*`. */
  step: string;
  schema: z.core.$ZodType;
  /** What of a value lies there. */
  pick: (value: unknown) => unknown[];
}

/** A schema as its definition tells it. */
export function definition(schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/** Paths of all fields, such as `secretRefs[].keys[].secretKey` and `nodeSelector.*`; lists and maps with content. */
export function fieldPaths(schema: z.core.$ZodType, path = ""): string[] {
  const paths = steps(schema).flatMap(({ step, schema: inner }) => {
    const at = path + step;
    return [at.replace(/^\./, ""), ...fieldPaths(inner, at)];
  });
  return [...new Set(paths)];
}

/** Those of the paths that occur in a value. */
export function occurringPaths(schema: z.core.$ZodType, value: unknown, path = ""): Set<string> {
  const found = new Set<string>();
  for (const { step, schema: inner, pick } of steps(schema)) {
    const at = path + step;
    for (const part of pick(value)) {
      found.add(at.replace(/^\./, ""));
      for (const deeper of occurringPaths(inner, part, at)) found.add(deeper);
    }
  }
  return found;
}

/**
 * The fields of a schema that do not occur in a value, each once: what stands in several places with the same fields
 * beside it, as in init containers and sidecars, needs to be shown in one of them.
 */
export function unshownFields(schema: z.core.$ZodType, value: unknown): string[] {
  const unshown = new Map<string, string>();
  const shown = new Set<string>();
  const visit = (of: z.core.$ZodType, values: unknown[], path: string): void => {
    const inside = steps(of);
    const siblings = inside.map(({ step }) => step).sort();
    for (const { step, schema: inner, pick } of inside) {
      const field = [step, ...siblings].join(" ");
      const found = values.flatMap(pick);
      if (found.length > 0) shown.add(field);
      else if (!unshown.has(field)) unshown.set(field, (path + step).replace(/^\./, ""));
      visit(inner, found, path + step);
    }
  };
  visit(schema, [value], "");
  return [...unshown].filter(([field]) => !shown.has(field)).map(([, path]) => path);
}

function steps(schema: z.core.$ZodType): Step[] {
  const def = definition(schema);
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
      return steps(def.innerType);
    case "pipe":
      return steps(def.in);
    case "union":
      return def.options.flatMap(steps);
    case "object":
      return Object.entries(def.shape).map(([key, field]) => ({
        step: `.${key}`,
        schema: field,
        pick: (value) => (isMap(value) && value[key] !== undefined ? [value[key]] : []),
      }));
    case "record":
      return [
        {
          step: ".*",
          schema: def.valueType,
          pick: (value) => (isMap(value) ? Object.values(value) : []),
        },
      ];
    case "array":
      return [{ step: "[]", schema: def.element, pick: (value) => (isList(value) ? value : []) }];
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "literal":
    case "unknown":
      return [];
    default:
      throw new Error(`the walker does not know schemas of type ${def.type}`);
  }
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
