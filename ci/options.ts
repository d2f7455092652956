import { parseArgs, type ParseArgsConfig } from "node:util";
import { closest } from "fastest-levenshtein";

/** What every command may be given. */
export const COMMON_OPTIONS = {
  stack: { type: "string", multiple: true },
  all: { type: "boolean" },
  concurrency: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/**
 * Reads a command line by the options that a command has.
 * @throws Error of one line, which names the nearest option for one that does not exist
 */
export function parseOptions<Named extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: Named,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (unknown === undefined) throw new Error(message.split("\n")[0]?.split(". ")[0]);
    const meant = closest(unknown.replace(/^-+/, ""), Object.keys(options));
    throw new Error(`there is no option ${unknown}; did you mean --${meant}? --help names them all`);
  }
}

/**
 * Zones by the names of their stacks, or by the files that were saved of them. What stands alone belongs to the option
 * before it, which is one of `lists`: `--stack a b`, or what a shell makes of `--from *.json`.
 * @throws Error when it belongs to none, or both are given
 */
export function readZones(
  { stack = [], all = false, from = [] }: { stack?: string[]; all?: boolean; from?: string[] },
  alone: readonly string[],
  lists: string,
): { stacks: string[]; all: boolean; from: string[] } {
  if (from.length > 0 && (all || stack.length > 0))
    throw new Error("give --from, or --stack or --all, not both");
  const [stray] = alone;
  if (stray !== undefined && from.length === 0 && stack.length === 0)
    throw new Error(`"${stray}" belongs to no option: give ${lists} before it`);
  return from.length > 0
    ? { stacks: [], all, from: [...from, ...alone] }
    : { stacks: [...stack, ...alone], all, from: [] };
}

/** @throws Error when it is no number of tasks */
export function readConcurrency(given = "4"): number {
  if (!/^[1-9]\d{0,2}$/.test(given)) throw new Error("--concurrency takes a number from 1 to 999");
  return Number(given);
}

/** @throws Error when it is no time */
export function readMinutes(option: string, given: string): number {
  const minutes = /^\d{1,4}(\.\d+)?$/.test(given) ? Number(given) : 0;
  if (minutes === 0) throw new Error(`${option} takes minutes, such as 10 or 0.5, above 0 and below 10000`);
  return minutes;
}

/** @throws Error when it is no time */
export function readTimeout(given = "10"): number {
  return readMinutes("--timeout", given);
}
