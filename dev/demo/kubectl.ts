// kubectl on the demo's cluster, and what it says of the rollouts there.

import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../workspace/run.ts";

export interface KubectlOptions {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly context: string;
  /** The log of all commands and what they say. */
  readonly log: string;
  readonly signal: AbortSignal;
}

/** Why kubectl failed, in its own words. */
export class KubectlError extends Error {}

export class Kubectl {
  readonly #options: KubectlOptions;

  constructor(options: KubectlOptions) {
    this.#options = options;
  }

  /** Runs it and returns what it prints. `whatever` lets it run although everything else was told to stop. */
  async run(
    args: readonly string[],
    { input = "", timeoutMs = 60_000, whatever = false } = {},
  ): Promise<string> {
    const { command, env, context, log, signal } = this.#options;
    const options = { input, timeoutMs, ...(whatever ? {} : { signal }) };
    const { code, stdout, stderr } = await run(command, ["--context", context, ...args], env, options);
    appendFileSync(log, `$ kubectl ${args.join(" ")}\n${stdout}${stderr}(exit code ${code})\n\n`);
    // Its last line says why; what comes before are its attempts.
    if (code !== 0)
      throw new KubectlError(`kubectl ${args[0] ?? ""}: ${stderr.trim().split("\n").at(-1) ?? ""}`);
    return stdout;
  }

  /** Every Deployment of a namespace, as soon as the controllers have seen what was last written into them. */
  async rollouts(namespace: string): Promise<ReadonlyMap<string, Rollout>> {
    const end = Date.now() + 30_000;
    for (;;) {
      const text = await this.run(["--namespace", namespace, "get", "deployments,replicasets", "-o", "json"]);
      const { items } = JSON.parse(text) as { items: KubeObject[] };
      const deployments = items.filter(({ kind }) => kind === "Deployment");
      const behind = deployments.find(
        ({ metadata, status }) => (status?.observedGeneration ?? 0) < metadata.generation,
      );
      if (behind === undefined)
        return new Map(deployments.map((each) => [each.metadata.name, rollout(each, items)]));
      if (Date.now() > end)
        throw new Error(`no controller has looked at Deployment ${behind.metadata.name} for 30 s`);
      await sleep(250, undefined, { signal: this.#options.signal });
    }
  }
}

/** What tells whether a Deployment was written to, and whether its pods were replaced. */
export interface Rollout {
  readonly generation: number;
  /** The ReplicaSet of the current pod template. */
  readonly replicaSet: string;
}

interface KubeObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly status?: { readonly observedGeneration?: number };
}

function rollout({ metadata }: KubeObject, items: readonly KubeObject[]): Rollout {
  const revision = (object: KubeObject): number =>
    Number(object.metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
  const [current] = items
    .filter(({ kind }) => kind === "ReplicaSet")
    .filter((set) => set.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true)
    .sort((a, b) => revision(b) - revision(a));
  return { generation: metadata.generation, replicaSet: current?.metadata.name ?? "none" };
}
