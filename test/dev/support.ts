// What the tests of dev/ share.

import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { after, afterEach } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { V1Pod } from "@kubernetes/client-node";
import { startControlPlane } from "../../dev/control-plane.ts";
import type { ControlPlane } from "../../dev/control-plane.ts";
import { TOOL_NAMES, ensureTools } from "../../dev/tools.ts";
import type { ToolName } from "../../dev/tools.ts";

export interface Cluster {
  readonly controlPlane: ControlPlane;
  readonly tools: Readonly<Record<ToolName, string>>;
  /** As admin. */
  readonly kubectl: Kubectl;
}

/**
 * One control plane for the tests of a file; its logs are kept, and named, when one of them fails. To be
 * awaited at the top of the file: Node does not let one `before` hook there wait for another.
 */
export async function useControlPlane(): Promise<Cluster> {
  const tools = await ensureTools(TOOL_NAMES, (line) => {
    console.error(line);
  });
  const controlPlane = await startControlPlane({ tools });
  let failed = false;
  afterEach((test) => {
    // Node tells it since 21.7; its types do not know yet.
    failed ||= !(test as TestContext & { readonly passed: boolean }).passed;
  });
  after(async () => {
    if (failed) {
      const kept = fileURLToPath(
        new URL(`../../test-results/dev-control-plane-${process.pid}`, import.meta.url),
      );
      cpSync(controlPlane.logsDir, kept, { recursive: true });
      console.error(`logs of the control plane: ${kept}`);
    }
    await controlPlane.stop();
  });
  return { controlPlane, tools, kubectl: kubectlFor(tools.kubectl, controlPlane.kubeconfig) };
}

/** Runs kubectl and returns what it prints. */
export type Kubectl = (args: readonly string[], input?: object) => Promise<string>;

/** A kubectl for one kubeconfig; `input` is written to its standard input as JSON. */
export function kubectlFor(kubectl: string, kubeconfig: string): Kubectl {
  return async (args, input) => {
    const run = promisify(execFile)(kubectl, ["--kubeconfig", kubeconfig, ...args], { timeout: 60_000 });
    run.child.stdin?.end(input === undefined ? "" : JSON.stringify(input));
    return (await run).stdout;
  };
}

/** Asks until `check` returns something, and returns that. Fails after `seconds`, saying `what`. */
export async function eventually<T>(
  what: string,
  seconds: number,
  check: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const result = await check();
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`);
    await sleep(50);
  }
}

/** Fails when a process that mentions `text` stays; the guard's own commands do so for milliseconds. */
export async function nothingRunsWith(text: string): Promise<void> {
  let running: string[] = [];
  const check = (): true | undefined => {
    running = processesWith(text);
    return running.length === 0 ? true : undefined;
  };
  await eventually(`no process with ${text}`, 15, check).catch((error: unknown) => {
    throw new Error(running.join("\n"), { cause: error });
  });
}

/** The processes whose command line or environment mentions `text` (Linux). */
export function processesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) => read(`/proc/${pid}/cmdline`).includes(text) || read(`/proc/${pid}/environ`).includes(text),
    )
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // it has ended, or is not ours
  }
}

/** The containers' own part of a Deployment for {@link deployment}. */
export type PodSpec = NonNullable<V1Pod["spec"]>;

/** A Deployment with one replica, with the annotations and the spec of its pods. */
export function deployment(
  name: string,
  annotations: Record<string, string>,
  spec: Partial<PodSpec> = {},
): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: "main", image: "registry.example/main:1" }], ...spec },
      },
    },
  };
}
