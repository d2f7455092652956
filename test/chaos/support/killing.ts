// A run of the CLI of which one process is killed outright, at a moment that is told beforehand.
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestZone } from "../../cluster/support/zone.ts";
import { newMark, processesOf, type Role } from "./processes.ts";
import { Writes } from "./writes.ts";

/** When, and whom. */
export interface Plan {
  victim: Role;
  /** So many milliseconds after the run's start, or after its write of this number. */
  begin: "start" | number;
  delayMs: number;
}

export interface Killed {
  /** Whether the run lived long enough to be killed. */
  hit: boolean;
  output: string;
  /** Writes before the kill and after it. */
  before: number;
  after: number;
  /** What the CLI had begun and not yet ended. */
  underWay: string[];
  /** Processes of the run that outlived the CLI. */
  survivors: Role[];
  /** What all processes of the run carry in their environment. */
  mark: Record<string, string>;
}

/** Milliseconds between two looks at the run. */
const LOOK_MS = 5;
/** A run whose program or provider was killed has to end by itself, generously. */
const HANGING_MS = 10 * 60_000;

/** Runs the CLI as a person would, kills as planned, and waits for the CLI's end; what outlives it goes on living. */
export async function runAndKill(zone: TestZone, args: readonly string[], plan: Plan): Promise<Killed> {
  const mark = newMark();
  const file = `${zone.workspace.dir}/run-${Object.values(mark).join()}.txt`;
  const env = { ...(await zone.envOf("update")), ...mark };
  const writes = new Writes(zone);
  const output = openSync(file, "w");
  const began = Date.now();
  const cli = spawn(
    zone.cluster.tools.pulumi,
    ["--non-interactive", "--color=never", ...args, "--stack", zone.stack],
    { cwd: zone.project, env, detached: true, stdio: ["ignore", output, output] },
  );
  closeSync(output);
  const ended = once(cli, "exit");
  const isOver = (): boolean => cli.exitCode !== null || cli.signalCode !== null;

  const isDue = (): boolean => {
    const at = plan.begin === "start" ? began : writes.read()[plan.begin - 1]?.at;
    return at !== undefined && Date.now() >= at + plan.delayMs;
  };
  let killedAt: number | undefined;
  let said = "";
  while (!isOver() && killedAt === undefined) {
    const victims = isDue() ? processesOf(mark).filter(({ role }) => role === plan.victim) : [];
    for (const { pid } of victims) process.kill(pid, "SIGKILL");
    if (victims.length > 0) {
      killedAt = Date.now();
      said = readFileSync(file, "utf8");
    } else await sleep(LOOK_MS);
  }
  const late = setTimeout(() => cli.kill("SIGKILL"), HANGING_MS);
  await ended;
  clearTimeout(late);
  const survivors = processesOf(mark).flatMap(({ role }) => role ?? []);
  if (Date.now() - began >= HANGING_MS) throw new Error(`pulumi ${args.join(" ")} hangs after a kill`);

  const all = writes.read();
  const before = all.filter(({ at }) => killedAt === undefined || at <= killedAt).length;
  return {
    hit: killedAt !== undefined,
    output: readFileSync(file, "utf8"),
    before,
    after: all.length - before,
    underWay: underWay(said),
    survivors,
    mark,
  };
}

/** Of the CLI's lines, those of operations on objects that had begun and not ended: "creating Deployment west". */
function underWay(said: string): string[] {
  const open = new Map<string, string>();
  const line =
    /^ [ +\-~]+ +((?:kubernetes|pulumi-nodejs):\S+) (\S+) (creating|updating|deleting|created|updated|deleted)\b/gm;
  for (const [, type = "", name = "", word = ""] of said.matchAll(line)) {
    const what = `${type.split(":").at(-1) ?? type} ${name}`;
    if (word.endsWith("ing")) open.set(what, `${word} ${what}`);
    else open.delete(what);
  }
  return [...open.values()];
}
