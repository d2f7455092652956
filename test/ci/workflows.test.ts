// The workflow samples: valid, pinned, careful with credentials, and made of commands that exist.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadAllYaml } from "@kubernetes/client-node";
import { MARKER } from "../../ci/preview/markdown.ts";
import { pinnedVersion } from "../../dev/builder/cache.ts";
import { PROVIDER_VERSION, TOOLS } from "../../dev/builder/catalog.ts";
import { ensureTools } from "../../dev/tools.ts";
import { DRIFT, gitlabScript, jobsOf, PREVIEW, UP, workflow } from "./workflows-support.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, "utf8");
const samples = globSync("ci/workflows/**/{*,.*}.{yml,yaml}", { cwd: root }).sort();
const github = samples.filter((file) => file.includes("/github/"));
/** Where a person finds commands to copy. */
const texts = [...samples, "ci/workflows/kubernetes/Dockerfile", "docs/ci.md"];

test("all samples are found, and are YAML", () => {
  assert.equal(github.length, 3);
  assert.equal(samples.length, 7);
  for (const file of samples) assert.ok(loadAllYaml(read(file)).length > 0, file);
});

test("actionlint finds nothing in the GitHub workflows", async () => {
  const { actionlint } = await ensureTools(["actionlint"], console.log);
  // Without the linters of others that it would look for on this machine.
  const args = ["-no-color", "-shellcheck=", "-pyflakes=", ...github];
  const { status, stdout, stderr } = spawnSync(actionlint, args, { cwd: root, encoding: "utf8" });
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
});

test("actions, images, runners and the CLI are pinned", () => {
  const cli = pinnedVersion(TOOLS.pulumi.module).slice(1);
  for (const file of texts) {
    const text = read(file);
    for (const [, action = ""] of text.matchAll(/\buses: (\S+)/g))
      assert.match(action, /^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/, file);
    for (const [, version] of text.matchAll(/\b(?:pulumi-version: |pulumi\/pulumi[\w-]*:)(\S+)/g))
      assert.equal(version, cli, `${file}: the CLI that the tests run`);
    for (const [, version] of text.matchAll(/plugin install resource kubernetes (\S+)/g))
      assert.equal(version, PROVIDER_VERSION, file);
    assert.doesNotMatch(text, /:latest\b|-latest\b/, file);
  }
});

test("GitHub: tokens that can do as little as possible, and no script is made of what others wrote", () => {
  for (const file of github) {
    const { on, permissions } = workflow(file);
    assert.ok(!("pull_request_target" in on), file);
    assert.deepEqual(permissions, {}, file);
    for (const [name, job] of Object.entries(jobsOf(file))) {
      const where = `${file}, ${name}`;
      assert.ok(job.permissions !== undefined && job["timeout-minutes"] !== undefined, where);
      const writes = Object.values(job.permissions).includes("write");
      for (const step of job.steps) {
        assert.doesNotMatch(step.run ?? "", /\$\{\{/, where);
        assert.doesNotMatch(JSON.stringify(step.with ?? {}), /secrets\./, where);
        // A job whose token writes runs nothing but its own lines.
        assert.ok(!writes || !/^(actions\/checkout|pulumi)/.test(step.uses ?? ""), where);
        assert.ok(!writes || !/\bnpm\b|\bpulumi\b/.test(step.run ?? ""), where);
      }
    }
  }
});

test("GitHub: what a pull request runs has no update identity, and none at all for a fork", () => {
  assert.doesNotMatch(read(PREVIEW), /UPDATE|environment:/);
  for (const [name, job] of Object.entries(jobsOf(PREVIEW))) {
    if (!/secrets\./.test(JSON.stringify(job))) continue;
    assert.equal(job.if, "github.event.pull_request.head.repo.full_name == github.repository", name);
  }
});

test("GitHub: one run per zone at a time, which nobody breaks off, behind the zone's environment", () => {
  const { up } = jobsOf(UP);
  assert.deepEqual(up?.concurrency, { group: "zone-${{ matrix.zone }}", "cancel-in-progress": false });
  assert.deepEqual([up.environment, up.strategy?.["fail-fast"]], ["${{ matrix.zone }}", false]);
});

test("the comment is found by the marker that the report carries", () => {
  for (const file of [PREVIEW, "ci/workflows/gitlab/.gitlab-ci.yml"])
    assert.equal(read(file).split(MARKER).length, 3, file);
});

test("GitHub and GitLab run the same commands", () => {
  const commands = (script: string): string[] =>
    script.split("\n").filter((line) => /^(npm run|pulumi) /.test(line));
  for (const [file, job] of [
    [PREVIEW, "preview"],
    [UP, "up"],
    [DRIFT, "drift"],
  ] as const) {
    const github = jobsOf(file)[job]?.steps.flatMap(({ run = "" }) => commands(run)) ?? [];
    assert.equal(github.length, 1, job);
    assert.deepEqual(commands(gitlabScript(job)), github);
  }
});

test("zones that samples name have a stack file", () => {
  const stacks = globSync("stacks/Pulumi.*.yaml", { cwd: root }).map((file) => file.slice(14, -5));
  for (const file of samples) {
    for (const [zone] of read(file).matchAll(/\b(prod|staging)-[a-z-]+/g))
      assert.ok(stacks.includes(zone), zone);
  }
});

test("every command of ours exists, with those options", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const help = new Map<string, string>();
  let count = 0;
  for (const file of texts) {
    for (const [line, name = "", args = ""] of read(file).matchAll(
      /npm run (?:--silent )?([\w-]+)(?: -- ([^\n&|;`]*))?/g,
    )) {
      const script = scripts[name];
      if (script !== undefined && !help.has(name) && args !== "") {
        const [, program = ""] = /^node (\S+)$/.exec(script) ?? [];
        const { stdout } = spawnSync(process.execPath, [program, "--help"], { cwd: root, encoding: "utf8" });
        help.set(name, stdout);
      }
      assert.ok(script !== undefined, `${file}: there is no script ${name}: ${line}`);
      const known = help.get(name) ?? "";
      for (const [option] of args.matchAll(/--[a-z-]+/g)) {
        assert.match(known, new RegExp(`${option}(?![\\w-])`), `${file}: ${line}`);
        count += 1;
      }
    }
  }
  assert.ok(count > 10);
});
