// What the scripts inside the workflow samples do: run as they stand there, against stand-ins of `gh`, `npm` and GitLab.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { MARKER } from "../../ci/preview/markdown.ts";
import { ensureTools } from "../../dev/tools.ts";
import { git } from "./git.ts";
import { DRIFT, GITLAB_SHELL, gitlabScript, PREVIEW, runScript, scriptOf, UP } from "./workflows-support.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "workflows-"));
  t.after(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

/** A program of that name, first on PATH. */
function fake(cwd: string, name: string, script: string): { PATH: string } {
  const file = join(cwd, "bin", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/usr/bin/env bash\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}` };
}

test("up: the zones whose files changed, or all of them", async (t) => {
  const cwd = folder(t);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  };
  const commit = async (): Promise<string> => {
    await git(cwd, "add", "--all");
    await git(cwd, "commit", "--quiet", "--message", "change");
    return git(cwd, "rev-parse", "HEAD");
  };
  await git(cwd, "init", "--quiet", "--initial-branch", "main");
  write(".gitignore", "output\n");
  write("index.ts", "1");
  for (const zone of ["prod-a", "prod-b", "prod-c"]) write(`stacks/Pulumi.${zone}.yaml`, zone);
  let before = await commit();
  const zones = async (BEFORE: string): Promise<unknown> => {
    const GITHUB_OUTPUT = join(cwd, "output");
    writeFileSync(GITHUB_OUTPUT, "");
    const { code, output } = await runScript(scriptOf(UP, "zones"), cwd, { BEFORE, GITHUB_OUTPUT });
    assert.equal(code, 0, output);
    return JSON.parse(readFileSync(GITHUB_OUTPUT, "utf8").replace("zones=", ""));
  };
  const all = ["prod-a", "prod-b", "prod-c"];
  assert.deepEqual(await zones(""), all, "started by hand");
  assert.deepEqual(await zones("0".repeat(40)), all, "a new branch");
  assert.deepEqual(await zones("1234567890".repeat(4)), all, "a forced push");

  write("stacks/Pulumi.prod-b.yaml", "changed");
  write("docs/page.md", "and its page");
  const rotated = await commit();
  assert.deepEqual(await zones(before), ["prod-b"]);

  write("stacks/Pulumi.prod-a.yaml", "changed");
  await commit();
  assert.deepEqual(await zones(before), ["prod-a", "prod-b"], "two commits in one push");
  assert.deepEqual(await zones(rotated), ["prod-a"]);

  before = await git(cwd, "rev-parse", "HEAD");
  write("README.md", "words");
  await commit();
  assert.deepEqual(await zones(before), []);

  rmSync(join(cwd, "stacks/Pulumi.prod-c.yaml"));
  write("stacks/Pulumi.prod-d.yaml", "new");
  await commit();
  assert.deepEqual(await zones(before), ["prod-d"], "one goes, one comes");

  write("index.ts", "2");
  await commit();
  assert.deepEqual(await zones(before), ["prod-a", "prod-b", "prod-d"], "code is everybody's");
});

test("preview: the report's exit code is told, and there is always a comment with the marker", async (t) => {
  const cwd = folder(t);
  const env = { RUNNER_TEMP: cwd, GITHUB_OUTPUT: `${cwd}/output`, GITHUB_STEP_SUMMARY: `${cwd}/summary` };
  const identity = { PREVIEW_KUBECONFIG: "the kubeconfig", PREVIEW_PASSPHRASE: "the passphrase" };
  const RUN_URL = "https://example.com/run";
  const run = async (npm: string): Promise<string> => {
    rmSync(`${cwd}/report.md`, { force: true });
    const path = fake(cwd, "npm", npm);
    const { code, output } = await runScript(scriptOf(PREVIEW, "preview"), cwd, {
      ...env,
      ...identity,
      ...path,
      RUN_URL,
    });
    assert.deepEqual([code, output], [0, ""]);
    return readFileSync(`${cwd}/report.md`, "utf8");
  };
  const report = await run(
    'cat "$KUBECONFIG" "$PULUMI_CONFIG_PASSPHRASE_FILE" > seen; stat -c %a "$KUBECONFIG" >> seen; echo "$PREVIEW_PASSPHRASE" >> seen; echo fine > report.md; exit 3',
  );
  assert.equal(report, "fine\n");
  assert.equal(readFileSync(`${cwd}/seen`, "utf8"), "the kubeconfigthe passphrase600\n\n");
  assert.equal(await run("exit 1"), `No preview: ${RUN_URL}\n\n${MARKER}\n`);
  assert.equal(readFileSync(`${cwd}/output`, "utf8"), "code=3\ncode=1\n");
  assert.match(readFileSync(`${cwd}/summary`, "utf8"), /^fine\nNo preview/);
});

test("preview: what is green and what is red", async (t) => {
  const cwd = folder(t);
  const verdict = async (FORK: string, CODE: string, APPROVED: string): Promise<[number, string]> => {
    const { code, output } = await runScript(scriptOf(PREVIEW, "verdict"), cwd, { FORK, CODE, APPROVED });
    return [code, output];
  };
  const green = [
    ["false", "0", "false"],
    ["false", "2", "false"],
    ["false", "3", "true"],
    ["false", "0", "true"],
  ] as const;
  for (const [fork, code, approved] of green)
    assert.deepEqual(await verdict(fork, code, approved), [0, ""], code);
  const red = [
    ["false", "3", "false", /add the label replace-approved/],
    ["false", "1", "true", /not every zone/],
    ["false", "", "false", /not every zone/],
    ["true", "", "true", /a fork's code/],
    ["true", "0", "true", /a fork's code/],
  ] as const;
  for (const [fork, code, approved, words] of red) {
    const [status, output] = await verdict(fork, code, approved);
    assert.equal(status, 1);
    assert.match(output, words);
  }
});

/** `gh` filters with gojq; so does its stand-in. */
const { gojq } = await ensureTools(["gojq"], console.log);

/** A `gh` that answers GET with what `answers` holds, filtered by jq, and notes what else is asked. */
function fakeGh(cwd: string, answers: unknown): { env: Record<string, string>; asked: () => string[] } {
  writeFileSync(`${cwd}/answers.json`, JSON.stringify(answers));
  const path = fake(
    cwd,
    "gh",
    `method=GET; for arg; do case "$last" in --method) method=$arg;; --jq) filter=$arg;; esac; last=$arg; done
