// The Kubernetes provider as Pulumi wants it: installed as a plugin in a home folder. It is large (some 300
// MB), so one folder in the cache holds it for all workspaces, which link to it.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../builder/cache.ts";
import { PROVIDER_VERSION } from "../builder/catalog.ts";
import { withLock } from "../builder/lock.ts";
import { keep, removeAtEnd } from "../guard.ts";

/**
 * The `plugins` folder with this provider in it, filled now by `pulumi plugin install` (seconds) if it is not
 * yet.
 */
export async function pluginsFolder(pulumi: string, provider: string): Promise<string> {
  const { size, mtimeMs } = statSync(provider);
  const digest = createHash("sha256").update(`${provider}\0${size}\0${mtimeMs}`).digest("hex").slice(0, 12);
  const home = join(cacheFolder(process.env), "homes", `kubernetes-${PROVIDER_VERSION}-${digest}`);
  const plugins = join(home, "plugins");
  if (existsSync(plugins)) return plugins;
  mkdirSync(dirname(home), { recursive: true });
  await withLock(
    `${home}.lock`,
    () => undefined,
    async () => {
      if (existsSync(plugins)) return; // who held the lock before has installed it
      const temporary = mkdtempSync(`${home}.`);
      removeAtEnd(temporary);
      try {
        await install(pulumi, provider, temporary);
        renameSync(temporary, home);
      } finally {
        rmSync(temporary, { recursive: true, force: true });
        keep(temporary);
      }
    },
  );
  return plugins;
}

async function install(pulumi: string, provider: string, home: string): Promise<void> {
  const args = ["plugin", "install", "resource", "kubernetes", PROVIDER_VERSION, "--file", provider];
  try {
    await promisify(execFile)(pulumi, args, {
      cwd: home, // no project there that the CLI could look at
      env: { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new Error(`${pulumi} ${args.join(" ")} failed: ${stderr.trim() || String(error)}`);
  }
}
