// Where zones differ from what was applied, and what to do: `npm run drift -- --help`.
import { writeFileSync } from "node:fs";
import { checkZone, fixZone } from "./drift/check.ts";
import { driftDocument } from "./drift/document.ts";
import { headlineOf } from "./drift/headline.ts";
import { markdown } from "./drift/markdown.ts";
import { metrics, writeAtOnce } from "./drift/metrics.ts";
import { exitCode, type ZoneCheck } from "./drift/model.ts";
import { HELP, type Options, readOptions } from "./drift/options.ts";
import { chosenStacks, eachStack } from "./stacks.ts";

/** What a cluster holds must not steer the terminal. */
const plain = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, " ");

async function checks({ stacks, all, concurrency, fix }: Options): Promise<ZoneCheck[]> {
  const chosen = chosenStacks(stacks, all);
  let done = 0;
  return eachStack(chosen, concurrency, async (stack) => {
    const found = await checkZone(stack, new Date());
    const zone = fix
      ? await fixZone(found, (text) => {
          console.error(plain(text));
        })
      : found;
    console.error(`[${++done}/${chosen.length}] ${stack}: ${plain(headlineOf(zone)).replace(/\n/g, " ")}`);
    return zone;
  });
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const zones = await checks(options);
  const now = new Date();
  const { json, markdown: report, metrics: file } = options;
  if (file !== undefined) writeAtOnce(file, await metrics(zones, now));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(driftDocument(zones, now), null, 2)}\n`);
  if (report === undefined) process.stdout.write(markdown(zones));
  else writeFileSync(report, markdown(zones));
  return exitCode(zones);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
