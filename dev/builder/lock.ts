// A lock between processes: a file that holds the id of its owner. It saves double work and no more: what it
// guards must stay right when two come through, which can happen when an owner is killed.

import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How often `onWait` is called again, so that a person sees why nothing happens. */
const SIGN_OF_LIFE_MS = 15_000;

/**
 * Does `work` while holding the lock. While another process holds it, `onWait` is called with that one's id,
 * at once and then every 15 seconds.
 */
export async function withLock<T>(
  file: string,
  onWait: (pid: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  let told = -Infinity;
  while (!take(file)) {
    const owner = ownerOf(file);
    if (owner !== undefined && !isAlive(owner)) {
      rmSync(file, { force: true });
      continue;
    }
    if (owner !== undefined && Date.now() - told >= SIGN_OF_LIFE_MS) {
      onWait(owner);
      told = Date.now();
    }
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  writeSync(descriptor, String(process.pid));
  closeSync(descriptor);
  return true;
}

/** Undefined while the owner has not written its id yet, or when the lock has just been given back. */
function ownerOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Is there a process with this id? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // there is one, of another user
  }
}
