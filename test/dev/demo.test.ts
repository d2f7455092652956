// `make demo` as a person runs it: to the end, interrupted, left running, and on a cluster of their own.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, processesWith, useControlPlane } from "./support.ts";

const { controlPlane, kubectl } = await useControlPlane();

const TABLE = /NAME +PHASE +VERSION +READY +TOKEN-EXPIRES\n/;
const stacks = fileURLToPath(new URL("../../stacks", import.meta.url));
const stackFiles = readdirSync(stacks);

test("from the first run to the last", async (t) => {
  const demo = startDemo(t);
  assert.equal(await demo.end, 0, demo.output());
  const [, first = "", second = ""] = demo.output().split(TABLE);
  assert.match(first, /^ +edge-a +Running +\S+ +2\/2 +\d{4}-\d\d-\d\dT\S+Z$/m);
  assert.match(first, /^ +office +Running +\S+ +1\/1 /m);
  assert.ok(daysLeft(first, "edge-a") < 31 && daysLeft(second, "edge-a") > 89, "the token was replaced");

  const plan = section(first, /pulumi preview --diff/, /\(\d+\.\d s\)/);
  assert.equal(plan.match(/kubernetes:\S+: \(update\)/g)?.length, 2);
  assert.equal(plan.match(/config-checksum: "[0-9a-f]{64}" => "[0-9a-f]{64}"/g)?.length, 2);
  assert.equal(plan.match(/token-expires-at\s*: "[^"]+Z" => "[^"]+Z"/g)?.length, 2);
  assert.doesNotMatch(plan, /: \((refresh|create|delete|replace)\)/);

  const [applied = "", again = ""] = demo.output().split("Once more");
  assert.match(
    applied,
    /edge-a +rolled +ReplicaSet edge-a-\w+ -> edge-a-\w+\n +edge-b +rolled .*\n +office +untouched /,
  );
  assert.match(again, /\| +17 unchanged\n/);
  assert.match(again, /edge-a +untouched .*\n +edge-b +untouched .*\n +office +untouched .*\n +No changes\./);
  assert.match(
    again,
    /17 deleted[^]*edge-token +Opaque[^]*office-token +Opaque[^]*The Secrets are still there/,
  );
  assert.match(again, /Done in \d+\.\d s/);
  assert.doesNotMatch(demo.output(), /eyJ/, "no token is shown");
  await demo.assertNothingLeft();
});

for (const moment of ["control plane ready", "Updating (demo-zone)"]) {
  test(`Ctrl-C at "${moment}" leaves nothing, and is no success`, async (t) => {
    const demo = startDemo(t);
    await demo.says(moment);
    demo.kill("SIGINT");
    assert.equal(await demo.end, 130, demo.output());
    assert.match(demo.output(), /stopping everything\n[^]*stopped before its end/);
    await demo.assertNothingLeft();
  });
}

test("KEEP=1 says how to look around, and Ctrl-C is its end", async (t) => {
  const demo = startDemo(t, { KEEP: "1" });
  await demo.says("Stop and clean up with Ctrl-C");
  // The very lines that a person would paste.
  const look = /^ {2}export KUBECONFIG=.*\n {2}\S+ .*get deployments.*$/m.exec(demo.output())?.[0] ?? "";
  assert.match(await shell(look), /deployment.apps\/edge-a +2\/2/);
  const enter = /^ {2}\. .*\n {2}cd .*$/m.exec(demo.output())?.[0] ?? "";
  const preview = `${enter}\npulumi preview --expect-no-changes --non-interactive && kubectl get nodes`;
  assert.match(await shell(preview), /17 unchanged[^]*node-1 +Ready/);
  demo.kill("SIGINT");
  assert.equal(await demo.end, 0, demo.output());
  await demo.assertNothingLeft();
});

