// The shape that comments share: the answer, a marker, folded sections; cut until the platform takes it.
import { code, text } from "./escape.ts";
import { counted, listed } from "./words.ts";

/**
 * GitHub refuses comments of more than 65,536 characters. Whether it counts code points, UTF-16 units or bytes is not
 * told: bytes are the most of them, and so are what is counted here.
 */
export const LIMIT = 65_536;

/** Rows and warnings of one zone, tried from the left until the comment is short enough. */
const ROWS = [Number.POSITIVE_INFINITY, 100, 50, 20, 10, 5, 2, 1, 0];

export interface Section {
  text: string;
  /** Rows and warnings that were left out. */
  cut: number;
}

export interface Comment {
  /** By this CI finds its own comment again, to edit it in place. */
  marker: string;
  /** The first line, not escaped yet. */
  answer: string;
  /** Each zone with at most so many rows. */
  sections: readonly ((most: number) => Section)[];
  foot: string;
}

/** The comment as a whole, or as much of it as there is room for. */
export function fitted({ marker, answer, sections, foot }: Comment, limit: number): string {
  const head = `${text(answer, 3000)}\n\n${marker}\n`;
  for (const most of ROWS) {
    const parts = sections.map((section) => section(most));
    const cut = parts.reduce((sum, part) => sum + part.cut, 0);
    const whole = join([head, ...parts.map((part) => part.text), foot, note(cut, 0)]);
    if (size(whole) <= limit) return whole;
  }
  return shortest(marker, head, sections, limit);
}

/** As many zones as there is room for, without their rows. */
function shortest(marker: string, head: string, sections: Comment["sections"], limit: number): string {
  const bare = sections.map((section) => section(0));
  const cutBefore = bare.map(({ cut }) => cut).reduce((sum, cut) => sum + cut, 0);
  const room = limit - size(join([head, note(cutBefore, bare.length)]));
  let used = 0;
  const fits = bare.filter((part) => (used += size(part.text) + 1) <= room);
  const shown = join([head, ...fits.map((part) => part.text), note(cutBefore, bare.length - fits.length)]);
  return size(shown) <= limit ? shown : `${marker}\n\n${note(cutBefore, bare.length)}`;
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

/** The names of zones of which nothing is to be told. */
export function quietSection(stacks: readonly string[], word: string): string {
  // The first line names them already when they are few.
  if (stacks.length <= 3) return "";
  const title = `<summary>${counted(stacks.length, "zone")}: ${word}</summary>`;
  return `<details>\n${title}\n\n${text(listed(stacks, 250), 20_000)}\n\n</details>\n`;
}

export function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function componentText(component: { kind: string; name: string } | undefined): string {
  return component === undefined ? "" : code(`${component.kind} ${component.name}`);
}
