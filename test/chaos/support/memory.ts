// The most memory that each process of a run of the CLI held.
import { setInterval } from "node:timers";
import type { Run, TestZone } from "../../cluster/support/zone.ts";
import { newMark, peakMemory, processesOf } from "./processes.ts";

/** MiB by what a process is. */
export type Roles = Record<"CLI" | "program" | "Kubernetes provider", number>;

/** The kernel keeps each process's peak: it is enough to look shortly before its end. */
const LOOK_MS = 100;

/** Runs the CLI on a zone's stack, and measures time and memory. */
export async function measuredRun(
  zone: TestZone,
  args: readonly string[],
): Promise<{ run: Run; seconds: number; memory: Roles }> {
  const memory: Roles = { CLI: 0, program: 0, "Kubernetes provider": 0 };
  const mark = newMark();
  const look = setInterval(() => {
    for (const { pid, role } of processesOf(mark))
      if (role !== undefined && role in memory)
        memory[role as keyof Roles] = Math.max(memory[role as keyof Roles], peakMemory(pid));
  }, LOOK_MS);
  const began = Date.now();
  try {
    const run = await zone.pulumi(args, { env: mark });
    return { run, seconds: (Date.now() - began) / 1000, memory };
  } finally {
    clearInterval(look);
  }
}
