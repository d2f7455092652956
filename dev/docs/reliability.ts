// The figures of the chaos tests as people read them, in Markdown.
import { table } from "./markdown.ts";

/** What test/chaos/figures.json holds of one part, as test/chaos/support/form.ts reports it: a table. */
export interface ChaosFigures {
  title: string;
  /** One row per line; the columns are those of the first. */
  rows: Record<string, string | number>[];
  seed: number;
  /** YYYY-MM-DD */
  date: string;
  machine: string;
}

export function renderReliability(parts: Readonly<Record<string, ChaosFigures>>): string {
  return Object.values(parts)
    .flatMap(({ title, rows, seed, date, machine }) => {
      const columns = Object.keys(rows[0] ?? {});
      const cells = rows.map((row) => columns.map((column) => String(row[column] ?? "")));
      return [`### ${title}`, `${date}, seed ${seed}; ${machine}.`, table(columns, cells)];
    })
    .join("\n\n");
}
