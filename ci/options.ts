import { parseArgs, type ParseArgsConfig } from "node:util";
import { closest } from "fastest-levenshtein";

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

/** @throws Error when it is no number of tasks */
export function readConcurrency(given: string): number {
  if (!/^[1-9]\d{0,2}$/.test(given)) throw new Error("--concurrency takes a number from 1 to 999");
  return Number(given);
}
