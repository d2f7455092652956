// Conditions know since when they hold: from the state of the run before, and without a write of their own.
import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { ProxyOutput } from "./support/outputs.ts";
import { type StackFile, TestZone } from "./support/zone.ts";

const file: StackFile = {
  proxies: {
    a: { configTokenSecretRef: { name: "a-config" } },
    own: {},
  },
};

function timesOf(output: ProxyOutput | undefined): Record<string, string> {
  return Object.fromEntries(
    (output?.conditions ?? []).map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
  );
}

/** A zone with two proxies, one of which makes its Secret itself, so that the state holds secrets. */
async function running(t: Parameters<typeof TestZone.open>[0]): Promise<TestZone> {
  const zone = await TestZone.open(t, file);
  await zone.putToken("a-config", "30d");
  await zone.pulumi(["config", "set", "--secret", "--path", "configTokens.own"], { input: "no JWT" });
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.doesNotMatch(run.output, /warning:/);
  return zone;
}

test("runs that find nothing new leave the times of conditions and everything else alone", async (t) => {
  const zone = await running(t);
  const [outputs, objects] = [await zone.outputs(), await zone.fingerprint()];
  assert.match(outputs["a"]?.summary ?? "", /^Running, 1\/1 ready, version 1\.0\.0, token valid until /);
  const deployment = `urn:pulumi:${zone.stack}::pulumi-proxies::proxies:index:Proxy$kubernetes:apps/v1:Deployment::a`;
  for (const args of [
    ["up", "--expect-no-changes"],
    ["up", "--target", deployment],
    ["refresh", "--run-program"],
    ["up", "--expect-no-changes"],
  ]) {
    const run = await zone.pulumi([...args, "--yes", "--skip-preview"]);
    assert.equal(run.code, 0, run.output);
    assert.doesNotMatch(run.output, /warning:/);
    assert.deepEqual(await zone.outputs(), outputs, args.join(" "));
    assert.deepEqual(await zone.fingerprint(), objects, args.join(" "));
  }
  const preview = await zone.preview("--diff", "--expect-no-changes");
  assert.equal(preview.code, 0, preview.output);
  assert.doesNotMatch(preview.output, /lastTransitionTime/);
  const destroyed = await zone.destroy("--run-program");
  assert.equal(destroyed.code, 0, destroyed.output);
});

test("a change of status renews the time of that condition, and of no other", async (t) => {
  const zone = await running(t);
  const before = timesOf((await zone.outputs())["a"]);
  await zone.putToken("a-config", "10d");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal(
    run.output.match(/^ {4}warning: ConfigTokenExpiring: the config token expires at /gm)?.length,
    1,
  );
  const { a: output } = await zone.outputs();
  const { TokenExpiring: renewed, ...others } = timesOf(output);
  const { TokenExpiring: old, ...kept } = before;
  assert.deepEqual(others, kept);
  assert.ok(old !== undefined && renewed !== undefined && renewed > old, `${renewed} is after ${old}`);
  assert.match(output?.summary ?? "", /^Running, 1\/1 ready, version 1\.0\.0, token expires at /);
});

test("a stack that lost its state begins anew", async (t) => {
  const zone = await running(t);
  const removed = await zone.pulumi(["stack", "rm", "--force", "--yes", "--preserve-config"]);
  assert.equal(removed.code, 0, removed.output);
  const anew = await zone.pulumi(["stack", "init"]);
  assert.equal(anew.code, 0, anew.output);
  for (const args of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const run = await zone.pulumi(args);
    assert.equal(run.code, 0, run.output);
    assert.doesNotMatch(run.output, /warning:/);
  }
  assert.equal((await zone.outputs())["a"]?.phase, "Running");
});

test("a stack without any state, of which the engine dies when it is asked, is not asked about", async (t) => {
  const zone = await TestZone.open(t, file);
  // This CLI's `stack init` writes an empty state, but a checkpoint without any is valid, too.
  const [path = ""] = globSync(`${zone.workspace.dir}/backend/.pulumi/stacks/*/${zone.stack}.json`);
  const { version, checkpoint } = JSON.parse(readFileSync(path, "utf8")) as {
    version: number;
    checkpoint: { stack: string };
  };
  writeFileSync(path, JSON.stringify({ version, checkpoint: { stack: checkpoint.stack } }));
  await zone.pulumi(["config", "set", "--secret", "--path", "configTokens.own"], { input: "no JWT" });
  const preview = await zone.preview();
  assert.equal(preview.code, 0, preview.output);
});
