// The Pulumi CLI starts its plugins in process groups of their own. When it is killed, nobody ends them.

import { readFileSync, readdirSync } from "node:fs";

/**
 * Kills every process that has `entry` ("NAME=value") in its environment. Only Linux shows another process's
 * environment; elsewhere the plugins of a killed CLI stay.
 */
export function killMarked(entry: string): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      if (readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry))
        process.kill(pid, "SIGKILL");
    } catch (error) {
      // It has ended while we looked, or belongs to another user and so is none of ours.
      if (!["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
        throw error;
    }
  }
}
