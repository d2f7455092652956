import { z } from "zod";

/** The paths of a schema at which whole numbers stand, such as `probes.liveness.periodSeconds`. */
export function integerPaths(schema: z.ZodType): ReadonlySet<string> {
  const found = new Set<string>();
  collect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), "", found);
  return found;
}

function collect(schema: z.core.JSONSchema._JSONSchema | undefined, path: string, found: Set<string>): void {
  if (typeof schema !== "object") return;
  if (schema.type === "integer") found.add(path);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    collect(field, path === "" ? name : `${path}.${name}`, found);
  }
  if (!Array.isArray(schema.items)) collect(schema.items, `${path}[]`, found);
  collect(schema.additionalProperties, `${path}.<name>`, found);
}
