// What the demo writes: numbered steps with their time, tables, and the output of the Pulumi CLI, made readable.

import { stripVTControlCharacters, styleText } from "node:util";

const MARGIN = "      ";

/** Whether colours would be shown where the demo writes, and are wanted. */
export function coloured(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors();
}

/** One line, or several, at the margin of what belongs to a step. */
export function say(text = ""): void {
  for (const line of text.split("\n")) console.log(line === "" ? "" : MARGIN + line);
}

/** A command, as a person would type it. */
export function sayCommand(command: string): void {
  say(styleText("cyan", `$ ${command}`));
}

/** Rows below their headings, in columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Runs numbered steps, and says of each what it is and how long it took. */
export class Steps {
  readonly #total: number;
  readonly #begin = Date.now();
  #count = 0;

  constructor(total: number) {
    this.#total = total;
  }

  async run<T>(title: string, work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    const begin = Date.now();
    console.log(`\n${styleText("bold", `[${this.#count}/${this.#total}] ${title}`)}`);
    const result = await work();
    say(styleText("dim", `(${seconds(begin)})`));
    return result;
  }

  elapsed(): string {
    return seconds(this.#begin);
  }
}

function seconds(begin: number): string {
  return `${((Date.now() - begin) / 1000).toFixed(1)} s`;
}

/**
 * Takes the output of the CLI as it comes and writes it line by line, marked as Pulumi's own. Where nobody
 * watches a terminal, the CLI writes a line for each event of each object, unchanged ones and refreshes too:
 * with `thin`, only what was done, waited for or warned of is left, and that once.
 */
export class PulumiOutput {
  readonly #thin: boolean;
  readonly #seen = new Set<string>();
  #rest = "";
  #blank = false;

  constructor(thin: boolean) {
    this.#thin = thin;
  }

  write(chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  end(): void {
    if (this.#rest !== "") this.#line(this.#rest);
    this.#rest = "";
  }

  #line(line: string): void {
    const text = stripVTControlCharacters(line).trim();
    if (text === "") {
      this.#blank = true;
      return;
    }
    if (this.#thin && this.#isProgress(text)) return;
    const mark = styleText("dim", "|");
    // One blank line where the CLI wrote several, or wrote some before lines that are left out; none at the end.
    if (this.#blank) say(mark);
    this.#blank = false;
    say(`${mark} ${line.trimEnd()}`);
  }

  #isProgress(text: string): boolean {
    const status = RESOURCE.exec(text)?.groups?.["status"]?.trim();
    if (status === undefined) return false;
    if (this.#seen.has(text)) return true;
    this.#seen.add(text);
    if (/waiting for|warning|error|fail/i.test(status)) return false;
    return status === "" || /^(refreshing|refresh|running|creating|updating|deleting)\b/.test(status);
  }
}

/** A resource as the CLI writes it: operation (none when it is unchanged), type, name, and what happens to it. */
const RESOURCE = /^(?:[^\s\w]+\s+)?[\w.-]+:[\w./-]*:[\w.]+ [\w.-]+(?<status>.*)$/;
