import assert from "node:assert/strict";
import { rmSync, truncateSync } from "node:fs";
import { test } from "node:test";
import { BEHAVIOUR } from "../../dev/kwok/annotations.ts";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const file = (proxy: object = {}): StackFile => ({
  proxies: { p: { configTokenSecretRef: { name: "p-config" }, ...proxy } },
});

/** Runs `pulumi up` and sends a signal to the CLI as soon as its output matches. */
async function interrupt(zone: TestZone, signal: NodeJS.Signals, when: RegExp): Promise<number> {
  let pid = 0;
  let seen = "";
  const run = await zone.pulumi(["up", "--yes", "--skip-preview"], {
    onStart: (started) => {
      pid = started;
    },
    onOutput: (text) => {
      const before = when.test(seen);
      seen += text;
      if (!before && when.test(seen)) process.kill(pid, signal);
    },
  });
  return run.code;
}

function checkpointOf(zone: TestZone): string {
  return `${zone.workspace.dir}/backend/.pulumi/stacks/pulumi-proxies/${zone.stack}.json`;
}

/**
 * What the README says after a kill. The file backend replaces its checkpoint in one step, but not the small file of
 * attributes beside it: a kill in the middle leaves that one empty.
 */
async function recover(zone: TestZone): Promise<void> {
  const state = await zone.pulumi(["stack", "export"]);
  if (state.code !== 0) {
    assert.match(state.output, /failed to load checkpoint: EOF/);
    rmSync(`${checkpointOf(zone)}.attrs`);
  }
  const cancelled = await zone.pulumi(["cancel", "--yes"]);
  assert.equal(cancelled.code, 0, cancelled.output);
}

test("a run killed while it creates is mended by cancel and one run, to exactly what is declared then", async (t) => {
  const zone = await TestZone.open(t, file({ env: [{ name: "DROPPED", value: "1" }] }));
  await zone.putToken("p-config", "30d");
  assert.notEqual(await interrupt(zone, "SIGKILL", /Deployment p creating/), 0);

  await recover(zone);
  zone.write(file());
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const env = at(await zone.get("deployment", "p"), "spec", "template", "spec", "containers", 0, "env");
  assert.deepEqual(
    (env as { name: string }[]).map(({ name }) => name),
    ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"],
  );
  assert.equal(
    (await zone.pulumi(["refresh", "--yes", "--skip-preview", "--clear-pending-creates"])).code,
    0,
  );
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("a checkpoint whose attributes were lost in a kill is read again without them", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  truncateSync(`${checkpointOf(zone)}.attrs`);
  assert.notEqual((await zone.up()).code, 0);
  await recover(zone);
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("Ctrl-C while a run waits for pods ends it soon, and the next run goes on", async (t) => {
  const zone = await TestZone.open(t, file({ podAnnotations: { [BEHAVIOUR]: "never-ready" } }));
  await zone.putToken("p-config", "30d");
  const begin = Date.now();
  assert.notEqual(await interrupt(zone, "SIGINT", /waiting for pods/), 0);
  assert.ok(Date.now() - begin < 60_000);
  zone.write(file());
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
});
