// How many requests a command sends to the API server, by its audit log: the metrics don't tell who asked.
import { setTimeout as sleep } from "node:timers/promises";
import { followAudit } from "../../dev/control-plane/audit.ts";

/** Counts the requests of one user from now on; those for discovery are not logged. */
export function countRequests(
  auditLog: string,
  user: string,
): { end: () => Promise<Record<string, number>> } {
  const read = followAudit(auditLog);
  return {
    end: async () => {
      const counts: Record<string, number> = {};
      // A request is logged when it ends; a watch ends with the connection of whoever asked.
      for (let isNew = true; isNew;) {
        const events = read();
        isNew = events.length > 0;
        for (const { verb, user: asker } of events)
          if (asker.username === user) counts[verb] = (counts[verb] ?? 0) + 1;
        await sleep(300);
      }
      return counts;
    },
  };
}
