// Two people run `pulumi up` on one zone at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BEHAVIOUR } from "../../dev/kwok/annotations.ts";
import { type Run, TestZone } from "./support/zone.ts";

/** Starts `pulumi up`, and resolves as soon as it changes something: by then it holds the stack's lock. */
async function startUp(zone: TestZone): Promise<{ ended: Promise<Run> }> {
  const { promise: locked, resolve } = Promise.withResolvers<undefined>();
  const ended = zone.pulumi(["up", "--yes", "--skip-preview"], {
    onOutput: (text) => {
      if (/creating|updating/.test(text)) resolve(undefined);
    },
  });
  await Promise.race([locked, ended]);
  return { ended };
}

test("the second of two runs on one zone is told of the lock in one line, and the first ends as if alone", async (t) => {
  const ref = { configTokenSecretRef: { name: "p-config" } };
  const zone = await TestZone.open(t, {
    proxies: { p: { ...ref, podAnnotations: { [BEHAVIOUR]: "slow:20" } } },
  });
  await zone.putToken("p-config", "30d");
  const first = await startUp(zone);

  const second = await zone.up();
  assert.notEqual(second.code, 0);
  const errors = second.output.split("\n").filter((line) => line.startsWith("error:"));
  assert.equal(errors.length, 1, second.output);
  assert.match(errors[0] ?? "", /the stack is currently locked by 1 lock\(s\)/);

  const { code, output } = await first.ended;
  assert.equal(code, 0, output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
  const before = await zone.fingerprint();
  assert.deepEqual(Object.keys((await zone.up()).changes), ["unchanged"]);
  assert.deepEqual(await zone.fingerprint(), before);
});
