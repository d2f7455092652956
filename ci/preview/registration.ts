// A connector's registration in a preview. It is no object of the cluster, its diff names no fields, and of its states,
// which hold what the platform is told, nothing is read.
import { ASKS } from "../../components/connector/registration/outcome.ts";
import type { Cause } from "./causes.ts";
import type { Diagnostic, Step } from "./read.ts";

/** Type of the resource. */
export const REGISTRATION = "pulumi-nodejs:dynamic/proxies:Registration";

/** Why a registration changes. */
export function registrationCauses(
  { op, component }: Step,
  diagnostics: readonly Diagnostic[],
): Extract<Cause, { type: "registration" }>[] {
  if (op === "delete") return [{ type: "registration", how: "forgets" }];
  const asks = diagnostics.some(
    ({ message, component: of }) =>
      message === ASKS && of?.kind === component?.kind && of?.name === component?.name,
  );
  if (asks) return [{ type: "registration", how: "asks" }];
  return op === "update" ? [{ type: "registration", how: "keeps" }] : [];
}
