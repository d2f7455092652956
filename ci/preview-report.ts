// What the next run changes in every zone, for a pull request: `npm run preview-report -- --help`.
import { writeFileSync } from "node:fs";
import { reportDocument } from "./preview/document.ts";
import { markdown } from "./preview/markdown.ts";
import { exitCode, type ZoneReport } from "./preview/model.ts";
import { HELP, type Options, readOptions } from "./preview/options.ts";
import { previewZone, savedZone } from "./preview/run.ts";
import { chosenStacks, eachStack } from "./stacks.ts";

async function reports({ stacks, all, concurrency, from }: Options, now: Date): Promise<ZoneReport[]> {
  // One after the other: a saved preview is large, and what is kept of it small.
  if (from.length > 0) return from.map((file) => savedZone(file, now));
  const chosen = chosenStacks(stacks, all);
  let done = 0;
  return eachStack(chosen, concurrency, async (stack) => {
    const zone = await previewZone(stack, now);
    // What a cluster holds must not steer the terminal.
    const headline = zone.headline.replace(/\p{Cc}/gu, " ");
    console.error(`[${++done}/${chosen.length}] ${stack}: ${headline}`);
    return zone;
  });
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const zones = await reports(options, new Date());
  const { failOn, json, markdown: comment } = options;
  if (json !== undefined) {
    writeFileSync(json, `${JSON.stringify(reportDocument(zones, failOn), null, 2)}\n`);
  }
  if (comment === undefined) process.stdout.write(markdown(zones));
  else writeFileSync(comment, markdown(zones));
  return exitCode(zones, failOn);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
