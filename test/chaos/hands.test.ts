// Others work in the zone while runs go on. What holds, and what is tested here: an edit that is there when a run reads the
// zone is mended by that run; one that comes later, by the next; and the run after that has nothing to do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAbsentInRun } from "../cluster/support/secrets.ts";
import { at, type KubeObject, type Run, type TestZone } from "../cluster/support/zone.ts";
import { inForm, report } from "./support/form.ts";
import { type FullZone, openFullZone } from "./support/full-zone.ts";
import * as hands from "./support/hands.ts";
import { LABEL, SIDECAR, withInjector } from "./support/injector.ts";
import { objectsOf, without } from "./support/objects.ts";

/** Rounds, and runs in each of them while others are at work. */
const ROUNDS = inForm({ short: 1, long: 6 });
const RUNS = inForm({ short: 2, long: 4 });

const ACTORS = {
  kubectl: hands.KUBECTL,
  autoscaler: hands.AUTOSCALER,
  Reloader: hands.RELOADER,
  restarter: hands.RESTARTER,
};

/** Whoever restarts pods faster than they come up keeps a run waiting for as long as it may. */
const ROLLOUT = { timeoutSeconds: 60 };

/** Keeps what runs say, for the canary. */
interface Told {
  streams: string[];
  succeeds: (run: Run) => Run;
}

function listen(): Told {
  const streams: string[] = [];
  const succeeds = (run: Run): Run => {
    streams.push(run.output);
    assert.equal(run.code, 0, run.output);
    return run;
  };
  return { streams, succeeds };
}

/** What others may change, by name of the Deployment: what they wrote into its template, and its replicas. */
async function theirs(zone: TestZone): Promise<Record<string, unknown>> {
  const deployments = await zone.list("deployments");
  return Object.fromEntries(
    deployments.map((deployment) => {
      const annotations = at(deployment, "spec", "template", "metadata", "annotations");
      return [
        deployment.metadata.name,
        {
          reloaded: at(annotations, hands.RELOADED),
          restarted: at(annotations, hands.RESTARTED),
          ...(deployment.metadata.name === "north" && { replicas: at(deployment, "spec", "replicas") }),
        },
      ];
    }),
  );
}

/** The objects without what others may change. */
async function ours(zone: TestZone): Promise<unknown> {
  const objects = await objectsOf(zone);
  for (const [name, object] of Object.entries(objects)) {
    const spec = at(object, "spec") as
      | {
          replicas?: number;
          template?: { metadata: { annotations: object } };
        }
      | undefined;
    if (spec?.template !== undefined) {
      const { metadata } = spec.template;
      metadata.annotations = without(metadata.annotations, hands.RELOADED, hands.RESTARTED);
    }
    if (name === "Deployment/north") delete spec?.replicas;
  }
  return objects;
}

function hasSidecar(object: KubeObject, ...pod: string[]): boolean {
  const containers = at(object, ...pod, "spec", "containers") as { name: string }[];
  return containers.some(({ name }) => name === SIDECAR.name);
}

async function settled(zone: TestZone): Promise<void> {
  for (const { metadata } of await zone.list("deployments"))
    await zone.kube("rollout", "status", `deployment/${metadata.name}`, "--timeout=120s");
}

/** Without what is another one in each run. */
function plainReason(zone: TestZone, reason: string): string {
  return reason
    .replaceAll(zone.namespace, "<namespace>")
    .replaceAll(/-[0-9a-f]{7,10}-/g, "-<hash>-")
    .replaceAll(/\(\d+\/\d+ updated, \d+ available\)/g, "(<n>/<n> updated, <n> available)")
    .replaceAll(/changed (once|\d+ times) meanwhile/g, "changed <n> times meanwhile");
}

/** Waits for the pods of a Deployment whose ServiceAccount was away for a while: its controller tries again by itself. */
async function calm(zone: TestZone): Promise<void> {
  const names = (await zone.list("serviceaccounts")).map(({ metadata }) => metadata.name);
  if (names.includes("north")) await zone.kube("rollout", "status", "deployment/north", "--timeout=300s");
}

