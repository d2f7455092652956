import { writeFileSync } from "node:fs";
import { eachStack } from "./stacks.ts";

/** Runs a command: its exit code is what `main` comes to, or 1 with one line when it throws. */
export async function runProgram(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

/** Runs a task per stack, at most `limit` at a time, and says on standard error what each came to. */
export function eachStackTold<Result>(
  stacks: readonly string[],
  limit: number,
  task: (stack: string) => Promise<Result>,
  headline: (result: Result) => string,
): Promise<Result[]> {
  let done = 0;
  return eachStack(stacks, limit, async (stack) => {
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
