// Where built tools are kept: outside the checkout, so that a fresh clone finds them, and under a name that
// changes with everything that decides what a build makes.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Module } from "./catalog.ts";
import type { Environment } from "./installed.ts";

const modules = fileURLToPath(new URL("../tools", import.meta.url));

export function moduleFolder(module: Module): string {
  return join(modules, module.folder);
}

/** The folder of everything that dev/ keeps between runs. */
export function cacheFolder(env: Environment): string {
  const base = env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "pulumi-proxies");
}

/** The folder for the tools of a module, by its version and a digest of its files and of how it is built. */
export function toolFolder(module: Module, env: Environment): string {
  const digest = createHash("sha256").update(
    [process.platform, process.arch, ...buildFlags(module)].join("\0"),
  );
  for (const file of readdirSync(moduleFolder(module)).sort()) {
    digest.update(`\0${file}\0`).update(readFileSync(join(moduleFolder(module), file)));
  }
  const name = `${module.folder}-${pinnedVersion(module)}-${digest.digest("hex").slice(0, 12)}`;
  return join(cacheFolder(env), "tools", name);
}

export function buildFlags(module: Module): string[] {
  // Without symbols and debug information the tools are a third smaller, and stack traces are as good.
  const ldflags = ["-s -w", module.ldflags?.(pinnedVersion(module)) ?? ""].join(" ").trim();
  return ["-trimpath", "-buildvcs=false", "-ldflags", ldflags];
}

/** The version of the module that counts, from its go.mod. */
export function pinnedVersion(module: Module): string {
  const file = join(moduleFolder(module), "go.mod");
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [path, version] = line
      .replace(/^require\b/, "")
      .trim()
      .split(/\s+/);
    if (path === module.requires && version !== undefined) return version;
  }
  throw new Error(`${file} does not require ${module.requires}`);
}