if [[ $method == GET ]]; then "${gojq}" --raw-output "$filter" "${cwd}/answers.json"; else echo "$*" >> "${cwd}/asked"; fi`,
  );
  const env = { ...path, GH_TOKEN: "t", GITHUB_REPOSITORY: "o/r", NUMBER: "7", MARKER };
  return {
    env,
    asked: () => {
      const text = readFileSync(`${cwd}/asked`, { encoding: "utf8", flag: "a+" });
      rmSync(`${cwd}/asked`);
      return text.trimEnd().split("\n");
    },
  };
}

test("preview: one comment of our own, edited in place", async (t) => {
  const cwd = folder(t);
  const comment = (login: string, body: string, id: number): object => ({ id, body, user: { login } });
  const bot = "github-actions[bot]";
  const others = [comment("mallory", MARKER, 1), comment(bot, "other", 2)];
  const first = fakeGh(cwd, others);
  assert.equal((await runScript(scriptOf(PREVIEW, "comment"), cwd, first.env)).code, 0);
  assert.deepEqual(first.asked(), [
    "api --silent --method POST repos/o/r/issues/7/comments --field body=@report.md",
  ]);
  const second = fakeGh(cwd, [...others, comment(bot, `x\n\n${MARKER}\n`, 3), comment(bot, MARKER, 4)]);
  assert.equal((await runScript(scriptOf(PREVIEW, "comment"), cwd, second.env)).code, 0);
  assert.deepEqual(second.asked(), [
    "api --silent --method PATCH repos/o/r/issues/comments/3 --field body=@report.md",
  ]);
});

test("drift: one issue, opened, edited and closed", async (t) => {
  const cwd = folder(t);
  const issue = { number: 9, user: { login: "github-actions[bot]" } };
  const others = [
    { number: 8, user: { login: "mallory" } },
    { ...issue, number: 6, pull_request: {} },
  ];
  const run = async (CODE: string, answers: unknown): Promise<[number, string[]]> => {
    const { env, asked } = fakeGh(cwd, answers);
    const { code } = await runScript(scriptOf(DRIFT, "issue"), cwd, { ...env, CODE });
    return [code, asked()];
  };
  const patch = "api --silent --method PATCH repos/o/r/issues/9 --field body=@drift.md --raw-field state=";
  const post =
    "api --silent --method POST repos/o/r/issues --raw-field title=Drift in the network zones --raw-field labels[]=drift --field body=@drift.md";
  assert.deepEqual(await run("0", others), [0, [""]]);
  assert.deepEqual(await run("2", others), [0, [post]]);
  assert.deepEqual(await run("2", [...others, issue]), [0, [`${patch}open`]]);
  assert.deepEqual(await run("1", [issue]), [1, [`${patch}open`]]);
  assert.deepEqual(await run("0", [issue]), [0, [`${patch}closed`]]);
});

/** A GitLab that knows what is told; what else is asked is returned. */
async function withGitLab(
  t: TestContext,
  job: string,
  answers: Record<string, { body: unknown; next?: string }>,
  more: Record<string, string> = {},
): Promise<{ code: number; asked: string[] }> {
  const cwd = folder(t);
  writeFileSync(`${cwd}/report.md`, "the report");
  writeFileSync(`${cwd}/drift.md`, "the drift");
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const { method = "", url = "" } = request;
      if (method !== "GET") asked.push(`${method} ${url} ${text}`);
      const answer = method === "GET" ? answers[url] : { body: {} };
      const isAllowed = request.headers["private-token"] === "token";
      response.writeHead(answer === undefined || !isAllowed ? 404 : 200, {
        "x-next-page": answer?.next ?? "",
      });
      response.end(JSON.stringify(answer?.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const env = {
      PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      CI_API_V4_URL: `http://127.0.0.1:${port}`,
      CI_PROJECT_ID: "5",
      CI_MERGE_REQUEST_IID: "7",
      GITLAB_NOTES_TOKEN: "token",
      ...more,
    };
    const { code } = await runScript(gitlabScript(job), cwd, env, { shell: GITLAB_SHELL });
    return { code, asked };
  } finally {
    server.close();
  }
}

