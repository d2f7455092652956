// A project whose `pulumi` is a script of the test's own: one that hangs, heeds no signal, leaves processes behind.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

export interface StandIn {
  /** The project's folder. */
  folder: string;
  /** With the script before all other programs. */
  PATH: string;
  /** What the script has logged, a line each. */
  log: () => string[];
}

/** What a script may use: `$command`, `$stack`, `log <text>`, and `plugin`, which starts one as the CLI does. */
const PRELUDE = `
echo $$ >> "$folder/pids"
command=$1
stack=$(sed -E 's/.*--stack ([^ ]+).*/\\1/' <<< "$*")
log() { echo "$stack $*" >> "$folder/log"; }
plugin() { set -m; sleep 600 & set +m; echo $! >> "$folder/pids"; } # in a process group of its own
`;

/** A project with these stacks, and the script in Bash. */
export function standIn(t: TestContext, stacks: readonly string[], script: string): StandIn {
  const folder = mkdtempSync(join(tmpdir(), "stand-in-"));
  const bin = join(folder, "bin");
  mkdirSync(join(folder, "stacks"));
  mkdirSync(bin);
  writeFileSync(join(folder, "Pulumi.yaml"), "name: zones\nstackConfigDir: stacks\n");
  for (const stack of stacks) writeFileSync(join(folder, "stacks", `Pulumi.${stack}.yaml`), "");
  writeFileSync(join(bin, "pulumi"), `#!/usr/bin/env bash\nfolder='${folder}'\n${PRELUDE}\n${script}\n`);
  chmodSync(join(bin, "pulumi"), 0o755);
  t.after(() => {
    for (const pid of pidsOf(folder)) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    log: () => linesOf(join(folder, "log")),
  };
}

/** Fails unless so many processes were started, scripts and plugins, and all of them are gone. */
export async function allGone({ folder }: StandIn, count: number): Promise<void> {
  const started = pidsOf(folder);
  assert.equal(started.length, count);
  await until(() => !started.some(isRunning), "they are gone");
}

/** Waits for what happens elsewhere; fails when it never does. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 1500, `in vain: ${what}`);
    await sleep(20);
  }
}

function pidsOf(folder: string): number[] {
  return linesOf(join(folder, "pids")).map(Number);
}

/** One that was killed stays a zombie until its new parent waits for it. */
function isRunning(pid: number): boolean {
  const stat = linesOf(`/proc/${pid}/stat`)[0];
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").trimEnd().split("\n");
  } catch {
    // Nothing was written yet, or the process has ended.
    return [];
  }
}
