import { spawn } from "node:child_process";
import { once } from "node:events";
import { endSession } from "./session.ts";

/** What the CLI came to, whatever its exit code. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
  /** When it was not left to end by itself: why, and whether a signal killed it, so that it could not clean up. */
  interrupted?: { why: string; killed: boolean };
}

/**
 * Milliseconds that an interrupted CLI has to end, after each of two SIGINTs, before it is killed. The first lets the
 * engine finish the operations under way. The second makes it give them up: it notes them as pending and still frees
 * the lock, which a killed one can't. It comes before Kubernetes kills a pod that is to end (30 s).
 */
const PATIENCE = [15_000, 30_000];

/**
 * Runs the Pulumi CLI on one stack, as CI does: no prompts, no colours; backend, passphrase and kubeconfig are those of
 * the environment. When `limit` aborts, it is interrupted, and no process of it is left; then none is started either.
 * @throws Error when there is no CLI
 */
export async function pulumi(
  stack: string,
  args: readonly string[],
  limit: AbortSignal,
  patience = PATIENCE,
): Promise<Run> {
  const interruption = (killed: boolean) => ({ why: (limit.reason as Error).message, killed });
  if (limit.aborted) return { code: 1, stdout: "", stderr: "", interrupted: interruption(false) };
  const child = spawn("pulumi", [...args, "--stack", stack, "--non-interactive", "--color=never"], {
    stdio: ["ignore", "pipe", "pipe"],
    // In a session of its own: Ctrl-C in the terminal is for us to pass on, once.
    detached: true,
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending = endSession(child, patience);
  };
  limit.addEventListener("abort", end, { once: true });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    await ending;
    return { code: code ?? 1, ...output, ...(ending && { interrupted: interruption(code === null) }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error("there is no `pulumi` on PATH: https://www.pulumi.com/docs/install/", { cause: error });
  } finally {
    limit.removeEventListener("abort", end);
  }
}

export type Answer = { value: unknown } | { error: string };

/** What the CLI answers as JSON, or why it does not. */
export async function pulumiJson(
  stack: string,
  args: readonly string[],
  limit: AbortSignal,
): Promise<Answer> {
  const run = await pulumi(stack, args, limit);
  if (run.code !== 0) return { error: errorOf(run) };
  const value = parseJson(run.stdout);
  return value === undefined ? { error: `\`pulumi ${args.join(" ")}\` gave no JSON` } : { value };
}

/** What the CLI says of a failure, in one line; of one that was interrupted, why. */
export function errorOf({ code, stdout, stderr, interrupted }: Run): string {
  if (interrupted !== undefined) return interrupted.why;
  const lines = `${stderr}\n${stdout}`.split("\n").map((line) => line.trim());
  const error = lines.find((line) => line.startsWith("error: ")) ?? lines.find((line) => line !== "");
  return error?.replace(/^error: /, "") ?? `pulumi ended with exit code ${code}`;
}

/** Text as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says would quote the text.
    return undefined;
  }
}
