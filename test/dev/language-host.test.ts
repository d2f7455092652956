// The real CLI runs a TypeScript program through the stand-in language host, in a workspace of its own.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createWorkspace } from "../../dev/workspace.ts";
import { eventually, nothingRunsWith, useControlPlane } from "./support.ts";

const { tools, controlPlane, kubectl } = await useControlPlane();
const workspace = await createWorkspace({ tools, kubeconfig: controlPlane.kubeconfig });
after(() => workspace.remove());

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/index.js";

interface Settings { readonly level: string }
const settings: Settings = { level: new pulumi.Config().require("level") };
console.log("out: node", process.version);
console.error("err: secret is", new pulumi.Config().requireSecret("password") instanceof pulumi.Output);
switch (process.env["MODE"]) {
  case "bail": throw new pulumi.RunError("this is why");
  case "exit": process.exit(7);
  case "hang": console.log("hanging", process.pid); await new Promise(() => setInterval(() => {}, 1000));
}
const map = new ConfigMap("settings", { metadata: { namespace: "default", name: "settings" }, data: { ...settings } });
export const name = map.metadata.name;
`;

const runtime = { name: "nodejs", options: { typescript: false } };
writeFileSync(
  join(workspace.dir, "Pulumi.yaml"),
  JSON.stringify({ name: "tiny", main: "program/", runtime }),
);
mkdirSync(join(workspace.dir, "program"));
writeFileSync(
  join(workspace.dir, "program/package.json"),
  JSON.stringify({ type: "module", main: "index.ts" }),
);
writeFileSync(join(workspace.dir, "program/index.ts"), PROGRAM);
symlinkSync(
  fileURLToPath(new URL("../../node_modules", import.meta.url)),
  join(workspace.dir, "node_modules"),
);

test("a stack with its configuration", async () => {
  for (const args of [
    ["stack", "init", "dev"],
    ["config", "set", "level", "high"],
    ["config", "set", "--secret", "password", "hidden"],
  ]) {
    const { code, stderr } = await workspace.pulumi(args);
    assert.equal(code, 0, stderr);
  }
});

test("preview, up, up again, destroy", async () => {
  const preview = await workspace.pulumi(["preview"]);
  assert.equal(preview.code, 0, preview.stdout + preview.stderr);
  assert.match(preview.stdout, /\+ 2 to create/);
  assert.match(preview.stdout, /out: node v2[2-9]\./);
  assert.match(preview.stdout, /err: secret is true/);
  assert.doesNotMatch(preview.stdout + preview.stderr, /warning/);

  let seen = "";
  const up = await workspace.pulumi(["up", "--yes", "--skip-preview"], {
    onOutput: (text) => (seen += text),
  });
  assert.equal(up.code, 0, up.stdout + up.stderr);
  assert.equal(seen, up.stdout + up.stderr);
  const level = ["get", "configmap", "settings", "-o", "jsonpath={.data.level}"];
  assert.equal(await kubectl(level), "high");
  assert.match((await workspace.pulumi(["stack", "output", "--json"])).stdout, /"name": "settings"/);

  const again = await workspace.pulumi(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  assert.equal(again.code, 0, again.stdout + again.stderr);
  const destroy = await workspace.pulumi(["destroy", "--yes", "--skip-preview"]);
  assert.equal(destroy.code, 0, destroy.stdout + destroy.stderr);
  await assert.rejects(kubectl(level), /not found/);
  await nothingRunsWith(workspace.dir);
});

test("an error that the program has told is not told twice", async () => {
  const { code, stdout, stderr } = await workspace.pulumi(["preview"], { env: { MODE: "bail" } });
  assert.notEqual(code, 0);
  assert.match(stdout, /error: this is why/);
  assert.doesNotMatch(stdout + stderr, /exited with|unhandled/);
});

test("any other exit code is told", async () => {
  const { code, stdout } = await workspace.pulumi(["preview"], { env: { MODE: "exit" } });
  assert.notEqual(code, 0);
  assert.match(stdout, /Program exited with non-zero exit code: 7/);
});

test("Ctrl-C ends the program and the plugins", async () => {
  let output = "";
  const abort = new AbortController();
  const running = workspace.pulumi(["up", "--yes", "--skip-preview"], {
    env: { MODE: "hang" },
    signal: abort.signal,
    onOutput: (text) => (output += text),
  });
  const ended = assert.rejects(running, /enough; its output ended with:.*(cancel|\^C)/s);
  await eventually("the program hangs", 20, () => (output.includes("hanging") ? true : undefined));
  abort.abort(new Error("enough"));
  await ended;
  await nothingRunsWith(workspace.dir);
});

test("a CLI that is killed leaves no plugin and no program behind", async () => {
  let output = "";
  let pid = 0;
  const running = workspace.pulumi(["up", "--yes", "--skip-preview"], {
    env: { MODE: "hang" },
    onOutput: (text) => (output += text),
    onStart: (started) => (pid = started),
  });
  await eventually("the program hangs", 20, () => (output.includes("hanging") ? true : undefined));
  process.kill(pid, "SIGKILL");
  assert.equal((await running).code, 128 + 9);
  await nothingRunsWith(workspace.dir);
  assert.equal((await workspace.pulumi(["cancel", "--yes"])).code, 0);
});

test("a run that takes too long is ended, and says what it had printed", async () => {
  const slow = workspace.pulumi(["preview"], { env: { MODE: "hang" }, timeoutMs: 15_000 });
  await assert.rejects(slow, /took longer than 15 s; its output ended with:.*hanging/s);
  await nothingRunsWith(workspace.dir);
});

test("a workspace without a kubeconfig reaches no cluster", async () => {
  const alone = await createWorkspace({ tools });
  try {
    const { KUBECONFIG = "" } = alone.env;
    assert.ok(KUBECONFIG.startsWith(alone.dir) && existsSync(KUBECONFIG));
    assert.equal(alone.env["PULUMI_BACKEND_URL"], `file://${alone.dir}/backend`);
    assert.notEqual(alone.env["PULUMI_CONFIG_PASSPHRASE"], workspace.env["PULUMI_CONFIG_PASSPHRASE"]);
  } finally {
    await alone.remove();
  }
  assert.equal(existsSync(alone.dir), false);
});
