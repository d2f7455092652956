// Runs of which one process is killed outright, at moments by chance. What the README says to do then must do.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { assertAbsentInRun } from "../cluster/support/secrets.ts";
import { at, type Run } from "../cluster/support/zone.ts";
import { draw, inForm, report } from "./support/form.ts";
import { type FullZone, openFullZone } from "./support/full-zone.ts";
import { type Killed, type Plan, runAndKill } from "./support/killing.ts";
import { objectsOf } from "./support/objects.ts";
import { processesOf, type Role } from "./support/processes.ts";
import { Writes } from "./support/writes.ts";

/** The kinds of runs, in the order of a round. */
const KINDS = ["create", "rotation", "destroy"] as const;
type Kind = (typeof KINDS)[number];

/** An undisturbed run of each kind. */
interface Undisturbed {
  writes: number;
  seconds: number;
  /** What there is after it. */
  objects: Record<string, unknown>;
}

/** One kill and what came of it. */
interface Outcome extends Killed {
  kind: Kind;
  plan: Plan;
  phase: "not hit" | "before the first write" | "between the writes" | "after the last write";
  /** Whether the checkpoint's attributes had to be deleted. */
  attributesLost: boolean;
  /** Whether the platform was being asked, so that nobody knows what it has in its inventory: docs/registration.md. */
  inDoubt: boolean;
}

const RECORD = "ConfigMap/x509-registration";

const ROUNDS = inForm({ short: 2, long: 16 });
/** Of each kind of run so many kills must hit between its first and its last write. */
const BETWEEN = inForm({ short: 1, long: 5 });

/** Rounds that are added where too few kills hit between the writes: the moment is by chance. */
const MORE_ROUNDS = 6;

/** Milliseconds in which what depends on a CLI that has ended ends as well. */
const SOON_MS = 60_000;
/** Plugins do not notice that their CLI was killed: docs/recovery.md. The shell is that of the dynamic provider. */
const STAY = ["CLI killed: Kubernetes provider", "CLI killed: dynamic provider", "CLI killed: shell"];

/** Four of five moments lie among the writes of a run, the others anywhere in it. */
const moments = fc.record({
  victim: fc.nat(),
  among: fc.constantFrom(true, true, true, true, false),
  part: fc.double({ min: 0, max: 0.999, noNaN: true }),
  delayMs: fc.integer({ min: 0, max: 40 }),
});
type Moment = typeof moments extends fc.Arbitrary<infer T> ? T : never;

/** Whom to kill. A destroy runs no program. */
const VICTIMS: readonly Role[] = ["CLI", "Kubernetes provider", "CLI", "dynamic provider", "program"];

function planOf(kind: Kind, moment: Moment, run: Undisturbed): Plan {
  const { among, part, delayMs } = moment;
  if (!among) return { victim: "CLI", begin: "start", delayMs: Math.round(part * run.seconds * 1000) };
  const victims = VICTIMS.filter((role) => kind !== "destroy" || role !== "program");
  const victim = victims[moment.victim % victims.length] ?? "CLI";
  return { victim, begin: 1 + Math.floor(part * (run.writes - 1)), delayMs };
}

const argsOf = (kind: Kind): string[] => [kind === "destroy" ? "destroy" : "up", "--yes", "--skip-preview"];

