// What the next run changes in every zone, for a pull request: `npm run preview-report -- --help`.
import { lookLimit } from "./limit.ts";
import { reportDocument } from "./preview/document.ts";
import { markdown } from "./preview/markdown.ts";
import { exitCode, type ZoneReport } from "./preview/model.ts";
import { HELP, type Options, readOptions } from "./preview/options.ts";
import { previewZone, savedZone } from "./preview/run.ts";
import { eachStackTold, runProgram, writeReport } from "./program.ts";
import { chosenStacks } from "./stacks.ts";

async function reports(options: Options, now: Date, stop: AbortSignal): Promise<ZoneReport[]> {
  const { stacks, all, from } = options;
  // One after the other: a saved preview is large, and what is kept of it small.
  if (from.length > 0) return from.map((file) => savedZone(file, now));
  const limits = { ...options, stop };
  const task = (stack: string): Promise<ZoneReport> => previewZone(stack, now, lookLimit(limits));
  return eachStackTold(chosenStacks(stacks, all), limits, task, ({ headline }) => headline);
}

async function main(stop: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const zones = await reports(options, new Date(), stop);
  writeReport(options, () => reportDocument(zones, options.failOn), markdown(zones));
  return exitCode(zones, options.failOn);
}

await runProgram(main);
