// How a run of the CLI ends before its end.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { pulumi, pulumiJson, type Run } from "../../ci/pulumi.ts";
import { allGone, type StandIn, standIn, until } from "./stand-in.ts";

const HANGS = "log begun; while :; do sleep 0.05; done";
/** Longer than any test takes. */
const LONG = 600_000;
const options = { timeout: 120_000 };

function on(t: TestContext, script: string): StandIn {
  const project = standIn(t, [], script);
  process.env["PATH"] = project.PATH;
  return project;
}

/** Runs the script, and aborts its limit when it has begun. */
async function interrupted({ log }: StandIn, patience?: readonly number[]): Promise<Run> {
  const limit = new AbortController();
  const run = pulumi("x", ["preview"], limit.signal, patience && [...patience]);
  await until(() => log().includes("x begun"), "the script has begun");
  limit.abort(new Error("time is up"));
  return run;
}

const why = "time is up";

test("a run at its limit gets one SIGINT, and ends by itself", options, async (t) => {
  const project = on(t, `trap 'log INT; echo cancelled >&2; exit 8' INT; ${HANGS}`);
  const run = await interrupted(project, [LONG]);
  assert.deepEqual(run, {
    code: 8,
    stdout: "",
    stderr: "cancelled\n",
    interrupted: { why, killed: false },
  });
  assert.deepEqual(project.log(), ["x begun", "x INT"]);
});

test("one that goes on after the first SIGINT gets a second", options, async (t) => {
  const project = on(t, `trap 'log INT; [[ $again ]] && exit 8; again=1' INT; ${HANGS}`);
  const run = await interrupted(project, [2000, LONG]);
  assert.deepEqual(run.interrupted, { why, killed: false });
  assert.deepEqual(project.log(), ["x begun", "x INT", "x INT"]);
});

test("one that heeds none is killed, and its plugins with it", options, async (t) => {
  const project = on(t, `trap '' INT; plugin; ${HANGS}`);
  const run = await interrupted(project, [20, 20]);
  assert.deepEqual([run.code, run.interrupted], [1, { why, killed: true }]);
  await allGone(project, 2);
});

test("plugins that outlive an interrupted one are killed", options, async (t) => {
  const project = on(t, `trap 'exit 8' INT; plugin; ${HANGS}`);
  const run = await interrupted(project);
  assert.deepEqual([run.code, run.interrupted?.killed], [8, false]);
  await allGone(project, 2);
});

test("one that dies of the SIGINT could not clean up", options, async (t) => {
  const run = await interrupted(on(t, `trap - INT; ${HANGS}`));
  assert.deepEqual(run.interrupted, { why, killed: true });
});

test("what it came to all the same counts", options, async (t) => {
  const project = on(t, `trap 'echo "{}"; exit 0' INT; ${HANGS}`);
  const limit = new AbortController();
  const answer = pulumiJson("x", ["config"], limit.signal);
  await until(() => project.log().includes("x begun"), "the script has begun");
  limit.abort(new Error("time is up"));
  assert.deepEqual(await answer, { value: {} });
});

test("none is started when it is too late", async (t) => {
  const project = on(t, "log begun");
  const late = AbortSignal.abort(new Error("time is up"));
  assert.deepEqual(await pulumiJson("x", ["config"], late), { error: "time is up" });
  assert.deepEqual(project.log(), []);
});

test("one that ends in time is not touched", async (t) => {
  on(t, `echo "[$*]"; exit 3`);
  const limit = new AbortController();
  const run = await pulumi("x", ["stack", "output"], limit.signal);
  limit.abort(new Error("time is up"));
  const stdout = "[stack output --stack x --non-interactive --color=never]\n";
  assert.deepEqual(run, { code: 3, stdout, stderr: "" });
});
