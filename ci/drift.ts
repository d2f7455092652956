// Where zones differ from what was applied, and what to do: `npm run drift -- --help`.
import { checkZone, fixZone } from "./drift/check.ts";
import { driftDocument } from "./drift/document.ts";
import { headlineOf } from "./drift/headline.ts";
import { markdown } from "./drift/markdown.ts";
import { metrics, writeAtOnce } from "./drift/metrics.ts";
import { exitCode, type ZoneCheck } from "./drift/model.ts";
import { HELP, type Options, readOptions } from "./drift/options.ts";
import { eachStackTold, runProgram, writeReport } from "./program.ts";
import { chosenStacks } from "./stacks.ts";

/** What a cluster holds must not steer the terminal. */
const plain = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, " ");

async function checks(options: Options, stop: AbortSignal): Promise<ZoneCheck[]> {
  const limits = { ...options, stop };
  const say = (text: string): void => {
    console.error(plain(text));
  };
  const task = async (stack: string): Promise<ZoneCheck> => {
    const found = await checkZone(stack, new Date(), limits);
    return options.fix ? fixZone(found, say, limits) : found;
  };
  return eachStackTold(chosenStacks(options.stacks, options.all), limits, task, headlineOf);
}

async function main(stop: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const zones = await checks(options, stop);
  const now = new Date();
  if (options.metrics !== undefined) writeAtOnce(options.metrics, await metrics(zones, now));
  writeReport(options, () => driftDocument(zones, now), markdown(zones));
  return exitCode(zones);
}

await runProgram(main);
