// Runs the commands of one operation and measures them.
import { performance } from "node:perf_hooks";
import { run } from "../../dev/workspace/run.ts";
import type { Command } from "../subjects/subject.ts";
import { type Cost, type Part, PARTS, watchProcesses } from "./processes.ts";
import { countRequests } from "./requests.ts";

export interface Measure {
  wallSeconds: number;
  /** Seconds of CPU time of all processes. */
  cpuSeconds: number;
  parts: Record<Part, Cost>;
  /** Verb -> requests to the API server, without those for discovery. */
  requests: Record<string, number>;
}

/** What one command may take at most. */
const LIMIT_MS = 60 * 60_000;

/** Runs commands one after the other. Throws, with what it said, when one fails. */
export async function measure(
  commands: readonly Command[],
  asked: { auditLog: string; user: string },
  signal: AbortSignal,
): Promise<Measure> {
  const requests = countRequests(asked.auditLog, asked.user);
  const watched: Record<Part, Cost>[] = [];
  const begin = performance.now();
  for (const { command, args, cwd, env } of commands) {
    let processes: ReturnType<typeof watchProcesses> | undefined;
    const onStart = (pid: number): void => {
      processes = watchProcesses(pid);
    };
    const ran = run(command, args, env, { cwd, signal, timeoutMs: LIMIT_MS, onStart });
    const { code, stdout, stderr } = await ran.finally(() => {
      if (processes !== undefined) watched.push(processes.end());
    });
    if (code !== 0)
      throw new Error(`${command} ${args.join(" ")} ended with exit code ${code}:\n${stdout}${stderr}`);
  }
  const wallSeconds = (performance.now() - begin) / 1000;
  const parts = Object.fromEntries(
    PARTS.map((part) => [part, together(watched.map((costs) => costs[part]))]),
  );
  return {
    wallSeconds,
    cpuSeconds: Object.values(parts).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    parts: parts as Record<Part, Cost>,
    requests: await requests.end(),
  };
}

/** What the same part of several commands cost. */
function together(costs: readonly Cost[]): Cost {
  return {
    cpuSeconds: costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    peakMiB: Math.max(...costs.map(({ peakMiB }) => peakMiB)),
  };
}
