import type { ReferencedObject } from "./checksum.ts";

/** An object that a workload reads and does not own. */
export interface Reference {
  kind: "Secret" | "ConfigMap";
  name: string;
  /** Keys without which the pods can't start. */
  requiredKeys: readonly string[];
}

/** What reading a referenced object came to. */
export type ReferenceOutcome =
  | { outcome: "found"; object: ReferencedObject }
  | { outcome: "missing" }
  | { outcome: "forbidden" | "unreachable"; detail: string };

/** What all references together came to. The first problem wins, in the order of the references. */
export type References =
  | { outcome: "found"; objects: ReferencedObject[] }
  /** An object or a key is not there: the pods can't start. */
  | { outcome: "missing"; reason: "MissingSecret" | "MissingConfigMap" | "MissingTokenKey"; message: string }
  /** It could not be found out; nothing follows from it. */
  | { outcome: "unknown"; message: string };

/** Sums up the outcomes of `references`, given in the same order. */
export function resolveReferences(
  references: readonly Reference[],
  outcomes: readonly ReferenceOutcome[],
): References {
  const objects: ReferencedObject[] = [];
  let unknown: References | undefined;
  for (const [index, reference] of references.entries()) {
    const outcome = outcomes[index];
    const what = `${reference.kind} "${reference.name}"`;
    if (outcome === undefined || outcome.outcome === "missing") {
      return { outcome: "missing", reason: `Missing${reference.kind}`, message: `${what} not found` };
    }
    if (outcome.outcome !== "found") {
      unknown ??= { outcome: "unknown", message: `${what} could not be read: ${outcome.detail}` };
      continue;
    }
    const absent = reference.requiredKeys.find((key) => !Object.hasOwn(outcome.object.data, key));
    if (absent !== undefined) {
      return { outcome: "missing", reason: "MissingTokenKey", message: `${what} has no key "${absent}"` };
    }
    objects.push(outcome.object);
  }
  return unknown ?? { outcome: "found", objects };
}
