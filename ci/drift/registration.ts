// Connectors of which the platform still has to be asked to register them: no drift, since no object of the cluster says so.
import type { Change } from "../preview/changes.ts";
import type { Warning } from "../preview/model.ts";
import type { Component, Finding } from "./model.ts";

const FAILED = /^RegistrationFailed: /;

/** Whether a change is that a platform is asked which was to be asked before, or is to be asked once more. */
export function asksPlatform({ op, causes }: Change): boolean {
  return op === "update" && causes.some((cause) => cause.type === "registration" && cause.how === "asks");
}

/** What keeps a connector from being registered until the next run, as the run warns of it. */
export function registrationFinding(component: Component | undefined, warnings: readonly Warning[]): Finding {
  const failed = warnings.find((warning) => isFailure(warning, component))?.message;
  const what = failed?.replace(FAILED, "").replace(/; the next run tries again$/, "");
  return {
    kind: "registration pending",
    component,
    what: what ?? "the platform is still to be asked to register the connector",
    todo: `\`pulumi up\` asks the platform (--fix)${what === undefined ? "" : `; ${SECTION} says what keeps it off`}`,
    mendable: true,
  };
}

/** Where it says what to do about a registration. */
export const SECTION = '"Registration" in docs/troubleshooting.md';

/** The warnings that no such finding tells already. */
export function untold(warnings: readonly Warning[], findings: readonly Finding[]): Warning[] {
  const pending = findings.filter(({ kind }) => kind === "registration pending");
  return warnings.filter((warning) => !pending.some(({ component }) => isFailure(warning, component)));
}

function isFailure({ message, component }: Warning, of: Component | undefined): boolean {
  return FAILED.test(message) && component?.kind === of?.kind && component?.name === of?.name;
}
