import { changedFields } from "./causes.ts";
import type { Change } from "./changes.ts";
import { code, text } from "./escape.ts";
import { componentText, fitted, LIMIT, quietSection, row, type Section } from "./fit.ts";
import { byUrgency, summaryLine } from "./headline.ts";
import { type Entry, objectsOf, urgencyOf, type ZoneReport } from "./model.ts";
import { causeText, counted, listed } from "./words.ts";

/** By this CI finds its own comment again, to edit it in place. */
export const MARKER = "<!-- pulumi-proxies preview-report -->";

/** Causes of one object, and objects of one component, that a row names. */
const MOST_CAUSES = 8;
const MOST_OBJECTS = 12;

/** The comment for a pull request: the answer in the first line, then each zone that is not quiet, folded. */
export function markdown(zones: readonly ZoneReport[], limit = LIMIT): string {
  const loud = byUrgency(zones).filter((zone) => urgencyOf(zone) !== "quiet" || zone.warnings.length > 0);
  const quiet = zones.filter((zone) => !loud.includes(zone)).map(({ stack }) => stack);
  const sections = loud.map((zone) => (most: number) => section(zone, most));
  const foot = quietSection(quiet, "no change");
  return fitted({ marker: MARKER, answer: summaryLine(zones), sections, foot }, limit);
}

function section(zone: ZoneReport, most: number): Section {
  const urgency = urgencyOf(zone);
  const open = urgency === "changes" || urgency === "quiet" ? "" : " open";
  const [rows, warnings] = [rowsOf(zone), warningsOf(zone)];
  const shownRows = rows.slice(0, most);
  const shownWarnings = warnings.slice(0, most);
  const cut = rows.length - shownRows.length + warnings.length - shownWarnings.length;
  const lines = [
    `<details${open}>`,
    `<summary>${code(zone.stack)}: ${text(zone.headline, 1000)}</summary>`,
    "",
    ...(zone.failure === undefined ? [] : [`> error: ${text(zone.failure, 2000)}`, ""]),
    ...(shownRows.length > 0 ? [...HEADER, ...shownRows, ""] : []),
    ...(shownWarnings.length > 0 ? [...shownWarnings, ""] : []),
    ...(cut > 0 ? [`${counted(cut, "more line")} not shown`, ""] : []),
    "</details>",
    "",
  ];
  return { text: lines.join("\n"), cut };
}

const COLUMNS = ["Component", "Object", "What changes", "Cause", "Effect", "Token valid until"];
const HEADER = [COLUMNS, COLUMNS.map(() => "---")].map((cells) => row(cells));

const LOUD: ReadonlySet<Change["effect"]> = new Set(["replaces", "deletes", "unknown"]);

/** A zone's rows, those that lose something first. */
function rowsOf({ entries }: ZoneReport): string[] {
  const rows = entries.flatMap((entry) =>
    entry.whole === undefined
      ? entry.changes.map((change) => ({
          cells: changeCells(entry, change),
          isLoud: LOUD.has(change.effect),
        }))
      : [{ cells: wholeCells(entry), isLoud: entry.whole === "deletes" }],
  );
  return [...rows.filter(({ isLoud }) => isLoud), ...rows.filter(({ isLoud }) => !isLoud)].map(({ cells }) =>
    row(cells),
  );
}

function changeCells({ component }: Entry, change: Change): string[] {
  const { kind, name, causes, effect, expiry, paths, partOf, op } = change;
  const effectText = effect === "unknown" ? `unknown operation ${code(op)}` : effect;
  const more = causes.length - MOST_CAUSES;
  return [
    componentText(component),
    code(`${kind} ${name}`),
    changedText(changedFields(paths), effect),
    [
      ...causes.slice(0, MOST_CAUSES).map((cause) => text(causeText(cause))),
      ...(more > 0 ? [`${more} more`] : []),
    ].join("<br>"),
    partOf === undefined ? loudly(effectText, effect) : `with ${code(partOf)}`,
    expiryText(expiry, effect),
  ];
}

function loudly(words: string, effect: Change["effect"]): string {
  return LOUD.has(effect) ? `**${words}**` : words;
}

function changedText(fields: readonly string[], effect: Change["effect"]): string {
  if (fields.length > 0)
    return fields.length > 5
      ? counted(fields.length, "field")
      : fields.map((field) => code(field)).join("<br>");
  return effect === "creates" || effect === "deletes" || effect === "replaces" ? "all of it" : "";
}

function wholeCells(entry: Entry): string[] {
  const { component, whole = "creates" } = entry;
  const objects = objectsOf(entry).filter(({ isComponent }) => !isComponent);
  const kinds = objects.map(({ kind, name }) => (name === component?.name ? kind : `${kind} ${name}`));
  const expiry = objects.find((change) => change.expiry !== undefined)?.expiry;
  return [
    componentText(component),
    counted(objects.length, "object"),
    text(listed(kinds, MOST_OBJECTS)),
    "",
    loudly(whole, whole),
    expiryText(expiry, whole),
  ];
}

/** When tokens end; what is made has none before, and what goes none after. */
function expiryText(expiry: Change["expiry"], effect: Change["effect"]): string {
  if (expiry === undefined) return "";
  const { before, after } = expiry;
  if (before === after || effect === "creates") return text(after ?? "");
  if (effect === "deletes") return text(before ?? "");
  return [before, after].map((time) => (time === undefined ? "unknown" : text(time))).join(" -> ");
}

function warningsOf({ warnings }: ZoneReport): string[] {
  return warnings.map(({ message, component }) => {
    const of = component === undefined ? "" : `${componentText(component)}: `;
    return `- warning: ${of}${text(message, 1000)}`;
  });
}
