// What the processes of one command cost, as Linux counts it: CPU time and peak memory, by their part in the command.
import { readdirSync, readFileSync } from "node:fs";

/** `cli` is the command itself: Pulumi, Helm or kubectl. */
export const PARTS = ["cli", "host", "program", "provider"] as const;
export type Part = (typeof PARTS)[number];

export interface Cost {
  /** Seconds of CPU time, user and system. */
  cpuSeconds: number;
  /** Peak of resident memory; of several processes of one part, that of the largest. */
  peakMiB: number;
}

/** Milliseconds between two looks; what a process does after the last one is not counted. */
const INTERVAL = 25;

/** Clock ticks per second: USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS = 100;

interface Seen {
  part: Part;
  ticks: number;
  peakKiB: number;
}

/** Watches the command with this process id and all that it starts, until `end` is called. */
export function watchProcesses(root: number): { end: () => Record<Part, Cost> } {
  const seen = new Map<number, Seen>();
  let looks = 0;
  const look = (): void => {
    // Looking for new processes costs more than looking at those that are known. Who a process is can change once: it
    // begins as a copy of the one that started it.
    if (looks++ % 4 === 0) for (const pid of descendants(root)) recognize(seen, pid, root);
    for (const [pid, process] of seen) update(pid, process);
  };
  look();
  const timer = setInterval(look, INTERVAL);
  return {
    end: () => {
      clearInterval(timer);
      return costs([...seen.values()]);
    },
  };
}

function costs(all: readonly Seen[]): Record<Part, Cost> {
  const cost = (part: Part): Cost => {
    const own = all.filter((process) => process.part === part);
    return {
      cpuSeconds: own.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS,
      peakMiB: Math.max(0, ...own.map(({ peakKiB }) => peakKiB)) / 1024,
    };
  };
  return Object.fromEntries(PARTS.map((part) => [part, cost(part)])) as Record<Part, Cost>;
}

function recognize(seen: Map<number, Seen>, pid: number, root: number): void {
  const command = read(`/proc/${pid}/cmdline`);
  // A process that has ended and is not collected yet has none.
  if (command === undefined || command === "") return;
  const part = pid === root ? "cli" : partOf(command);
  const known = seen.get(pid);
  if (known === undefined) seen.set(pid, { part, ticks: 0, peakKiB: 0 });
  else known.part = part;
}

function partOf(command: string): Part {
  if (command.includes("pulumi-resource-kubernetes")) return "provider";
  if (command.includes("@pulumi/pulumi/cmd/run")) return "program";
  return "host";
}

function update(pid: number, process: Seen): void {
  // utime and stime are the 14th and 15th field; the second, the name in brackets, may hold spaces.
  const stat = read(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ");
  if (stat === undefined) return;
  process.ticks = Math.max(process.ticks, Number(stat[11]) + Number(stat[12]));
  const peak = /VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
  process.peakKiB = Math.max(process.peakKiB, Number(peak ?? 0));
}

function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    const parent = /^\d+$/.test(entry)
      ? read(`/proc/${entry}/stat`)?.split(") ").at(-1)?.split(" ")[1]
      : undefined;
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
}

/** What stands in a file of /proc; undefined when the process has ended. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}
