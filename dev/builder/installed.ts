// Tools that are on this machine already.

import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { PROVIDER_VERSION, TOOLS } from "./catalog.ts";
import type { ToolName } from "./catalog.ts";

const run = promisify(execFile);

/** What the envtest tools of Kubernetes' own projects put into KUBEBUILDER_ASSETS. */
const ENVTEST: readonly ToolName[] = ["etcd", "kube-apiserver", "kubectl"];

export type Environment = Readonly<Record<string, string | undefined>>;

export type Found =
  | { readonly path: string }
  /** Why an installed one is not used; undefined when there is none. */
  | { readonly path?: never; readonly unfit: string | undefined };

/**
 * Looks for an installed tool of a fitting version: KUBEBUILDER_ASSETS, PATH, and Pulumi's own plugin folder.
 */
export async function findInstalled(name: ToolName, env: Environment): Promise<Found> {
  if (name === "pulumi-resource-kubernetes") {
    const home = env["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
    const path = join(home, "plugins", `resource-kubernetes-v${PROVIDER_VERSION}`, name);
    return isExecutable(path) ? { path } : { unfit: undefined };
  }
  const { installed } = TOOLS[name];
  let unfit: string | undefined;
  for (const path of candidates(name, env)) {
    if (installed === undefined || !isExecutable(path)) continue;
    const version = await versionOf(path, installed.args, env);
    if (version !== undefined && isWithin(version, installed.from, installed.to)) return { path };
    unfit ??= `not using ${path}: it is ${version ?? "of unknown version"}, not from ${installed.from} to below ${installed.to}`;
  }
  return { unfit };
}

function candidates(name: ToolName, env: Environment): string[] {
  const assets = env["KUBEBUILDER_ASSETS"];
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  if (assets !== undefined && assets !== "" && ENVTEST.includes(name)) folders.unshift(assets);
  return folders.map((folder) => join(folder, name));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not for us: either way not a candidate
  }
}

async function versionOf(
  path: string,
  args: readonly string[],
  env: Environment,
): Promise<string | undefined> {
  try {
    // Pulumi would else ask its website for a newer version.
    const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const { stdout, stderr } = await run(path, args, { timeout: 10_000, env: quiet });
    return parseVersion(`${stdout}\n${stderr}`);
  } catch {
    return undefined; // a program that can't say its version is none of ours
  }
}

/** The first version number in a text, without a leading `v` and without what follows the patch number. */
export function parseVersion(text: string): string | undefined {
  return /\bv?(\d+\.\d+\.\d+)/.exec(text)?.[1];
}

/** Is `version` at least `from`, and below `to`? */
export function isWithin(version: string, from: string, to: string): boolean {
  return compare(version, from) >= 0 && compare(version, to) < 0;
}

function compare(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let i = 0; i < 3; i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
