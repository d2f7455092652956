import { readdirSync } from "node:fs";
import { join } from "node:path";
import { closest } from "fastest-levenshtein";
import { readProject } from "./project.ts";

const FILE = /^Pulumi\.(.+)\.yaml$/;

/** Path of a stack's file. */
export function stackFile(stack: string, folder = readProject().stackFolder): string {
  return join(folder, `Pulumi.${stack}.yaml`);
}

/** Names of all stacks that have a file, sorted. */
export function allStacks(folder = readProject().stackFolder): string[] {
  return readdirSync(folder)
    .flatMap((file) => FILE.exec(file)?.[1] ?? [])
    .sort();
}

/**
 * The stacks that were asked for: by name, or all of them.
 * @throws Error that says what to give
 */
export function chosenStacks(
  names: readonly string[],
  all: boolean,
  folder = readProject().stackFolder,
): string[] {
  const known = allStacks(folder);
  if (all && names.length > 0) throw new Error("give --stack or --all, not both");
  if (known.length === 0)
    throw new Error(`there is no stack file: none is named ${stackFile("<stack>", folder)}`);
  if (all) return known;
  if (names.length === 0) throw new Error(`give --all, or --stack with one of: ${known.join(", ")}`);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new Error(`there is no ${stackFile(name, folder)}; did you mean "${closest(name, known)}"?`);
  }
  return [...new Set(names)];
}

/** How many stacks at a time, and what tells to begin no more of them. */
export interface Pace {
  concurrency: number;
  stop: AbortSignal;
}

/**
 * Runs a task per stack; the results are in the order of the stacks.
 * @throws what `stop` was aborted with, when the tasks that had begun have ended
 */
export async function eachStack<Result>(
  stacks: readonly string[],
  { concurrency, stop }: Pace,
  task: (stack: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < stacks.length && !stop.aborted; index = next++) {
      results[index] = await task(stacks[index] as string);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  stop.throwIfAborted();
  return results;
}
