import { answer } from "../preview/headline.ts";
import { counted, listed } from "../preview/words.ts";
import { type Finding, type FindingKind, KINDS, type ZoneCheck } from "./model.ts";

/** Names of one kind in a headline. */
const MOST = 3;

/** One zone in one line, without its name. */
export function headlineOf({ failure, findings, mended }: ZoneCheck): string {
  if (failure !== undefined)
    return `could not be checked: ${failure}${findings.length > 0 ? `; found all the same: ${summed(findings)}` : ""}`;
  const left = findings.length === 0 ? "clean" : summed(findings);
  if (mended === undefined) return left;
  return mended.length === 0
    ? `${left}, after a fix that mended nothing`
    : `${left}, after a fix of ${summed(mended)}`;
}

function summed(findings: readonly Finding[]): string {
  return KINDS.flatMap((kind) => {
    const these = findings.filter((finding) => finding.kind === kind);
    return these.length > 0 ? [briefOf(kind, these)] : [];
  }).join(", ");
}

function briefOf(kind: FindingKind, findings: readonly Finding[]): string {
  const names = listed([...new Set(findings.map(nameOf))], MOST);
  switch (kind) {
    case "drift": {
      const managers = findings.flatMap(({ edits = [] }) => edits.flatMap(({ manager }) => manager ?? []));
      const who = managers.length === 0 ? "" : `; by ${listed([...new Set(managers)], MOST)}`;
      return `drift (${names}${who})`;
    }
    case "phase":
      return listed(
        findings.map((finding) => `${nameOf(finding)} ${finding.what.split(":")[0]}`),
        MOST,
      );
    case "fix failed":
      return `FIX FAILED (${findings[0]?.what})`;
    case "token expired":
      return `${counted(findings.length, "token")} EXPIRED (${names})`;
    case "token expiring":
      return `${counted(findings.length, "token")} about to expire (${names})`;
    case "warning":
      return counted(findings.length, "warning");
    case "deleted":
    case "rotation pending":
    case "registration pending":
    case "args pending":
      return `${kind} (${names})`;
  }
}

function nameOf({ object, component }: Finding): string {
  const { kind, name } = object ?? component ?? { kind: "zone", name: "" };
  return `${kind} ${name}`.trim();
}

/** Zones in the order in which they need attention: not checked, with findings, mended, clean. */
export function byUrgency(zones: readonly ZoneCheck[]): ZoneCheck[] {
  const rank = ({ failure, findings, mended }: ZoneCheck): number =>
    failure !== undefined ? 0 : findings.length > 0 ? 1 : mended !== undefined ? 2 : 3;
  return zones.toSorted((a, b) => rank(a) - rank(b));
}

/** Whether nothing is to be told of a zone. */
export function isQuiet({ failure, findings, mended, notes }: ZoneCheck): boolean {
  return failure === undefined && findings.length === 0 && mended === undefined && notes.length === 0;
}

/** The answer over all zones, in one line. */
export function summaryLine(zones: readonly ZoneCheck[]): string {
  const told = (of: readonly ZoneCheck[]) =>
    of.map((zone) => ({ stack: zone.stack, headline: headlineOf(zone) }));
  const sorted = byUrgency(zones);
  return answer(told(sorted.filter((zone) => !isQuiet(zone))), told(sorted.filter(isQuiet)), {
    loud: "findings, fixes or failures",
    quiet: "clean",
  });
}
