// The fleet at a glance: `npm run status -- --help`.
import { writeFileSync } from "node:fs";
import { runProgram } from "./program.ts";
import { chosenStacks } from "./stacks.ts";
import { collect, readSaved } from "./status/collect.ts";
import { fleetDocument, toJson, toYaml } from "./status/document.ts";
import { HELP, type Options, readOptions } from "./status/options.ts";
import { byUrgency, count, summaryLine } from "./status/order.ts";
import { statusPage } from "./status/page/page.ts";
import { type Row, UNREADABLE } from "./status/rows.ts";
import { table, wantsColours } from "./status/table.ts";

async function rowsFor(options: Options, now: Date, stop: AbortSignal): Promise<Row[]> {
  const { from, stacks, all } = options;
  if (from.length > 0) return readSaved(from, now);
  return collect(chosenStacks(stacks, all || stacks.length === 0), { ...options, now, stop });
}

function print(rows: readonly Row[], { format, live }: Options, now: Date): string {
  const document = () => fleetDocument(rows, live ? "live" : "outputs", now);
  if (format === "json") return toJson(document());
  if (format === "yaml") return toYaml(document());
  return table(rows, {
    now,
    wide: format === "wide",
    colours: wantsColours(process.stdout, process.env),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  });
}

async function main(stop: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const now = new Date();
  const rows = byUrgency(await rowsFor(options, now, stop));
  process.stdout.write(print(rows, options, now));
  // Beside the table, so that what reads it by lines finds nothing else there.
  if (options.format === "table" || options.format === "wide") console.error(`\n${summaryLine(count(rows))}`);
  if (options.html !== undefined) {
    writeFileSync(options.html, statusPage(rows, options.live ? "live" : "outputs", now));
    console.error(`wrote ${options.html}`);
  }
  return rows.some(({ phase }) => phase === UNREADABLE) ? 1 : 0;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // `| head` has seen enough.
  if (error.code !== "EPIPE") throw error;
});
await runProgram(main);
