import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readOptions } from "../../ci/preview/options.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const saved = (name: string): string => `${root}test/fixtures/previews/${name}`;

function run(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}ci/preview-report.ts`, ...args], {
    encoding: "utf8",
    cwd: root,
  });
  return { code: status, stdout, stderr };
}

test("saved previews: exit codes, the comment on standard output, both files", () => {
  const folder = mkdtempSync(`${tmpdir()}/preview-report-`);
  try {
    const same = run("--from", saved("same.json"));
    assert.deepEqual(
      [same.code, same.stderr, same.stdout.split("\n")[0]],
      [0, "", "prod-dc-east: no change"],
    );
    const [json, comment] = [`${folder}/report.json`, `${folder}/report.md`];
    const changed = run("--from", saved("rotate-both.events"), "--json", json, "--markdown", comment);
    assert.deepEqual([changed.code, changed.stdout, changed.stderr], [2, "", ""]);
    assert.match(readFileSync(comment, "utf8"), /^prod-dc-east: 2 rollouts/);
    assert.equal((JSON.parse(readFileSync(json, "utf8")) as { exitCode: number }).exitCode, 2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file that is no preview is a zone that failed, and the others are reported", () => {
  const { code, stdout } = run("--from", `${root}package.json`, saved("replace.json"), saved("nothing.json"));
  assert.equal(code, 1);
  assert.match(stdout, /^package: preview failed: .*neither the document nor the events/);
  assert.match(stdout, /nothing: preview failed: .*ENOENT/);
  assert.match(stdout, /prod-dc-east: REPLACES Service dc-east/);
});

test("--fail-on replace", () => {
  assert.equal(run("--from", saved("replace.json")).code, 3);
  assert.equal(run("--from", saved("replace.json"), "--fail-on", "replace").code, 1);
});

test("a wrong command line is one clear line", () => {
  const table: [string[], string][] = [
    [["--stak", "x"], "there is no option --stak; did you mean --stack? --help names them all"],
    [["--from", "a", "--all"], "give --from, or --stack or --all, not both"],
    [["prod-x"], '"prod-x" belongs to no option: give --stack or --from before it'],
    [["--all", "--concurrency", "0"], "--concurrency takes a number from 1 to 999"],
    [["--all", "--timeout", "0.0"], "--timeout takes minutes, such as 10 or 0.5, above 0 and below 10000"],
    [["--all", "--fail-on", "delete"], '--fail-on takes "replace" only'],
    [["--stack"], "Option '--stack <value>' argument missing"],
  ];
  for (const [args, message] of table) assert.throws(() => readOptions(args), { message });
  const { code, stdout, stderr } = run("--stack", "prod-dc-eest");
  assert.deepEqual(
    [code, stdout, stderr],
    [1, "", 'error: there is no stacks/Pulumi.prod-dc-eest.yaml; did you mean "prod-dc-east"?\n'],
  );
});

test("several values after one option", () => {
  const options = readOptions(["--stack", "a", "b", "--concurrency", "2", "c", "--timeout", "0.5"]);
  assert.ok(options !== "help");
  assert.deepEqual([options.stacks, options.concurrency, options.timeout], [["a", "b", "c"], 2, 0.5]);
  const help = run("--help");
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  assert.match(help.stdout, /Exit codes: 0 no change, 2 changes/);
});
