// One run of the Pulumi CLI.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { forget, watch } from "../guard.ts";
import { killMarked } from "./stragglers.ts";

export interface RunOptions {
  /** Folder to run in. */
  readonly cwd?: string;
  /** Added to the workspace's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to the CLI's standard input. Default: none. */
  readonly input?: string;
  /** Interrupts the run after so many milliseconds. Default: 600,000. */
  readonly timeoutMs?: number;
  /** Interrupts the run, as Ctrl-C would. */
  readonly signal?: AbortSignal;
  /** Gets the output while it comes. */
  readonly onOutput?: (text: string) => void;
  /** Gets the CLI's process id, for those who want to interrupt or kill it themselves. */
  readonly onStart?: (pid: number) => void;
}

export interface RunResult {
  /** The exit code; for a CLI that was killed, 128 plus the number of the signal, as a shell counts. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * How long an interrupted CLI may take to finish the operation it is at; then it and its plugins are killed.
 */
const PATIENCE_MS = 10_000;

/** Milliseconds that a run may take: longer than it waits for a rollout by itself, which is 420 s. */
const RUN_MS = 600_000;

/**
 * Runs `command` and waits for its end, whatever its exit code. Throws when it can't be started, takes longer
 * than `timeoutMs`, or `signal` is aborted; no process of it is left then either.
 */
export async function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: RunOptions,
): Promise<RunResult> {
  const { cwd, env = {}, input, timeoutMs = RUN_MS, signal, onOutput, onStart } = options;
  signal?.throwIfAborted();
  const mark = `PULUMI_PROXIES_RUN`;
  const markValue = randomBytes(12).toString("hex");
  const child = spawn(command, args, {
    // In a group of its own: Ctrl-C in the terminal is for us to pass on.
    detached: true,
    env: { ...environment, ...env, [mark]: markValue },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const { pid } = child;
  if (pid !== undefined) {
    watch(pid, "INT");
    onStart?.(pid);
  }
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    onOutput?.(text);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onOutput?.(text);
  });
  // A CLI that ends without reading its input is no error of ours: its exit code tells.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);

  const ended = new AbortController();
  let interrupted: Error | undefined;
  const interrupt = async (reason: Error): Promise<void> => {
    interrupted ??= reason;
    child.kill("SIGINT");
    await sleep(PATIENCE_MS, undefined, { signal: ended.signal });
    child.kill("SIGKILL");
    killMarked(`${mark}=${markValue}`);
  };
  const begin = (reason: Error): void => void interrupt(reason).catch(() => undefined); // it ended in time
  const timer = setTimeout(() => {
    begin(new Error(`${command} ${args.join(" ")} took longer than ${timeoutMs / 1000} s`));
  }, timeoutMs);
  const onAbort = (): void => {
    begin(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      // Not "close": a plugin that outlives a killed CLI holds the pipes open.
      child.once("exit", (exitCode, name) => {
        killMarked(`${mark}=${markValue}`);
        child.once("close", () => {
          resolve(exitCode ?? 128 + (name === null ? 0 : constants.signals[name]));
        });
      });
    });
    if (interrupted !== undefined) throw withOutput(interrupted, stdout, stderr);
    return { code, stdout, stderr };
  } finally {
    ended.abort();
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    if (pid !== undefined) forget(pid);
  }
}

/** What the CLI had said by then, for whoever looks for the reason. */
function withOutput(error: Error, stdout: string, stderr: string): Error {
  const last = `${stdout}\n${stderr}`.trim().split("\n").slice(-20).join("\n  ");
  return new Error(`${error.message}; its output ended with:\n  ${last}`, { cause: error });
}
