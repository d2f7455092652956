// The rounds of the benchmark: in each, every subject does the same, one operation after the other, so that what the
// machine does in the course of time falls on all of them.
import { type Measure, measure } from "./measure/measure.ts";
import { type Place, USER } from "./place.ts";
import { type Fleet, type Operation, OPERATIONS, type Proxies, type Subject } from "./subjects/subject.ts";

/** One operation of one subject, measured. */
export interface Run extends Measure {
  subject: string;
  size: number;
  operation: Operation;
  round: number;
  /** Bytes of what it remembers, afterwards. */
  stateBytes: number;
}

export interface Plan {
  /** Numbers of proxies. */
  sizes: readonly number[];
  /** How often all of it is done, from create to destroy. */
  rounds: number;
  /** How often, in each round, those operations are done that leave everything as it was. */
  repeat: number;
  subjects: readonly Subject[];
}

/** Operations that may be done again and again. */
const REPEATED: readonly Operation[] = ["unchanged", "preview", "rotate one"];

export async function runRounds(
  place: Place,
  plan: Plan,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<Run[]> {
  const runs: Run[] = [];
  const operations = operationsOf(plan.repeat);
  for (const size of plan.sizes) {
    for (let round = 0; round < plan.rounds; round += 1) {
      const entrants: Entrant[] = [];
      for (const subject of plan.subjects) entrants.push(await enter(place, subject, size, round));
      for (const [step, operation] of operations.entries()) {
        // Whenever it is done again, somebody else begins.
        const before = operations.slice(0, step).filter((done) => done === operation).length;
        for (const entrant of rotated(entrants, round + before)) {
          const run = { ...(await perform(place, entrant, operation, signal)), size, round };
          report(lineOf(run));
          runs.push(run);
        }
      }
      for (const { fleet, namespace } of entrants) {
        await fleet.remove();
        await place.removeNamespace(namespace);
      }
    }
  }
  return runs;
}

/** From create to destroy. */
function operationsOf(repeat: number): Operation[] {
  const again = Array.from({ length: repeat }, () => REPEATED).flat();
  return OPERATIONS.flatMap((operation) =>
    operation === "unchanged" ? again : REPEATED.includes(operation) ? [] : [operation],
  );
}

function rotated<T>(all: readonly T[], by: number): T[] {
  const first = by % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

function lineOf({ subject, size, operation, round, wallSeconds, cpuSeconds }: Run): string {
  return `${size} proxies, round ${round + 1}, ${subject}: ${operation} took ${wallSeconds.toFixed(2)} s, CPU ${cpuSeconds.toFixed(2)} s`;
}

/** One subject in one round, with the namespace that it works in. */
interface Entrant {
  subject: string;
  namespace: string;
  fleet: Fleet;
  names: readonly string[];
  proxies: Proxies;
}

async function enter(place: Place, subject: Subject, size: number, round: number): Promise<Entrant> {
  const namespace = `bench-${subject.name}-${size}-${round}`;
  await place.makeNamespace(namespace);
  const names = Array.from({ length: size }, (_, index) => `proxy-${String(index + 1).padStart(3, "0")}`);
  const proxies = await place.putTokens(namespace, names);
  return { subject: subject.name, namespace, fleet: await subject.makeFleet(namespace), names, proxies };
}

/** Does one operation and measures it; what it rotates is noted in the entrant. */
async function perform(
  place: Place,
  entrant: Entrant,
  operation: Operation,
  signal: AbortSignal,
): Promise<Omit<Run, "size" | "round">> {
  const { subject, namespace, fleet, names } = entrant;
  // The token that a preview is shown is the one that the next run brings.
  const renewed = { preview: names.slice(0, 1), "rotate all": names }[operation as string] ?? [];
  if (renewed.length > 0)
    entrant.proxies = { ...entrant.proxies, ...(await place.putTokens(namespace, renewed)) };
  fleet.declare(entrant.proxies);
  const changed =
    { create: names, "rotate one": names.slice(0, 1), "rotate all": names }[operation as string] ?? [];
  const asked = { auditLog: place.auditLog, user: USER };
  const measured = await measure(fleet.commands(operation, changed), asked, signal);
  await place.quiet(namespace);
  return { subject, operation, stateBytes: await fleet.stateBytes(), ...measured };
}
