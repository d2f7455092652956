// Where the time of one run without changes goes, from the command line to its end.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run } from "../../dev/workspace/run.ts";
import { spreadOf, type Spread } from "../figures/results.ts";
import type { Place } from "../place.ts";
import type { Fleet, Subject } from "../subjects/subject.ts";

const PROBE = fileURLToPath(new URL("./probe.js", import.meta.url));

/** The parts of a run, in their order. The provider starts and refreshes while the program imports. */
export const PHASES = [
  "CLI, until the program's process starts",
  "Node and Pulumi's SDK",
  "imports of the program",
  "zone discovery",
  "registering, until the program ends",
  "CLI, until the run ends",
] as const;

export interface Startup {
  /** `warm`: as in every run but the first; `cold`: nothing in the page cache, and no compile cache. */
  state: "warm" | "cold";
  /** Milliseconds per phase. */
  phases: Record<string, Spread>;
}

interface Marks {
  start: number;
  loading: number;
  firstRequest: number;
  lastRequest: number;
  end: number;
}

/** Measures a zone of one proxy of ours, `times` times in each state. */
export async function measureStartup(place: Place, ours: Subject, times: number): Promise<Startup[]> {
  const namespace = "bench-startup";
  await place.makeNamespace(namespace);
  const fleet = await ours.makeFleet(namespace);
  fleet.declare(await place.putTokens(namespace, ["proxy-001"]));
  await measured(fleet, "create", {});
  await place.quiet(namespace);
  const states: Startup[] = [];
  for (const state of ["warm", "cold"] as const) {
    const all: number[][] = [];
    for (let time = 0; time < times; time += 1) {
      if (state === "cold") writeFileSync("/proc/sys/vm/drop_caches", "1");
      all.push(
        await measured(fleet, "unchanged", state === "cold" ? { NODE_DISABLE_COMPILE_CACHE: "1" } : {}),
      );
    }
    const phases = PHASES.map((phase, index) => [phase, spreadOf(all.map((one) => one[index] ?? NaN))]);
    states.push({ state, phases: Object.fromEntries(phases) as Record<string, Spread> });
  }
  await fleet.remove();
  await place.removeNamespace(namespace);
  return states;
}

/** Milliseconds of each phase of one run. */
async function measured(
  fleet: Fleet,
  operation: "create" | "unchanged",
  env: Record<string, string>,
): Promise<number[]> {
  const [command] = fleet.commands(operation, []);
  if (command === undefined) throw new Error("there is no command");
  const file = `${command.cwd}/marks.json`;
  const probed = { NODE_OPTIONS: `--import ${PROBE}`, BENCH_MARKS: file, ...env };
  const begin = Date.now();
  const { code, stdout } = await run(
    command.command,
    command.args,
    { ...command.env, ...probed },
    { cwd: command.cwd },
  );
  const end = Date.now();
  if (code !== 0) throw new Error(stdout);
  const marks = JSON.parse(readFileSync(file, "utf8")) as Marks;
  const times = [begin, marks.start, marks.loading, marks.firstRequest, marks.lastRequest, marks.end, end];
  return times.slice(1).map((time, index) => time - (times[index] ?? NaN));
}
