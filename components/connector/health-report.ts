// What a connector says of its own health, read with distrust: whoever answers on its port wrote it.
import { isMap } from "../workload/validation.ts";

/** A status as connectors report it, in version 2 or 1 of their interface, and what it means. */
const STATUSES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["UP", { status: "True", reason: "Up" }],
  ["ok", { status: "True", reason: "Up" }],
  ["DEGRADED", { status: "False", reason: "Degraded" }],
  ["DOWN", { status: "False", reason: "Down" }],
  ["nok", { status: "False", reason: "Down" }],
  ["OUT_OF_SERVICE", { status: "False", reason: "OutOfService" }],
  ["UNKNOWN", { status: "False", reason: "Unknown" }],
  ["unknown", { status: "False", reason: "Unknown" }],
]);

export interface Meaning {
  status: "True" | "False";
  reason: "Up" | "Degraded" | "Down" | "OutOfService" | "Unknown";
}

export interface HealthReport extends Meaning {
  /** One line: the reported status, and the components that are not up. */
  summary: string;
}

/** Components that are named; the others are counted. */
const NAMED_COMPONENTS = 10;

/** Bytes of UTF-8 of a name or status of a component. */
const LONGEST_TEXT = 128;

/** Reads the body of an answer; undefined when it is no health report. */
export function readReport(body: Buffer): HealthReport | undefined {
  const report = parse(body.toString());
  if (!isMap(report) || typeof report["status"] !== "string") return undefined;
  const meaning = STATUSES.get(report["status"]);
  if (meaning === undefined) return undefined;
  // Version 2 has components, version 1 has parts.
  const troubles = [report["components"], report["parts"]].flatMap(notUp);
  return { ...meaning, summary: `the connector reports ${report["status"]}${listed(troubles)}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page, or anything else: what counts is that it is no report.
    return undefined;
  }
}

/** Name and status of the components that are not up. What else they hold may be anything, and is not looked at. */
function notUp(components: unknown): [name: string, status: string][] {
  if (!isMap(components)) return [];
  return Object.entries(components).flatMap(([name, component]): [string, string][] => {
    const status = isMap(component) ? component["status"] : undefined;
    if (typeof status !== "string") return [[name, "without a status"]];
    return STATUSES.get(status)?.status === "True" ? [] : [[name, status]];
  });
}

function listed(troubles: readonly [name: string, status: string][]): string {
  if (troubles.length === 0) return "";
  const sorted = troubles.toSorted(([a], [b]) => Number(a > b) - Number(a < b));
  const named = sorted
    .slice(0, NAMED_COMPONENTS)
    .map(([name, status]) => `${printable(name)} (${printable(status)})`);
  const others = troubles.length - named.length;
  return `; not up: ${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** A text of somebody else on a terminal: not longer than its place, and nothing in it moves the cursor. */
export function printable(text: string): string {
  // Only what can be seen in the end is looked at: a text may be a megabyte long.
  const visible = text.slice(0, LONGEST_TEXT + 1).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "\uFFFD");
  if (Buffer.byteLength(visible) <= LONGEST_TEXT) return visible;
  const ellipsis = "…";
  let kept = "";
  let bytes = Buffer.byteLength(ellipsis);
  for (const character of visible) {
    bytes += Buffer.byteLength(character);
    if (bytes > LONGEST_TEXT) break;
    kept += character;
  }
  return kept + ellipsis;
}
