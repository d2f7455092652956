import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../main.js", import.meta.url));

test("main.js starts the program, and sets no flag that this Node's V8 does not know", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN], { encoding: "utf8" });
  // Outside of a run there is no configuration.
  assert.equal(status, 1);
  assert.match(stderr, /zone\.namespace/);
  // V8 says it, and goes on.
  assert.doesNotMatch(stdout + stderr, /unrecognized flag/);
});
