import { styleText } from "node:util";
import type { Row } from "./rows.ts";
import { conditionWord, expiryText, oneLine, readyText, versionText } from "./words.ts";

export interface TableOptions {
  now: Date;
  wide: boolean;
  colours: boolean;
  /** Columns of the terminal: longer lines are cut, except when wide. Undefined: no limit. */
  columns?: number | undefined;
}

type Style = Parameters<typeof styleText>[0];

interface Column {
  title: string;
  text: (row: Row) => string;
  style?: (row: Row) => Style | undefined;
}

const PHASE_STYLES: Partial<Record<string, Style>> = {
  Running: "green",
  ScaledDown: "gray",
  NotApplied: "gray",
  Updating: "yellow",
  Deploying: "yellow",
};

/** Whether a stream should get colours: a terminal, and nobody who asked for none (https://no-color.org). */
export function wantsColours(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env["NO_COLOR"];
}

/** The fleet as aligned columns, each line ended. */
export function table(rows: readonly Row[], options: TableOptions): string {
  const columns = columnsOf(options);
  const cells = rows.map((row) => columns.map(({ text }) => oneLine(text(row)) || "-"));
  const widths = columns.map(({ title }, index) =>
    cells.reduce((widest, line) => Math.max(widest, (line[index] as string).length), title.length),
  );
  const limit = options.wide ? Infinity : (options.columns ?? Infinity);
  const line = (texts: readonly string[], styleOf: (index: number) => Style | undefined): string => {
    let left = limit;
    const parts = texts.map((text, index) => {
      const isLast = index === texts.length - 1;
      const cut = text.length > left ? text.slice(0, Math.max(0, left - 1)) + "…".slice(0, left) : text;
      const gap = isLast
        ? ""
        : " ".repeat(Math.max(0, Math.min((widths[index] as number) + 2, left) - cut.length));
      left = Math.max(0, left - cut.length - gap.length);
      const style = styleOf(index);
      return (options.colours && style ? styleText(style, cut, { validateStream: false }) : cut) + gap;
    });
    return `${parts.join("").trimEnd()}\n`;
  };
  const head = line(
    columns.map(({ title }) => title),
    () => "bold",
  );
  return (
    head + rows.map((row, at) => line(cells[at] ?? [], (index) => columns[index]?.style?.(row))).join("")
  );
}

function columnsOf({ now, wide }: TableOptions): Column[] {
  return [
    { title: "ZONE", text: ({ zone }) => zone },
    { title: "KIND", text: ({ kind }) => kind },
    { title: "NAME", text: ({ name }) => name },
    { title: "PHASE", text: ({ phase }) => phase, style: ({ phase }) => PHASE_STYLES[phase] ?? "red" },
    { title: "VERSION", text: ({ version = "" }) => (wide ? version : versionText(version)) },
    { title: "READY", text: readyText },
    {
      title: "TOKEN-EXPIRES",
      text: ({ tokenExpiresAt }) => expiryText(tokenExpiresAt, now),
      style: ({ token }) => (token === "expired" ? "red" : token === "expiring" ? "yellow" : undefined),
    },
    ...(wide
      ? [
          { title: "CHECKSUM", text: ({ configChecksum }: Row) => configChecksum?.slice(0, 12) ?? "" },
          { title: "CONDITIONS", text: ({ conditions }: Row) => conditions.map(conditionWord).join(",") },
        ]
      : []),
    { title: "WARNINGS", text: ({ warnings }) => warnings.join("; ") },
  ];
}
