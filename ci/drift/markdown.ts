import { code, text } from "../preview/escape.ts";
import { componentText, fitted, LIMIT, quietSection, row, type Section } from "../preview/fit.ts";
import { counted } from "../preview/words.ts";
import { byUrgency, headlineOf, isQuiet, summaryLine } from "./headline.ts";
import type { Finding, ZoneCheck } from "./model.ts";

/** By this CI finds its own issue or comment again, to edit it in place. */
export const MARKER = "<!-- pulumi-proxies drift -->";

const COLUMNS = ["Finding", "Component", "Object", "What", "What to do"];
const HEADER = [COLUMNS, COLUMNS.map(() => "---")].map((cells) => row(cells));

/** The report for people: the answer in the first line, then each zone of which there is something to tell. */
export function markdown(zones: readonly ZoneCheck[], limit = LIMIT): string {
  const loud = byUrgency(zones).filter((zone) => !isQuiet(zone));
  const quiet = zones.filter(isQuiet).map(({ stack }) => stack);
  const sections = loud.map((zone) => (most: number) => section(zone, most));
  const foot = quietSection(quiet, "clean");
  return fitted({ marker: MARKER, answer: summaryLine(zones), sections, foot }, limit);
}

function section(zone: ZoneCheck, most: number): Section {
  const { stack, failure, findings, mended = [], notes } = zone;
  const rows = findings.map(findingRow);
  const lines = [
    ...mended.map(
      (finding) =>
        `- mended: ${componentText(finding.component)} ${text(`${finding.kind}: ${finding.what}`, 1000)}`,
    ),
    ...notes.map((note) => `- warning: ${text(note, 1000)}`),
  ];
  const [shownRows, shownLines] = [rows.slice(0, most), lines.slice(0, most)];
  const cut = rows.length - shownRows.length + lines.length - shownLines.length;
  const open = failure !== undefined || findings.length > 0 ? " open" : "";
  const whole = [
    `<details${open}>`,
    `<summary>${code(stack)}: ${text(headlineOf(zone), 1000)}</summary>`,
    "",
    ...(failure === undefined ? [] : [`> error: ${text(failure, 2000)}`, ""]),
    ...(shownRows.length > 0 ? [...HEADER, ...shownRows, ""] : []),
    ...(shownLines.length > 0 ? [...shownLines, ""] : []),
    ...(cut > 0 ? [`${counted(cut, "more line")} not shown`, ""] : []),
    "</details>",
    "",
  ];
  return { text: whole.join("\n"), cut };
}

function findingRow({ kind, component, object, what, todo }: Finding): string {
  return row([
    `**${kind}**`,
    componentText(component),
    componentText(object),
    text(what, 1000),
    text(todo.replaceAll("`", ""), 1000),
  ]);
}
