// How the components of a zone stand, from their Deployments, and what a run would say of them today.
import type { Warning } from "../preview/model.ts";
import { type Row, UNREADABLE, ZONE } from "../status/rows.ts";
import type { ComponentState, Finding } from "./model.ts";
import { SECTION } from "./registration.ts";

/** Phases that somebody has asked for. */
const FINE: readonly string[] = ["Running", "ScaledDown"];

/** A warning that tells of what is a finding of its own. */
const DRIFT = /has fields that are not ours: /;
const TOKEN = /^ConfigToken(Expired|Expiring): /;
/** What the proxy needs and can't have: its phase is then Failed, whatever its pods are doing. */
const MISSING = /^Missing(?:Secret|ConfigMap|TokenKey|Key): /;
const PHASE = /^(?:Updating|Deploying): /;
/** What is no reason for a phase: the platform's inventory, and what a connector that runs says of itself. */
const REGISTRATION = /^(?:RegistrationFailed: |registration[.:])/;
const HEALTH = /^health \w+: /;
/** What a row repeats of the last run; the preview says whether it still holds. */
const REPEATED = / \(when the last run looked\)$/;

export interface States {
  findings: Finding[];
  components: ComponentState[];
  notes: string[];
}

/** Phases, ends of tokens, and warnings; `rows` are live ones, `warnings` those of the preview. */
export function statesOf(rows: readonly Row[], warnings: readonly Warning[]): States {
  const components = rows.filter(({ kind }) => kind !== ZONE);
  const isOf = (row: Row, { component }: Warning): boolean =>
    component?.kind === row.kind && component.name === row.name;
  const judged = components.map((row) => {
    const own = warnings.filter((warning) => isOf(row, warning)).map(({ message }) => message);
    const phase = own.some((message) => MISSING.test(message)) ? "Failed" : row.phase;
    return { row, own, phase };
  });
  const others = warnings.filter(
    (warning) => !DRIFT.test(warning.message) && !components.some((row) => isOf(row, warning)),
  );
  return {
    findings: [
      ...judged.flatMap(({ row, own, phase }) => [
        ...tokenFindings(row, own),
        ...phaseFindings(row, own, phase),
      ]),
      // A proxy that was never applied.
      ...others.flatMap(({ component, message }) => (component ? [warningFinding(component, message)] : [])),
    ],
    components: judged
      .filter(({ phase }) => phase !== UNREADABLE)
      .map(({ row, phase }) => ({
        kind: row.kind,
        name: row.name,
        phase,
        tokenExpiresAt: row.tokenExpiresAt,
      })),
    notes: others.flatMap(({ component, message }) => (component ? [] : [message])),
  };
}

/** Why the rows of a zone say nothing of it. */
export function unreadable(rows: readonly Row[]): string | undefined {
  return rows.find(({ kind, phase }) => kind === ZONE && phase === UNREADABLE)?.warnings[0];
}

/** The token that is in place, as the preview judges it; else the one that the pods have. */
function tokenFindings(row: Row, own: readonly string[]): Finding[] {
  const component = { kind: row.kind, name: row.name };
  const placed = own.find((message) => TOKEN.test(message));
  if (placed !== undefined) {
    const kind = placed.startsWith("ConfigTokenExpired") ? "token expired" : "token expiring";
    const what = placed.replace(TOKEN, "").replace(/; have a new one .*$/, "");
    return [{ kind, component, what, todo: "have a new token issued and put it in place", mendable: false }];
  }
  if (row.token !== "expired" && row.token !== "expiring") return [];
  const verb = row.token === "expired" ? "expired" : "expires";
  const what = `the config token of the pods ${verb} at ${row.tokenExpiresAt}; the one in place is another`;
  const todo = "`pulumi up` rolls the pods (--fix)";
  return [{ kind: `token ${row.token}`, component, what, todo, mendable: true }];
}

function phaseFindings(row: Row, own: readonly string[], phase: string): Finding[] {
  const component = { kind: row.kind, name: row.name };
  const told = (own.length > 0 ? own : row.warnings).filter(
    (message) => !TOKEN.test(message) && !DRIFT.test(message) && !REPEATED.test(message),
  );
  // The preview judges the Deployment as well, a moment earlier.
  const isApart = (message: string): boolean =>
    REGISTRATION.test(message) || HEALTH.test(message) || (FINE.includes(phase) && !PHASE.test(message));
  const apart = told.filter(isApart).map((message) => warningFinding(component, message));
  if (FINE.includes(phase)) return apart;
  const reasons = told.filter((message) => !isApart(message));
  const why = reasons.map((message) => message.replace(PHASE, "")).join("; ") || conditionOf(row);
  const what = why === "" ? phase : `${phase}: ${why}`;
  const todo = `\`kubectl describe deployment ${row.name}\`; docs/status.md says what each reason means`;
  return [{ kind: "phase", component, what, todo, mendable: false }, ...apart];
}

function conditionOf({ conditions }: Row): string {
  return conditions.find(({ type }) => type === "Available")?.message ?? "";
}

function warningFinding(component: Finding["component"], message: string): Finding {
  const todo = REGISTRATION.test(message)
    ? `${SECTION} says what to do`
    : HEALTH.test(message)
      ? 'ask the connector and its log; "The health of connectors" in docs/troubleshooting.md has each reason'
      : "docs/status.md says what each reason means";
  return { kind: "warning", component, what: message, todo, mendable: false };
}
