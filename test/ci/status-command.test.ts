// The program as people call it, on saved documents.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { proxy } from "./status-fleet.ts";

const folder = mkdtempSync(join(tmpdir(), "status-"));
after(() => {
  rmSync(folder, { recursive: true });
});

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function status(...args: string[]): Promise<Ran> {
  const env = { ...process.env, FORCE_COLOR: "1" };
  return new Promise((resolve) => {
    execFile(process.execPath, ["ci/status.ts", ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function saved(zone: string, text: string): string {
  const path = join(folder, `${zone}.json`);
  writeFileSync(path, text);
  return path;
}

const good = saved("prod-good", JSON.stringify({ proxies: { a: proxy(), b: proxy({ phase: "Unknown" }) } }));
const broken = saved("prod-broken", "{ not JSON");

test("saved documents: a table without colours when piped, and the sum beside it", async () => {
  const { code, stdout, stderr } = await status("--from", good);
  assert.equal(code, 0, stderr);
  assert.equal(
    stdout,
    `\
ZONE       KIND   NAME  PHASE    VERSION  READY  TOKEN-EXPIRES  WARNINGS
prod-good  Proxy  b     Unknown  1.4.2    2      -              -
prod-good  Proxy  a     Running  1.4.2    2      -              -
`,
  );
  assert.equal(stderr, "\n1 zone, 2 components: 1 Unknown, 1 Running\n");
});

test("what can't be read is a row, the rest is shown, and the exit code is 1", async () => {
  const missing = join(folder, "prod-missing.json");
  const { code, stdout } = await status("--from", good, broken, missing);
  assert.equal(code, 1);
  assert.deepEqual(
    stdout
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/ +/g, " ")),
    [
      `prod-broken Zone - Unreadable - - - ${broken} is not JSON`,
      `prod-missing Zone - Unreadable - - - ENOENT: no such file or directory, open '${missing}'`,
      "prod-good Proxy b Unknown 1.4.2 2 - -",
      "prod-good Proxy a Running 1.4.2 2 - -",
    ],
  );
});

test("JSON and a page in one run", async () => {
  const page = join(folder, "fleet.html");
  const { code, stdout, stderr } = await status("-o", "json", "--html", page, "--from", good);
  assert.equal(code, 0, stderr);
  assert.equal((JSON.parse(stdout) as { components: unknown[] }).components.length, 2);
  assert.equal(stderr, `wrote ${page}\n`);
  assert.match(readFileSync(page, "utf8"), /<h1>/);
});

const mistakes: { args: string[]; says: RegExp }[] = [
  { args: ["-o", "xml"], says: /^error: --output takes table, wide, json or yaml\n$/ },
  { args: ["--concurrency", "0"], says: /^error: --concurrency takes a number from 1 to 999\n$/ },
  { args: ["--timeout", "x"], says: /^error: --timeout takes minutes, such as 10 or 0\.5, / },
  {
    args: ["prod-dc-east"],
    says: /^error: "prod-dc-east" belongs to no option: give --stack or --from before it\n$/,
  },
  { args: ["--from", good, "--live"], says: /^error: --live asks the clusters of stacks; / },
  { args: ["--from", good, "--all"], says: /^error: give --from, or --stack or --all, not both\n$/ },
  { args: ["--stack", "prod-dc-eats"], says: /did you mean "prod-dc-east"\?\n$/ },
  { args: ["--stack", "prod-dc-east", "--all"], says: /^error: give --stack or --all, not both\n$/ },
  { args: ["--lvie"], says: /^error: there is no option --lvie; did you mean --live\?/ },
  { args: ["--html", "/nowhere/x.html", "--from", good], says: /error: ENOENT: .*\/nowhere\/x\.html/ },
];
for (const { args, says } of mistakes) {
  test(`\`status ${args.map((arg) => (arg === good ? "FILE" : arg)).join(" ")}\` says what is wrong`, async () => {
    const { code, stderr } = await status(...args);
    assert.equal(code, 1);
    assert.match(stderr, says);
  });
}

test("help tells what --live can't know", async () => {
  const { code, stdout } = await status("--help");
  assert.equal(code, 0);
  assert.match(stdout, /Secrets and\nConfigMaps are not read/);
});