test("a run that is killed at any moment is mended by what the README says, to the same objects", async (t) => {
  const full = await openFullZone(t);
  const { zone } = full;
  const others = await full.others();
  const streams: string[] = [];
  const succeeds = (run: Run): Run => {
    streams.push(run.output);
    assert.equal(run.code, 0, run.output);
    return run;
  };

  const undisturbed = {} as Record<Kind, Undisturbed>;
  for (const kind of KINDS) {
    if (kind === "rotation") await full.rotate();
    const writes = new Writes(zone);
    const began = Date.now();
    succeeds(await zone.pulumi(argsOf(kind)));
    const seconds = (Date.now() - began) / 1000;
    undisturbed[kind] = { writes: writes.read().length, seconds, objects: await objectsOf(zone) };
  }
  await full.rotate();
  assert.deepEqual(Object.keys(undisturbed.destroy.objects).sort(), Object.keys(others).sort());
  t.diagnostic(KINDS.map((kind) => `${kind}: ${undisturbed[kind].writes} writes`).join(", "));

  const outcomes: Outcome[] = [];
  const marks: Killed["mark"][] = [];
  t.after(() => {
    for (const { pid } of marks.flatMap(processesOf)) process.kill(pid, "SIGKILL");
  });
  const kill = async (kind: Kind, moment: Moment): Promise<void> => {
    const plan = planOf(kind, moment, undisturbed[kind]);
    t.diagnostic(`${kind}: ${JSON.stringify(plan)}`);
    const killed = await runAndKill(zone, argsOf(kind), plan);
    marks.push(killed.mark);
    streams.push(killed.output);
    const attributesLost = await recover(full, streams);
    succeeds(await zone.pulumi(argsOf(kind)));
    if (kind === "destroy") assert.deepEqual(await resourcesOf(full), []);
    else succeeds(await zone.up("--expect-no-changes"));
    const { objects, writes } = undisturbed[kind];
    const now = await objectsOf(zone);
    const inDoubt = at(now, RECORD, "data") === "unknown";
    assert.deepEqual(now, inDoubt ? { ...objects, [RECORD]: now[RECORD] } : objects);
    outcomes.push({ ...killed, kind, plan, phase: phaseOf(killed, writes), attributesLost, inDoubt });
  };

  const between = (kind: Kind): number =>
    outcomes.filter((one) => one.kind === kind && one.phase === "between the writes").length;
  const drawn = draw("kills", moments, (ROUNDS + MORE_ROUNDS) * KINDS.length);
  for (let round = 0; round < ROUNDS + MORE_ROUNDS; round++) {
    if (round >= ROUNDS && KINDS.every((kind) => between(kind) >= BETWEEN)) break;
    for (const kind of KINDS) {
      if (kind === "rotation") await full.rotate();
      await kill(kind, drawn[round * KINDS.length + KINDS.indexOf(kind)] as Moment);
    }
    await full.rotate();
    const asked = full.platform.received.length;
    assert.ok(
      asked <= round + 2,
      `each round asks the platform at most once, but it was asked ${asked} times`,
    );
  }
  const left = await leftovers(outcomes);

  assert.deepEqual(await full.others(), others, "what others own is as it was");
  assertAbsentInRun(zone, streams, full.secrets);
  for (const kind of KINDS)
    assert.ok(between(kind) >= BETWEEN, `${kind}: ${between(kind)} kills between the writes`);
  assert.deepEqual(
    left.filter((what) => !STAY.includes(what)),
    [],
    "processes are left",
  );
  report(t, "killed", { title: "Runs that were killed", rows: tableOf(outcomes) });
  t.diagnostic(`plugins that outlived a killed CLI: ${left.length}`);
  report(t, "killed-operations", { title: "What each kill hit", rows: outcomes.map(rowOf) });
});

/** Waits for the end of what is left running of the runs; returns what does not end. */
async function leftovers(outcomes: readonly Outcome[]): Promise<string[]> {
  const alive = (): string[] =>
    outcomes.flatMap(({ plan, mark }) =>
      processesOf(mark).map(({ role = "shell" }) => `${plan.victim} killed: ${role}`),
    );
  const ends = (what: string): boolean => !STAY.includes(what);
  const began = Date.now();
  while (alive().some(ends) && Date.now() - began < SOON_MS) await sleep(1000);
  return alive();
}

/** What the README says after a kill. */
async function recover({ zone }: FullZone, streams: string[]): Promise<boolean> {
  const cancel = await zone.pulumi(["cancel", "--yes"]);
  streams.push(cancel.output);
  if (cancel.code === 0) return false;
  assert.match(cancel.output, /failed to load checkpoint: EOF/);
  rmSync(`${zone.workspace.dir}/backend/.pulumi/stacks/pulumi-proxies/${zone.stack}.json.attrs`);
  const again = await zone.pulumi(["cancel", "--yes"]);
  streams.push(again.output);
  assert.equal(again.code, 0, again.output);
  return true;
}

async function resourcesOf({ zone }: FullZone): Promise<unknown[]> {
  const { deployment } = JSON.parse(await zone.state()) as { deployment: { resources?: unknown[] } };
  return deployment.resources ?? [];
}

function phaseOf({ hit, before }: Killed, writes: number): Outcome["phase"] {
  if (!hit) return "not hit";
  if (before === 0) return "before the first write";
  return before < writes ? "between the writes" : "after the last write";
}

function rowOf({
  kind,
  plan,
  phase,
  before,
  after,
  underWay,
  survivors,
}: Outcome): Record<string, string | number> {
  return {
    run: kind,
    killed: plan.victim,
    phase,
    "writes before": before,
    "writes after": after,
    "under way": underWay.join(", "),
    survivors: survivors.join(", "),
  };
}

function tableOf(outcomes: readonly Outcome[]): Record<string, string | number>[] {
  const groups = Map.groupBy(outcomes, ({ kind, plan }) => `${KINDS.indexOf(kind)} ${plan.victim}`);
  return [...groups].sort().map(([, own]) => {
    const count = (phase: Outcome["phase"]): number => own.filter((one) => one.phase === phase).length;
    return {
      run: own[0]?.kind ?? "",
      killed: own[0]?.plan.victim ?? "",
      runs: own.length,
      "not hit": count("not hit"),
      "before the first write": count("before the first write"),
      "between first and last": count("between the writes"),
      "after the last write": count("after the last write"),
      "attributes lost": own.filter(({ attributesLost }) => attributesLost).length,
      "registration in doubt": own.filter(({ inDoubt }) => inDoubt).length,
    };
  });
}
