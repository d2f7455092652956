import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { eachStack, type Pace } from "./stacks.ts";

/** Why a command ends before its end. */
class Stopped extends Error {
  readonly code: number;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.code = 128 + constants.signals[signal];
  }
}

/**
 * Runs a command: its exit code is what `main` comes to, or 1 with one line when it throws. A signal that would end it
 * aborts `stop` instead, which `main` is to throw when nothing runs any more; the exit code is then 128 and the signal's
 * number. Later signals change nothing: npm hands on a Ctrl-C that the terminal has sent already.
 */
export async function runProgram(main: (stop: AbortSignal) => number | Promise<number>): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      stop.abort(new Stopped(signal));
    });
  try {
    process.exitCode = await main(stop.signal);
  } catch (error) {
    if (error instanceof Stopped)
      console.error(`error: ${error.message}, so there is no report: run it again`);
    else console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof Stopped ? error.code : 1;
  }
}

/** Runs a task per stack, and says on standard error what each came to. */
export function eachStackTold<Result>(
  stacks: readonly string[],
  pace: Pace,
  task: (stack: string) => Promise<Result>,
  headline: (result: Result) => string,
): Promise<Result[]> {
  let done = 0;
  return eachStack(stacks, pace, async (stack) => {
    const result = await task(stack);
    // What a cluster holds must not steer the terminal.
    console.error(`[${++done}/${stacks.length}] ${stack}: ${headline(result).replace(/\p{Cc}/gu, " ")}`);
    return result;
  });
}

/** Writes a report: the document where a file is named for it, the comment into its file or to standard output. */
export function writeReport(
  { json, markdown }: { json: string | undefined; markdown: string | undefined },
  document: () => unknown,
  comment: string,
): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(document(), null, 2)}\n`);
  if (markdown === undefined) process.stdout.write(comment);
  else writeFileSync(markdown, comment);
}
