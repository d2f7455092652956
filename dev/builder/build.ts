// Building the tools of a module with the ordinary `go` command.

import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { forget, keep, removeAtEnd, watch } from "../guard.ts";
import { buildFlags, moduleFolder, toolFolder } from "./cache.ts";
import { TOOLS } from "./catalog.ts";
import type { Module, ToolName } from "./catalog.ts";
import { isWithin, parseVersion } from "./installed.ts";
import type { Environment } from "./installed.ts";
import { isAlive, withLock } from "./lock.ts";

export type Report = (line: string) => void;

/** How often a build that goes on says so. */
const SIGN_OF_LIFE_MS = 15_000;

/** Throws one clear line unless there is a Go command that can fetch the toolchains the modules ask for. */
export async function checkGo(wanted: string, env: Environment): Promise<void> {
  let version: string | undefined;
  const advice = `install Go 1.21 or newer (https://go.dev/dl/), which is needed to build ${wanted}`;
  try {
    // In a folder without a go.mod, which could ask for another toolchain.
    const { stdout } = await promisify(execFile)("go", ["version"], {
      cwd: "/",
      timeout: 30_000,
      env: { ...env },
    });
    version = /go(\d+\.\d+(\.\d+)?)/.exec(stdout)?.[1];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new Error(`there is no go command: ${advice}`);
    throw new Error(
      `go version failed (${error instanceof Error ? error.message.trim() : String(error)}): ${advice}`,
    );
  }
  const patched = parseVersion(version?.split(".").length === 2 ? `${version}.0` : (version ?? ""));
  if (patched === undefined || !isWithin(patched, "1.21.0", "2.0.0")) {
    throw new Error(`Go ${version ?? "of unknown version"} is too old: ${advice}`);
  }
}

/**
 * Builds those of `names` that are not in the cache yet; all belong to `module`. Any number of callers may
 * build the same: a lock lets one work while the others wait, and a rename makes a tool appear whole or not
 * at all.
 */
export async function build(
  module: Module,
  names: readonly ToolName[],
  position: string,
  env: Environment,
  report: Report,
): Promise<void> {
  const target = toolFolder(module, env);
  mkdirSync(dirname(target), { recursive: true });
  const onWait = (pid: number): void => {
    report(`process ${pid} is building ${names.join(", ")}; waiting for it`);
  };
  await withLock(`${target}.lock`, onWait, async () => {
    removeLeftovers(target);
    const missing = names.filter((name) => !contains(target, name));
    if (missing.length === 0) return; // who held the lock before has built them
    const list = missing.join(", ");
    report(`building ${list} (${position}; the first time about ${module.minutes} on 2 cores)`);
    const begin = Date.now();
    const temporary = mkdtempSync(`${target}.${process.pid}.`);
    removeAtEnd(temporary);
    try {
      const seconds = (): string => `${Math.round((Date.now() - begin) / 1000)} s`;
      const life = setInterval(() => {
        report(`  still building ${list}: ${seconds()} so far`);
      }, SIGN_OF_LIFE_MS);
      try {
        await goBuild(module, missing, temporary, env);
      } finally {
        clearInterval(life);
      }
      mkdirSync(target, { recursive: true });
      for (const name of missing) renameSync(join(temporary, name), join(target, name));
      report(`  built ${list} in ${seconds()}`);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
      keep(temporary);
    }
  });
}

/** Is the tool in the folder, whole? */
export function contains(folder: string, name: ToolName): boolean {
  try {
    return readdirSync(folder).includes(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** What builds left behind whose guard was killed too, or when the machine went down. */
function removeLeftovers(target: string): void {
  const prefix = `${basename(target)}.`;
  for (const entry of readdirSync(dirname(target))) {
    const pid = Number(entry.startsWith(prefix) ? entry.slice(prefix.length).split(".")[0] : NaN);
    if (Number.isInteger(pid) && !isAlive(pid))
      rmSync(join(dirname(target), entry), { recursive: true, force: true });
  }
}

async function goBuild(
  module: Module,
  names: readonly ToolName[],
  folder: string,
  env: Environment,
): Promise<void> {
  for (const name of names) {
    // One after the other: nearly all packages are shared, and each tool can be given its own file name.
    const args = ["build", ...buildFlags(module), "-o", join(folder, name), TOOLS[name].main];
    const child = spawn("go", args, {
      cwd: moduleFolder(module),
      env: { ...env, GOTOOLCHAIN: module.toolchain ?? "auto", GOWORK: "off" },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, with the compilers that it starts; when this process ends, the guard ends all of
      // them.
      detached: true,
    });
    const { pid } = child;
    if (pid !== undefined) watch(pid, "INT");
    let output = "";
    const collect = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-20_000));
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const end = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        resolve(signal ?? `exit code ${code}`);
      });
    });
    if (pid !== undefined) forget(pid);
    if (end !== "exit code 0") {
      const lines = output.trimEnd().split("\n").slice(-20).join("\n  ");
      throw new Error(`go build of ${name} in ${moduleFolder(module)} failed (${end}):\n  ${lines}`);
    }
  }
}
