// The API server, and its database, restarted in the middle of a run: it goes on, or says why, and the next one converges.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ControlPlane } from "../../dev/control-plane.ts";
import { BEHAVIOUR } from "../../dev/kwok/annotations.ts";
import { startOwnCluster } from "../cluster/support/cluster.ts";
import { part } from "../cluster/support/part.ts";
import { type Run, type StackFile, TestZone } from "../cluster/support/zone.ts";
import { FaultyRuns, FILE } from "./support/faulty-runs.ts";
import { inForm, report } from "./support/form.ts";

/** Moments of a run, by what it says then. */
const MOMENTS = {
  "the start": /^/,
  "the first line": /Updating/,
  "the read of the state": /Proxy read/,
  "the first write": /Deployment read updating/,
  "the wait for pods": /waiting for pods/,
};

interface Case {
  what: "kube-apiserver" | "etcd";
  when: keyof typeof MOMENTS;
  awayMs: number;
}

const WAITING = "the wait for pods";
const CASES = inForm<Case[]>({
  short: [
    { what: "kube-apiserver", when: WAITING, awayMs: 3_000 },
    { what: "etcd", when: WAITING, awayMs: 1_000 },
  ],
  long: [
    ...(Object.keys(MOMENTS) as Case["when"][]).flatMap((when): Case[] => [
      { what: "kube-apiserver", when, awayMs: 0 },
      { what: "kube-apiserver", when, awayMs: 8_000 },
      { what: "etcd", when, awayMs: 0 },
      { what: "etcd", when, awayMs: 8_000 },
    ]),
    { what: "kube-apiserver", when: WAITING, awayMs: 40_000 },
  ],
});

/** Seconds that new pods of the rotated proxy take: however busy the machine, a run is seen to wait for them. */
const SLOW = 3;
const SLOW_FILE: StackFile = {
  ...FILE,
  proxies: {
    ...FILE.proxies,
    read: { ...FILE.proxies.read, podAnnotations: { [BEHAVIOUR]: `slow:${SLOW}` } },
  },
};

const UP = ["up", "--yes", "--skip-preview"];

/** Runs `pulumi up`, and restarts a part once the output matches. */
async function interrupted(
  runs: FaultyRuns,
  controlPlane: ControlPlane,
  { what, when, awayMs }: Case,
): Promise<{ run: Run; begun: boolean }> {
  let restart: Promise<void> | undefined;
  const said = MOMENTS[when];
  let seen = "";
  const begin = (): void => {
    restart ??= controlPlane.restart(what, awayMs);
  };
  const onOutput = (text: string): void => {
    seen += text;
    if (said.test(seen)) begin();
  };
  const run = await runs.may(UP, undefined, {
    onOutput,
    onStart: () => {
      if (said.test("")) begin();
    },
  });
  await restart;
  return { run, begun: restart !== undefined };
}

test("an API server or a database that is restarted in the middle of a rotation", async (t) => {
  const { cluster, controlPlane } = await startOwnCluster();
  const zone = await TestZone.open(t, SLOW_FILE, { cluster });
  // After the zone, which still has to go.
  t.after(() => controlPlane.stop());
  const runs = await FaultyRuns.prepare(zone);
  await runs.converges();
  const rows: Record<string, string | number>[] = [];
  for (const one of CASES) {
    const { what, when, awayMs } = one;
    await part(t, `${what}, away for ${awayMs} ms, at ${when}`, async () => {
      await runs.rotate();
      const { run, begun } = await interrupted(runs, controlPlane, one);
      assert.ok(begun, run.output);
      // While it waits for pods everything has been sent: the run outlasts the restart.
      if (when === WAITING && awayMs < 30_000) assert.equal(run.code, 0, run.output);
      await runs.converges();
      rows.push({
        restarted: what,
        at: when,
        "away, ms": awayMs,
        end: run.code === 0 ? "well" : "error",
      });
    });
  }
  await runs.destroys();
  runs.assertNoSecret();
  runs.diagnose(t);
  report(t, "restarts", { title: "Restarts of the control plane in the middle of a run", rows });
});
