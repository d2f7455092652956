// What this process starts and makes must not outlive it, not even when it is killed outright. No handler
// inside the process can promise that, so a small shell script beside it does (guard.sh): it holds the list,
// and works it off when the pipe from here closes. It is started with the first entry, and ends with this
// process.

import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./guard.sh", import.meta.url));

let orders: Writable | undefined;

function order(line: string): void {
  orders ??= start();
  orders.write(`${line}\n`);
}

function start(): Writable {
  // Detached: Ctrl-C in the terminal goes to every process of the foreground group, and must not reach this
  // one.
  const child = spawn("sh", [script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.on("error", (error) => {
    process.emitWarning(`processes may be left behind: the guard did not start: ${error.message}`);
  });
  // A guard that somebody killed must not take this process down with a broken pipe.
  child.stdin.on("error", () => {
    process.emitWarning("processes may be left behind: the guard has ended");
  });
  child.unref();
  // Node's sockets can be unreferenced; the type of a child's stdin does not say that it is one.
  (child.stdin as unknown as { unref(): void }).unref();
  return child.stdin;
}

/** Ends the process group `pid` with `signal` when this process ends, and with KILL if that does not help. */
export function watch(pid: number, signal: "INT" | "KILL"): void {
  order(`watch ${signal} ${pid}`);
}

/** The process `pid` has ended: its number may be somebody else's soon. */
export function forget(pid: number): void {
  order(`forget ${pid}`);
}

/** Removes the folder when this process ends. */
export function removeAtEnd(folder: string): void {
  order(`folder ${folder}`);
}

/** Takes back {@link removeAtEnd}. */
export function keep(folder: string): void {
  order(`keep ${folder}`);
}
