// Puts keys into the text of a YAML file and leaves every other line as it is: comments, quotes and order are people's.
import { isMap } from "../components/workload/validation.ts";
import { yamlLines } from "./yaml.ts";

type Values = Record<string, unknown>;

/** The lines of a map in block style, and how deep its keys stand. */
interface Block {
  start: number;
  end: number;
  indent: string;
}

/**
 * The text with all that `wanted` has and `before`, which it says, has not. Where the file is not written in block style
 * it says something else then, or is no YAML: whoever calls this looks at what came of it.
 */
export function inserted(text: string, before: Values, wanted: Values): string {
  const lines = text.trim() === "" ? [] : text.trimEnd().split("\n");
  for (const { path, value } of additions(before, wanted)) insert(lines, path, value);
  return `${lines.join("\n")}\n`;
}

interface Addition {
  path: string[];
  value: unknown;
}

function additions(before: Values, wanted: Values): Addition[] {
  return Object.entries(wanted).flatMap(([key, value]): Addition[] => {
    if (!(key in before)) return [{ path: [key], value }];
    if (!isMap(value)) return [];
    return additions((before[key] ?? {}) as Values, value).map((addition) => ({
      ...addition,
      path: [key, ...addition.path],
    }));
  });
}

function insert(lines: string[], path: readonly string[], value: unknown): void {
  let block: Block | undefined = { start: 0, end: lines.length, indent: "" };
  for (const key of path.slice(0, -1)) {
    block = enter(lines, block, key);
    if (block === undefined) return;
  }
  const { start, end, indent } = block;
  const isContent = (line: string): boolean => /\S/.test(line) && !isComment(line, indent);
  const last = lines.slice(start, end).findLastIndex(isContent);
  const added = yamlLines({ [path.at(-1) ?? ""]: value }).map((line) => indent + line);
  lines.splice(start + last + 1, 0, ...added);
}

/** The block below a key of a block; undefined where no line begins with that key. */
function enter(lines: string[], { start, end, indent }: Block, key: string): Block | undefined {
  const isKey = (index: number): boolean =>
    index >= start && index < end && depth(lines[index] ?? "") === indent.length;
  const forms = [key, `"${key}"`, `'${key}'`].map((form) => `${indent}${form}:`);
  const line = lines.findIndex(
    (text, index) =>
      isKey(index) && forms.some((form) => text.startsWith(form) && /^(\s|$)/.test(text.slice(form.length))),
  );
  if (line === -1) return undefined;
  // An empty map in braces.
  lines[line] = (lines[line] ?? "").replace(/:\s+\{\s*\}\s*$/, ":");
  const next = lines.findIndex((_, index) => index > line && isKey(index));
  const inner = { start: line + 1, end: next === -1 ? end : next };
  const first = lines.slice(inner.start, inner.end).find((text) => depth(text) > indent.length);
  return { ...inner, indent: first === undefined ? `${indent}  ` : " ".repeat(depth(first)) };
}

/** How deep a line of content stands; -1 of an empty one and of a comment. */
function depth(line: string): number {
  return isComment(line, line) ? -1 : line.search(/\S/);
}

/** Whether a line is a comment that stands no deeper than this: a deeper one may be part of a text. */
function isComment(line: string, indent: string): boolean {
  const at = line.search(/\S/);
  return line[at] === "#" && at <= indent.length;
}
