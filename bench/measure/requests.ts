// How many requests a command sends to the API server, by its audit log: the metrics don't tell who asked.
import { existsSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Counts the requests of one user from now on; those for discovery are not logged. */
export function countRequests(
  auditLog: string,
  user: string,
): { end: () => Promise<Record<string, number>> } {
  const begin = sizeOf(auditLog);
  return {
    end: async () => {
      // A request is logged when it ends; a watch ends with the connection of whoever asked.
      for (let size = -1; size !== sizeOf(auditLog);) {
        size = sizeOf(auditLog);
        await sleep(300);
      }
      const lines = readFileSync(auditLog).subarray(begin).toString("utf8").split("\n");
      const counts: Record<string, number> = {};
      for (const line of lines) {
        if (line === "") continue;
        const event = JSON.parse(line) as { verb: string; user: { username: string } };
        if (event.user.username === user) counts[event.verb] = (counts[event.verb] ?? 0) + 1;
      }
      return counts;
    },
  };
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
