import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ends a child that leads a session of its own (`detached`), with all that it has started: a SIGINT for each number of
 * milliseconds to wait, as Ctrl-C in a terminal would be, then SIGKILL. What is left behind by then is killed as well.
 */
export async function endSession(child: ChildProcess, patience: readonly number[]): Promise<void> {
  const leader = child.pid;
  if (leader === undefined) return;
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = hasEnded() ? Promise.resolve() : once(child, "exit");
  for (const milliseconds of patience) {
    if (hasEnded()) break;
    send(-leader, "SIGINT");
    await Promise.race([end, sleep(milliseconds, undefined, { ref: false })]);
  }
  killSession(leader);
}

/**
 * A process group is not enough: the Pulumi CLI gives each of its plugins one of its own. Where there is no /proc to
 * find them in (macOS), the plugins of a killed CLI end by themselves within five minutes.
 */
function killSession(leader: number): void {
  if (!existsSync("/proc/self/stat")) {
    send(-leader, "SIGKILL");
    return;
  }
  const killed = new Set<number>();
  // Until a look finds nothing new: what is killed may have started another process meanwhile.
  for (let found = membersOf(leader); found.length > 0;) {
    for (const pid of found) {
      send(pid, "SIGKILL");
      killed.add(pid);
    }
    found = membersOf(leader).filter((pid) => !killed.has(pid));
  }
}

function membersOf(session: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => sessionOf(pid) === session);
}

function sessionOf(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended while we looked.
    return undefined;
  }
  // `1234 (a name) S parent group session`: the name may hold anything.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
}

/** Signals a process, or a whole group by its negative number. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended while we looked: macOS says EPERM of one that nobody has waited for yet.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