test("a person's own cluster: a namespace of its own, gone at the end, and nothing else is touched", async (t) => {
  const namespaces = (): Promise<string> => kubectl(["get", "namespaces", "-o", "name"]);
  const before = await namespaces();
  const demo = startDemo(t, { KUBECONFIG: controlPlane.kubeconfig, CONTEXT: controlPlane.context });
  await demo.says("Updating (demo-zone)");
  assert.equal(processesWith(demo.temporary).filter((line) => line.includes("etcd")).length, 0);
  const [namespace = ""] = /pulumi-proxies-demo-\w+/.exec(await namespaces()) ?? [];
  assert.equal(await demo.end, 0, demo.output());
  assert.ok(demo.output().includes(`context local leads to ${controlPlane.server}`));
  assert.match(demo.output(), TABLE);
  assert.match(demo.output(), /office +untouched[^]*No changes\.[^]*The Secrets are still there/);
  assert.ok(namespace !== "" && demo.output().includes(`the cluster is removing namespace ${namespace}`));
  assert.equal(await namespaces(), before);
  await demo.assertNothingLeft();
});

test("Ctrl-C on a person's own cluster removes the namespace too", async (t) => {
  const demo = startDemo(t, { KUBECONFIG: controlPlane.kubeconfig, CONTEXT: controlPlane.context });
  await demo.says("Updating (demo-zone)");
  demo.kill("SIGINT");
  assert.equal(await demo.end, 130, demo.output());
  await eventually("the namespace is gone", 30, async () =>
    (await kubectl(["get", "namespaces", "-o", "name"])).includes("pulumi-proxies-demo") ? undefined : true,
  );
  await demo.assertNothingLeft();
});

test("an unknown context is one clear line, and names the log", async (t) => {
  const demo = startDemo(t, { KUBECONFIG: controlPlane.kubeconfig, CONTEXT: "nowhere" });
  assert.equal(await demo.end, 1, demo.output());
  assert.match(
    demo.output(),
    /\nThe demo failed: there is no context nowhere in .*\nLogs: \S+commands\.log\n$/,
  );
  // Kept on purpose, but nothing beside it.
  const [kept = ""] = readdirSync(demo.temporary);
  assert.deepEqual(readdirSync(join(demo.temporary, kept)), ["commands.log"]);
});

interface Demo {
  /** Its folder for temporary files, which every process that it starts has in its environment. */
  readonly temporary: string;
  readonly end: Promise<number | null>;
  /** Standard output and error, so far. */
  output(): string;
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  assertNothingLeft(): Promise<void>;
}

function startDemo(t: TestContext, env: Record<string, string> = {}): Demo {
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-proxies-test-demo-")));
  const program = fileURLToPath(new URL("../../dev/demo.ts", import.meta.url));
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, KEEP: "", CONTEXT: "", ...env, TMPDIR: temporary },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  let ended = false;
  const end = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      ended = true;
      resolve(code);
    });
  });
  t.after(async () => {
    if (!ended) child.kill("SIGKILL");
    await end;
    rmSync(temporary, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
  });
  return {
    temporary,
    end,
    output: () => output,
    says: async (text) => {
      await eventually(`the demo says "${text}"`, 120, () => {
        assert.ok(!ended, `it ended before it said "${text}":\n${output}`);
        return output.includes(text) ? true : undefined;
      });
    },
    kill: (signal) => void child.kill(signal),
    assertNothingLeft: async () => {
      // The guard ends a moment after what it guards.
      await eventually("no process is left", 30, () =>
        processesWith(temporary).length === 0 ? true : undefined,
      );
      // Node's own, which main.js asks for: it is there for the next run.
      const left = readdirSync(temporary).filter((name) => name !== "node-compile-cache");
      assert.deepEqual(left, []);
      assert.deepEqual(readdirSync(stacks), stackFiles);
    },
  };
}

/** Runs lines in a shell that has nothing of this process's environment but what every shell has. */
async function shell(lines: string): Promise<string> {
  const child = spawn("sh", ["-ec", lines], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { HOME: process.env["HOME"], PATH: "/usr/bin:/bin" },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, output);
  return output;
}

/** What stands between two expressions. */
function section(text: string, from: RegExp, to: RegExp): string {
  const rest = text.slice(text.search(from));
  return rest.slice(0, rest.search(to));
}

/** Days until the token of a proxy runs out, as the first table in `text` says. */
function daysLeft(text: string, proxy: string): number {
  const expires = new RegExp(`^ +${proxy} .* (\\S+Z)$`, "m").exec(text)?.[1] ?? "";
  return (Date.parse(expires) - Date.now()) / 86_400_000;
}
