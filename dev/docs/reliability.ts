// The figures of the chaos tests as people read them, in Markdown.
import { table } from "./markdown.ts";

/** What test/chaos/figures.json holds of one part; test/chaos/support/form.ts writes it. */
export interface ChaosFigures {
  title: string;
  rows: Record<string, string | number>[];
  seed: number;
  date: string;
}

export function renderReliability(parts: Readonly<Record<string, ChaosFigures>>): string {
  return Object.values(parts)
    .flatMap(({ title, rows, seed, date }) => {
      const columns = Object.keys(rows[0] ?? {});
      const cells = rows.map((row) => columns.map((column) => String(row[column] ?? "")));
      return [`### ${title}`, `${date}, seed ${seed}.`, table(columns, cells)];
    })
    .join("\n\n");
}
