// A program that runs beside this process until it is told to stop: its output goes to a log file.

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { forget, watch } from "./guard.ts";

export interface Background {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** How it ended; undefined while it runs. */
  ended(): string | undefined;
  /** Resolves when the process has ended, whoever ended it. */
  readonly end: Promise<void>;
  /**
   * Asks it to end with SIGTERM, and ends it with SIGKILL after `graceMs` milliseconds. Safe to call again.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts `command` in a process group of its own, so that Ctrl-C in the terminal reaches only the caller, who
 * stops it in the right order. Throws when it can't be started.
 */
export async function startBackground(options: {
  name: string;
  command: string;
  args: readonly string[];
  logFile: string;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}): Promise<Background> {
  const { name, command, args, logFile, env = {}, cwd } = options;
  const log = openSync(logFile, "a");
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  closeSync(log);
  let ended: string | undefined;
  const end = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      ended = signal === null ? `exit code ${code}` : signal;
      if (child.pid !== undefined) forget(child.pid);
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => {
      reject(new Error(`${name} did not start: ${error.message}`));
    });
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${name} did not start`);
  watch(pid, "KILL");
  // The caller stops it, or the guard does: a forgotten one must not keep this process from ending.
  child.unref();

  return {
    name,
    pid,
    logFile,
    end,
    ended: () => ended,
    stop: async (graceMs) => {
      if (ended !== undefined) return;
      child.ref();
      child.kill("SIGTERM");
      const patience = new AbortController();
      const killed = sleep(graceMs, undefined, { signal: patience.signal }).then(
        () => child.kill("SIGKILL"),
        () => undefined, // it ended in time
      );
      await end;
      patience.abort();
      await killed;
    },
  };
}

/**
 * The error to throw when a background process ended although nobody stopped it: how, and the last lines of
 * its log.
 */
export function endedEarly(process: Background): Error {
  return new Error(
    `${process.name} ended (${process.ended() ?? "still ending"}); its log ${process.logFile} ends with:\n` +
      lastLines(process.logFile, 15),
  );
}

/** The last `count` lines of a log file, or why there are none. */
export function lastLines(file: string, count: number): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return `  (${basename(file)} can't be read: ${error instanceof Error ? error.message : String(error)})`;
  }
  const lines = text.trimEnd().split("\n").slice(-count);
  return lines.map((line) => `  ${line}`).join("\n");
}
