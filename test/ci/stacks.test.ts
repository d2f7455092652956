import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { chosenStacks, eachStack } from "../../ci/stacks.ts";

test("the stacks that were asked for, each once; what is asked for wrongly is one line", (t) => {
  const folder = mkdtempSync(`${tmpdir()}/stacks-`);
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  assert.throws(() => chosenStacks([], true, folder), /^Error: there is no stack file/);
  for (const name of ["Pulumi.b.yaml", "Pulumi.a.yaml", "config.ts"]) writeFileSync(`${folder}/${name}`, "");
  assert.deepEqual(chosenStacks([], true, folder), ["a", "b"]);
  assert.deepEqual(chosenStacks(["b", "b"], false, folder), ["b"]);
  assert.throws(() => chosenStacks([], false, folder), {
    message: "give --all, or --stack with one of: a, b",
  });
  assert.throws(() => chosenStacks(["a"], true, folder), { message: "give --stack or --all, not both" });
  assert.throws(
    () => chosenStacks(["aa"], false, folder),
    /there is no .*Pulumi\.aa\.yaml; did you mean "a"\?$/,
  );
});

test("no more than so many at a time, and the results in the order of the stacks", async () => {
  let running = 0;
  let most = 0;
  const pace = { concurrency: 2, stop: new AbortController().signal };
  const results = await eachStack(["a", "b", "c", "d", "e"], pace, async (stack) => {
    most = Math.max(most, ++running);
    await sleep(stack === "a" ? 20 : 1);
    running--;
    return stack.toUpperCase();
  });
  assert.deepEqual([results, most], [["A", "B", "C", "D", "E"], 2]);
});

test("told to stop, it begins no more, and ends when those that had begun have", async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  const work = eachStack(["a", "b", "c"], { concurrency: 2, stop: stop.signal }, async (stack) => {
    if (stack === "a") stop.abort(new Error("enough"));
    await sleep(20);
    ended.push(stack);
  });
  await assert.rejects(work, { message: "enough" });
  assert.deepEqual(ended, ["a"]);
});
