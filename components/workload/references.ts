import type { ReferencedObject } from "./checksum.ts";

/** An object that a workload reads and does not own. */
export interface Reference {
  kind: "Secret" | "ConfigMap";
  name: string;
  /** Keys without which the pods can't start. */
  requiredKeys: readonly string[];
  /** Whether those keys are the token's, which has a reason of its own. */
  isToken?: boolean;
  /** Whether the keys become files: those may stand in a ConfigMap's binaryData, variables may not. */
  asFiles?: boolean;
}

/** Seconds that an update waits for an object that another controller is about to put in place. */
export const DEFAULT_REFERENCE_TIMEOUT_SECONDS = 30;

/** What reading a referenced object came to. */
export type ReferenceOutcome =
  | { outcome: "found"; object: ReferencedObject }
  | { outcome: "missing" }
  | { outcome: "forbidden" | "unreachable"; detail: string };

/** The operator's reasons, and `MissingKey` (ours): the operator leaves the pods stuck. */
export type MissingReason = "MissingSecret" | "MissingConfigMap" | "MissingTokenKey" | "MissingKey";

/** What all references together came to. The first problem wins, in the order of the references. */
export type References =
  | { outcome: "found"; objects: ReferencedObject[] }
  /** An object or a key is not there: the pods can't start. */
  | { outcome: "missing"; reason: MissingReason; message: string }
  /** It could not be found out; nothing follows from it. */
  | { outcome: "unknown"; message: string };

/** The first required key that an object lacks. */
export function absentKey(
  { requiredKeys, asFiles }: Reference,
  object: ReferencedObject,
): string | undefined {
  const { data, binaryData = {} } = object;
  return requiredKeys.find(
    (key) => !Object.hasOwn(data, key) && !(asFiles === true && Object.hasOwn(binaryData, key)),
  );
}

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
    const absent = absentKey(reference, outcome.object);
    if (absent !== undefined) {
      const reason = reference.isToken === true ? "MissingTokenKey" : "MissingKey";
      return { outcome: "missing", reason, message: `${what} has no key "${absent}"` };
    }
    objects.push(outcome.object);
  }
  return unknown ?? { outcome: "found", objects };
}
