import { changedFields } from "./causes.ts";
import type { Change } from "./changes.ts";
import { code, text } from "./escape.ts";
import { byUrgency, summaryLine } from "./headline.ts";
import { type Entry, objectsOf, urgencyOf, type ZoneReport } from "./model.ts";
import { causeText, counted, listed } from "./words.ts";

/** By this CI finds its own comment again, to edit it in place. */
export const MARKER = "<!-- pulumi-proxies preview-report -->";

/**
 * GitHub refuses comments of more than 65,536 characters. Whether it counts code points, UTF-16 units or bytes is not
 * told: bytes are the most of them, and so are what is counted here.
 */
export const LIMIT = 65_536;

/** Rows and warnings of one zone, tried from the left until the comment is short enough. */
const ROWS = [Number.POSITIVE_INFINITY, 100, 50, 20, 10, 5, 2, 1, 0];
/** Causes of one object, and objects of one component, that a row names. */
const MOST_CAUSES = 8;
const MOST_OBJECTS = 12;

/** The comment for a pull request: the answer in the first line, then each zone that is not quiet, folded. */
export function markdown(zones: readonly ZoneReport[], limit = LIMIT): string {
  const head = `${text(summaryLine(zones), 3000)}\n\n${MARKER}\n`;
  const sections = byUrgency(zones).filter((zone) => urgencyOf(zone) !== "quiet" || zone.warnings.length > 0);
  const quiet = quietSection(zones.filter((zone) => !sections.includes(zone)).map(({ stack }) => stack));
  for (const most of ROWS) {
    const parts = sections.map((zone) => section(zone, most));
    const cut = parts.reduce((sum, part) => sum + part.cut, 0);
    const whole = join([head, ...parts.map((part) => part.text), quiet, note(cut, 0)]);
    if (size(whole) <= limit) return whole;
  }
  return shortest(head, sections, limit);
}

/** As many zones as there is room for, without their changes. */
function shortest(head: string, sections: readonly ZoneReport[], limit: number): string {
  const bare = sections.map((zone) => section(zone, 0));
  const cutBefore = bare.map(({ cut }) => cut).reduce((sum, cut) => sum + cut, 0);
  const room = limit - size(join([head, note(cutBefore, bare.length)]));
  let used = 0;
  const fits = bare.filter((part) => (used += size(part.text) + 1) <= room);
  const shown = join([head, ...fits.map((part) => part.text), note(cutBefore, bare.length - fits.length)]);
  return size(shown) <= limit ? shown : `${MARKER}\n\n${note(cutBefore, bare.length)}`;
}

const size = (part: string): number => Buffer.byteLength(part, "utf8");

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

function note(rows: number, zones: number): string {
  const cut = [...(rows > 0 ? [counted(rows, "line")] : []), ...(zones > 0 ? [counted(zones, "zone")] : [])];
  if (cut.length === 0) return "";
  return `**Shortened for GitHub: ${cut.join(" and ")} not shown.** The JSON document of this report has them all.\n`;
}

function quietSection(stacks: readonly string[]): string {
  // The first line names them already when they are few.
  if (stacks.length <= 3) return "";
  const title = `<summary>${counted(stacks.length, "zone")}: no change</summary>`;
  return `<details>\n${title}\n\n${text(listed(stacks, 250), 20_000)}\n\n</details>\n`;
}

interface Section {
  text: string;
  /** Rows and warnings that were left out. */
  cut: number;
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

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

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

function componentText(component: Entry["component"]): string {
  return component === undefined ? "" : code(`${component.kind} ${component.name}`);
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
