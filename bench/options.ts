// What `node bench/bench.ts` is told.
import { parseArgs } from "node:util";

export interface Options {
  sizes: number[];
  rounds: number;
  repeat: number;
  /** Names; all when empty. */
  subjects: string[];
  checkpoints: boolean;
  /** Whether the start of a run is taken apart, too. */
  startup: boolean;
  /** Whether the figures become those of docs/performance.md. */
  record: boolean;
}

export const USAGE = `usage: make bench [BENCH="<options>"]

  --sizes 1,25,100     numbers of proxies (500 takes an hour a round)
  --rounds 5           how often everything is done, from create to destroy
  --repeat 1           how often per round the operations that leave everything as it was; 0 leaves them out
  --subjects a,b       ours, raw, raw-started, defaults, helm; default: all
  --skip-checkpoints   let Pulumi write its state only at the end of runs that change every proxy
  --no-startup         don't take the start of a run apart
  --record             make the figures those of docs/performance.md`;

/** Throws one line about an option that makes no sense. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      sizes: { type: "string", default: "1,25,100" },
      rounds: { type: "string", default: "5" },
      repeat: { type: "string", default: "1" },
      subjects: { type: "string", default: "" },
      "skip-checkpoints": { type: "boolean", default: false },
      startup: { type: "boolean", default: true },
      record: { type: "boolean", default: false },
    },
  });
  return {
    sizes: values.sizes.split(",").map((size) => wholeNumber("--sizes", size, 1)),
    rounds: wholeNumber("--rounds", values.rounds, 1),
    repeat: wholeNumber("--repeat", values.repeat, 0),
    subjects: values.subjects === "" ? [] : values.subjects.split(","),
    checkpoints: !values["skip-checkpoints"],
    startup: values.startup,
    record: values.record,
  };
}

function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new Error(`${option} must be whole numbers from ${least}, not ${text}`);
  return number;
}
