// The most memory that each process of a run of the CLI held.
import { watchProcesses } from "../../../bench/measure/processes.ts";
import type { Run, TestZone } from "../../cluster/support/zone.ts";

/** MiB by what a process is. */
export type Roles = Record<"CLI" | "program" | "Kubernetes provider", number>;

/** Runs the CLI on a zone's stack, and measures time and memory. */
export async function measuredRun(
  zone: TestZone,
  args: readonly string[],
): Promise<{ run: Run; seconds: number; memory: Roles }> {
  let watched: ReturnType<typeof watchProcesses> | undefined;
  const began = Date.now();
  try {
    const run = await zone.pulumi(args, {
      onStart: (pid) => {
        watched = watchProcesses(pid);
      },
    });
    const seconds = (Date.now() - began) / 1000;
    if (watched === undefined) throw new Error("the CLI did not start");
    const { cli, program, provider } = watched.end();
    const memory = { CLI: cli.peakMiB, program: program.peakMiB, "Kubernetes provider": provider.peakMiB };
    return { run, seconds, memory };
  } finally {
    watched?.end();
  }
}
