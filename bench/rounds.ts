// The rounds of the benchmark: every subject does the same in each, in an order that changes from round to round.
import { type Measure, measure } from "./measure/measure.ts";
import { type Place, USER } from "./place.ts";
import { type Operation, OPERATIONS, type Proxies, type Subject } from "./subjects/subject.ts";

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
  const { subjects } = plan;
  const runs: Run[] = [];
  for (const size of plan.sizes) {
    for (let round = 0; round < plan.rounds; round += 1) {
      // So that what a machine does in the course of time does not always fall on the same one.
      const order = subjects.map((_, index) => subjects[(index + round) % subjects.length] as Subject);
      for (const subject of order) {
        const fleet = { subject, size, round, namespace: `bench-${subject.name}-${size}-${round}` };
        for await (const run of runFleet(place, fleet, plan.repeat, signal)) {
          report(lineOf(run));
          runs.push(run);
        }
      }
    }
  }
  return runs;
}

function lineOf({ subject, size, operation, round, wallSeconds, cpuSeconds }: Run): string {
  return `${size} proxies, round ${round + 1}, ${subject}: ${operation} took ${wallSeconds.toFixed(2)} s, CPU ${cpuSeconds.toFixed(2)} s`;
}

async function* runFleet(
  place: Place,
  { subject, size, round, namespace }: { subject: Subject; size: number; round: number; namespace: string },
  repeat: number,
  signal: AbortSignal,
): AsyncGenerator<Run> {
  await place.makeNamespace(namespace);
  const fleet = await subject.makeFleet(namespace);
  const names = Array.from({ length: size }, (_, index) => `proxy-${String(index + 1).padStart(3, "0")}`);
  let proxies: Proxies = await place.putTokens(namespace, names);
  const again = Array.from({ length: repeat }, () => REPEATED).flat();
  const operations = OPERATIONS.flatMap((operation) =>
    operation === "unchanged" ? again : REPEATED.includes(operation) ? [] : [operation],
  );
  for (const operation of operations) {
    // The token that a preview is shown is the one that the next run brings.
    const rotated = { preview: names.slice(0, 1), "rotate all": names }[operation as string] ?? [];
    if (rotated.length > 0) proxies = { ...proxies, ...(await place.putTokens(namespace, rotated)) };
    fleet.declare(proxies);
    const changed =
      { create: names, "rotate one": names.slice(0, 1), "rotate all": names }[operation as string] ?? [];
    const asked = { auditLog: place.auditLog, user: USER };
    const measured = await measure(fleet.commands(operation, changed), asked, signal);
    await place.quiet(namespace);
    const stateBytes = await fleet.stateBytes();
    yield { subject: subject.name, size, operation, round, stateBytes, ...measured };
  }
  await fleet.remove();
  await place.removeNamespace(namespace);
}