async function hustle(t: Parameters<typeof openFullZone>[0], full: FullZone, told: Told): Promise<void> {
  const { zone } = full;
  const before = await ours(zone);
  const rows: Record<string, string | number>[] = [];
  const deeds = new Map<string, { did: number; missed: number }>();
  let failed = 0;
  const reasons = new Set<string>();
  let repaired = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const stops = Object.entries(ACTORS).map(
      ([actor, all]) => [actor, hands.startActor(zone, `${actor} ${round}`, all)] as const,
    );
    try {
      for (let run = 0; run < RUNS; run++) {
        const { code, output } = await zone.up();
        told.streams.push(output);
        if (code === 0) continue;
        failed += 1;
        for (const [, reason = ""] of output.matchAll(/ error: (.*)/g))
          reasons.add(plainReason(zone, reason));
      }
    } finally {
      for (const [actor, stop] of stops)
        for (const [deed, { did, missed }] of await stop()) {
          const count = deeds.get(`${actor}: ${deed}`) ?? { did: 0, missed: 0 };
          deeds.set(`${actor}: ${deed}`, { did: count.did + did, missed: count.missed + missed });
        }
    }
    await calm(zone);
    const allowed = await theirs(zone);
    const repair = told.succeeds(await zone.up());
    repaired += (repair.changes["update"] ?? 0) + (repair.changes["create"] ?? 0);
    told.succeeds(await zone.up("--expect-no-changes"));
    assert.deepEqual(await ours(zone), before, "what is ours is as declared");
    const now = await theirs(zone);
    for (const [name, written] of Object.entries(allowed))
      assert.deepEqual(now[name], written, `what others may write into ${name} stays`);
  }
  for (const [deed, { did, missed }] of deeds) rows.push({ deed, times: did, "too late": missed });
  report(t, "hands", {
    title: `Others at work during ${ROUNDS * RUNS} runs, of which ${failed} failed`,
    rows,
  });
  report(t, "hands-errors", {
    title: "What runs said that failed meanwhile",
    rows: [...reasons].filter((reason) => reason !== "update failed").map((error) => ({ error })),
  });
  t.diagnostic(`${repaired} objects were mended by the runs afterwards`);
}

test("edits, an autoscaler, Reloader and an injector at work: ours ends as declared, theirs stays, nothing is left to do", async (t) => {
  const full = await openFullZone(t, { allowManagers: [hands.RELOADER_MANAGER] }, ROLLOUT);
  const { zone } = full;
  const told = listen();
  await withInjector(zone, "pods", async (injector) => {
    told.succeeds(await zone.up());
    await hustle(t, full, told);
    await settled(zone);
    const pods = await zone.list("pods", "--field-selector=status.phase=Running");
    assert.ok(pods.length > 0 && injector.injected >= pods.length);
    for (const pod of pods) {
      assert.ok(hasSidecar(pod), pod.metadata.name);
      assert.equal(pod.metadata.labels?.[LABEL], "yes");
    }
  });
  assertAbsentInRun(zone, told.streams, full.secrets);
});

test("an injector that adds to Deployments: its container stays, and a run after the first has nothing to do", async (t) => {
  const full = await openFullZone(t);
  const { zone } = full;
  const told = listen();
  /** Of the Deployments those that have its container. */
  const injected = async (): Promise<string[]> =>
    (await zone.list("deployments"))
      .filter((deployment) => hasSidecar(deployment, "spec", "template"))
      .map(({ metadata }) => metadata.name);
  const all = ["east", "north", "west", "x509"];
  await withInjector(zone, "deployments", async () => {
    told.succeeds(await zone.up());
    assert.deepEqual(await injected(), all);
    told.succeeds(await zone.up("--expect-no-changes"));
    await full.rotate();
    await zone.kube("label", "deployment", "west", "team=other");
    told.succeeds(await zone.up());
    told.succeeds(await zone.up("--expect-no-changes"));
    assert.deepEqual(await injected(), all);
  });
  // What it added to our own requests has no field manager: docs/troubleshooting.md says how it goes.
  told.succeeds(await zone.up("--expect-no-changes"));
  assert.deepEqual(await injected(), all);
  const template = { spec: { containers: [{ name: SIDECAR.name, $patch: "delete" }] } };
  for (const name of all)
    await zone.kube("patch", "deployment", name, "-p", JSON.stringify({ spec: { template } }));
  told.succeeds(await zone.up("--expect-no-changes"));
  assert.deepEqual(await injected(), []);
  assertAbsentInRun(zone, told.streams, full.secrets);
});
