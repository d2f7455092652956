// Everything that the real Pulumi CLI needs to run here, and nothing of the person's own: its home, backend,
// passphrase and cluster are those of the workspace.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepFolder, removeFolder, temporaryFolder } from "./temporary.ts";
import { languageHost } from "./workspace/language-host.ts";
import { pluginsFolder } from "./workspace/plugin.ts";
import { run } from "./workspace/run.ts";
import type { RunOptions, RunResult } from "./workspace/run.ts";

export type { RunOptions, RunResult } from "./workspace/run.ts";

/** The tools that {@link createWorkspace} needs, as ensureTools (tools.ts) takes them. */
export const WORKSPACE_TOOLS = ["pulumi", "pulumi-resource-kubernetes"] as const;

export interface Workspace {
  /** Its folder: home, backend (`backend/`), and whatever the caller puts there. */
  readonly dir: string;
  /** The environment in which `pulumi` runs; for other programs that shall see the same. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Runs the CLI, without prompts and colours, and waits for its end. Throws when it takes too long or is
   * aborted, but not for an exit code other than 0.
   */
  pulumi(args: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Removes the folder if the workspace made it; with `keepFiles` it stays. */
  remove(options?: { keepFiles?: boolean }): Promise<void>;
}

export interface WorkspaceOptions {
  readonly tools: Readonly<Record<(typeof WORKSPACE_TOOLS)[number], string>>;
  /** An existing, empty folder to use, which stays the caller's. Default: a temporary one. */
  readonly dir?: string;
  /** Where `pulumi` runs unless told otherwise: the folder of Pulumi.yaml. Default: `dir`. */
  readonly cwd?: string;
  /** The cluster. Default: an empty kubeconfig, so that nothing reaches the person's own by accident. */
  readonly kubeconfig?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Interrupts every run, as Ctrl-C would. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a workspace; the first one for a new provider takes some seconds longer, to install it into the
 * cache.
 */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { tools, kubeconfig, signal } = options;
  const plugins = await pluginsFolder(tools.pulumi, tools["pulumi-resource-kubernetes"]);
  const dir = options.dir ?? (await temporaryFolder("workspace"));
  const home = join(dir, "home");
  const backend = join(dir, "backend");
  const noCluster = join(dir, "no-cluster");
  mkdirSync(home, { recursive: true });
  mkdirSync(backend, { recursive: true });
  writeFileSync(noCluster, JSON.stringify({ apiVersion: "v1", kind: "Config" }));
  symlinkSync(plugins, join(home, "plugins"));

  const env: Record<string, string> = {
    ...inherited(),
    ...languageHost(tools.pulumi, path(tools.pulumi)),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: randomBytes(24).toString("base64url"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    KUBECONFIG: kubeconfig ?? noCluster,
    ...options.env,
  };
  return {
    dir,
    env,
    pulumi: (args, runOptions = {}) =>
      run(tools.pulumi, ["--non-interactive", "--color=never", ...args], env, {
        cwd: options.cwd ?? dir,
        ...runOptions,
        ...either(signal, runOptions.signal),
      }),
    remove: async ({ keepFiles = false } = {}) => {
      if (options.dir !== undefined) return;
      if (keepFiles) keepFolder(dir);
      else await removeFolder(dir);
    },
  };
}

function either(a: AbortSignal | undefined, b: AbortSignal | undefined): { signal?: AbortSignal } {
  const signals = [a, b].filter((signal) => signal !== undefined);
  return signals.length === 0 ? {} : { signal: AbortSignal.any(signals) };
}

/**
 * Our own environment without what would lead the CLI or the provider to a person's own stacks and clusters.
 */
function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(PULUMI_|KUBE)/.test(entry[0]),
  );
  return Object.fromEntries(entries);
}

/** The CLI's PATH: the project's own Node and the CLI itself before what there was. */
function path(pulumi: string): string {
  const node = fileURLToPath(new URL("../node_modules/node/bin", import.meta.url));
  const first = [existsSync(node) ? node : dirname(process.execPath), dirname(pulumi)];
  return [...first, ...(process.env["PATH"] ?? "").split(delimiter)].join(delimiter);
}
