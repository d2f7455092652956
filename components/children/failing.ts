import * as pulumi from "@pulumi/pulumi";
import type { Problem } from "../workload/validation.ts";

/** Pulumi's exit code for a program that has said itself why it failed. */
const BAIL = 32;

/**
 * Makes the run fail after the program's body has ended: says why, lets everything else of the run go on. Deletions
 * wait until a run succeeds.
 */
export async function failRun(message: string, component: pulumi.Resource): Promise<void> {
  await pulumi.log.error(message, component);
  process.exitCode = BAIL;
}

/** Refuses a component while the program's body runs: one line, no stack, and the run ends non-zero. */
export function refuse(message: string, component: pulumi.Resource): never {
  throw new pulumi.ResourceError(message, component, true);
}

/** One line per problem. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `${path}: ${message}`).join("\n");
}