test("GitLab: one note of our own, edited in place, on whatever page it stands", async (t) => {
  const notes = "/projects/5/merge_requests/7/notes";
  const user = { "/user": { body: { id: 1 } } };
  const others = [
    { id: 1, author: { id: 2 }, body: MARKER },
    { id: 2, author: { id: 1 }, body: "other" },
  ];
  const post = `POST ${notes} {"body":"the report"}`;
  const first = { ...user, [`${notes}?per_page=100&page=1`]: { body: others } };
  assert.deepEqual(await withGitLab(t, "note", first), { code: 0, asked: [post] });
  const second = {
    ...user,
    [`${notes}?per_page=100&page=1`]: { body: others, next: "2" },
    [`${notes}?per_page=100&page=2`]: { body: [{ id: 3, author: { id: 1 }, body: `x ${MARKER}` }] },
  };
  const put = `PUT ${notes}/3 {"body":"the report"}`;
  assert.deepEqual(await withGitLab(t, "note", second), { code: 0, asked: [put] });
  assert.deepEqual(await withGitLab(t, "note", {}), { code: 1, asked: [] });
});

test("GitLab: one issue, opened, edited and closed", async (t) => {
  const list = "/projects/5/issues?labels=drift&state=opened&author_id=1";
  const answers = (issues: unknown): Record<string, { body: unknown }> => ({
    "/user": { body: { id: 1 } },
    [list]: { body: issues },
  });
  const run = (DRIFT_CODE: string, issues: unknown): ReturnType<typeof withGitLab> =>
    withGitLab(t, "issue", answers(issues), { DRIFT_CODE });
  const post =
    'POST /projects/5/issues {"title":"Drift in the network zones","labels":"drift","description":"the drift"}';
  const put = 'PUT /projects/5/issues/9 {"description":"the drift"';
  assert.deepEqual(await run("0", []), { code: 0, asked: [] });
  assert.deepEqual(await run("2", []), { code: 0, asked: [post] });
  assert.deepEqual(await run("1", [{ iid: 9 }]), { code: 1, asked: [`${put}}`] });
  assert.deepEqual(await run("0", [{ iid: 9 }]), { code: 0, asked: [`${put},"state_event":"close"}`] });
});

test("GitLab: what is green and what is red", async (t) => {
  const cwd = folder(t);
  const verdict = async (PREVIEW_CODE: string, CI_MERGE_REQUEST_LABELS: string): Promise<number> => {
    const env = { PREVIEW_CODE, CI_MERGE_REQUEST_LABELS };
    return (await runScript(gitlabScript("verdict"), cwd, env, { shell: GITLAB_SHELL })).code;
  };
  for (const [code, labels] of [
    ["0", ""],
    ["2", "bug"],
    ["3", "bug,replace-approved"],
  ] as const)
    assert.equal(await verdict(code, labels), 0, code);
  for (const [code, labels] of [
    ["", "replace-approved"],
    ["1", "replace-approved"],
    ["3", "not-replace-approved"],
  ] as const)
    assert.equal(await verdict(code, labels), 1, code);
});
