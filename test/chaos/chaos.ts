// The chaos tests in their long form: `make chaos`, with SEED=<number> the same choices again. With RECORD=1 its figures
// become those of docs/reliability.md.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChaosFigures } from "../../dev/docs/reliability.ts";
import { formatFor } from "../../dev/format.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The figures of docs/reliability.md: part -> what was recorded of it last. */
const RECORD = `${root}test/chaos/figures.json`;

const seed =
  process.env["SEED"] === undefined || process.env["SEED"] === "" ? randomInt(1, 1e6) : process.env["SEED"];
console.log(`the long form, with seed ${seed}; again with: make chaos SEED=${seed}`);
const layers = process.argv.length > 2 ? process.argv.slice(2) : ["chaos"];
const { status } = spawnSync(process.execPath, ["test/run.ts", ...layers], {
  cwd: root,
  stdio: "inherit",
  // RECORD means something else to the tests: to record rights, they grant every one.
  env: { ...process.env, RECORD: "", CHAOS: "long", CHAOS_SEED: String(seed) },
});
process.exitCode = status ?? 1;

// A part that failed has figures, too: not of what should be.
if (process.env["RECORD"] === "1" && status === 0) {
  const before = existsSync(RECORD)
    ? (JSON.parse(readFileSync(RECORD, "utf8")) as Record<string, ChaosFigures>)
    : {};
  const now = globSync(`${root}test-results/chaos/*.json`).map((file) => [
    basename(file, ".json"),
    JSON.parse(readFileSync(file, "utf8")) as ChaosFigures,
  ]);
  const all = Object.entries({
    ...before,
    ...(Object.fromEntries(now) as Record<string, ChaosFigures>),
  }).sort();
  writeFileSync(RECORD, await formatFor(RECORD, JSON.stringify(Object.fromEntries(all))));
  console.log("wrote test/chaos/figures.json; `npm run docs` brings it into docs/reliability.md");
}
