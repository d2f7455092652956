// What the commands do about a zone that never answers, and when they are told to stop.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { constants } from "node:os";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { fixZone } from "../../ci/drift/check.ts";
import { FINDINGS, zone } from "./drift-support.ts";
import { allGone, type StandIn, standIn, until } from "./stand-in.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const COMMANDS = ["preview-report", "drift", "status"] as const;
const HANGS = "while :; do sleep 0.05; done";
const options = { timeout: 120_000 };

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a command as a terminal would, in a process group of its own. */
function start(
  t: TestContext,
  name: string,
  { folder, PATH }: StandIn,
  ...args: string[]
): [ChildProcess, Promise<Ran>] {
  const child = spawn(process.execPath, [`${root}ci/${name}.ts`, ...args], {
    cwd: folder,
    env: { ...process.env, PATH },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return [child, once(child, "close").then(([code]) => ({ code: code as number | null, ...output }))];
}

for (const name of COMMANDS) {
  test(`${name}: a zone that never answers has its own line, and the others are told`, options, async (t) => {
    const saved = `${root}test/fixtures/previews/same.json`;
    const answers = `[[ $command == preview ]] && cat ${saved} || echo "{}"; exit`;
    const project = standIn(t, ["a", "b"], `[[ $stack == a ]] || { ${answers}; }; plugin; ${HANGS}`);
    const [, ended] = start(t, name, project, "--all", "--timeout", "0.05", "--concurrency", "1");
    const { code, stdout } = await ended;
    assert.equal(code, 1);
    const why = "no answer in 0.05 minutes: look whether its API server and the state's backend answer";
    const lines = stdout.split("\n");
    assert.ok(
      lines.some((line) => /\ba\b/.test(line) && line.includes(why)),
      stdout,
    );
    const other = {
      "preview-report": /b: no change/,
      drift: /b: could not be checked/,
      status: /^b .*NotAppl/m,
    };
    assert.match(stdout, other[name]);
    await allGone(project, { "preview-report": 3, drift: 9, status: 3 }[name]);
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`${name}: ${signal} ends what runs, once, and begins nothing more`, options, async (t) => {
      const cleanUp = `trap 'log INT; sleep 0.5; log ended; exit 8' INT`;
      const only = name === "status" ? "stack" : "preview";
      const script = `[[ $command == ${only} ]] || { echo "{}"; exit; }; ${cleanUp}; log begun; ${HANGS}`;
      const project = standIn(t, ["a", "b"], script);
      const [child, ended] = start(t, name, project, "--all", "--concurrency", "1");
      await until(() => project.log().includes("a begun"), "the first zone has begun");
      // As Ctrl-C does: the terminal tells the whole group, and npm its child once more.
      process.kill(-(child.pid ?? assert.fail()), signal);
      await until(() => project.log().includes("a INT"), "the signal was passed on");
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 128 + constants.signals[signal]);
      assert.deepEqual(project.log(), ["a begun", "a INT", "a ended"]);
      assert.equal(stdout, "");
      assert.match(stderr, new RegExp(`error: stopped by ${signal}, so there is no report: run it again\n$`));
    });
  }
}

test("preview-report: no file is written when it is stopped", options, async (t) => {
  const project = standIn(t, ["a"], `log begun; ${HANGS}`);
  const [child, ended] = start(t, "preview-report", project, "--all", "--markdown", "report.md");
  await until(() => project.log().includes("a begun"), "the zone has begun");
  child.kill("SIGTERM");
  assert.equal((await ended).code, 143);
  assert.ok(!existsSync(`${project.folder}/report.md`));
});

test("a fix that is told to stop ends its update, and looks no further", options, async (t) => {
  const project = standIn(t, ["a"], `trap 'log INT; echo done; exit 8' INT; log $command; ${HANGS}`);
  process.env["PATH"] = project.PATH;
  const stop = new AbortController();
  const before = zone({ stack: "a", findings: [FINDINGS["drift"] ?? assert.fail()] });
  const said: string[] = [];
  const limits = { timeout: 10, fixTimeout: 30, stop: stop.signal };
  const fixed = fixZone(before, (text) => said.push(text), limits);
  await until(() => project.log().includes("a up"), "the update has begun");
  stop.abort(new Error("stopped by SIGTERM"));
  const { findings, failure, mended } = await fixed;
  assert.deepEqual(project.log(), ["a up", "a INT"]);
  assert.deepEqual(said, ["done\n"]);
  assert.deepEqual(
    [findings[0]?.kind, findings[0]?.what],
    ["fix failed", "`pulumi up` was interrupted: stopped by SIGTERM"],
  );
  assert.deepEqual([failure, mended], ["stopped by SIGTERM", []]);
  // Nor is one begun then.
  assert.equal(await fixZone(before, (text) => said.push(text), limits), before);
  assert.equal(project.log().length, 2);
});
