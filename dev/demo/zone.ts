// The network zone that the demo shows: a project folder and a stack of its own in a temporary folder, so that the
// checkout stays as it is, and tokens as a platform would issue them.

import { appendFileSync, copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeToken } from "../token.ts";
import type { Workspace } from "../workspace.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Place } from "./place.ts";
import { coloured, PulumiOutput, sayCommand } from "./screen.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Two proxies share a token; the third has its own, and must stay untouched when theirs is replaced. */
export const PROXIES: Readonly<Record<string, { secret: string; replicas: number }>> = {
  "edge-a": { secret: "edge-token", replicas: 2 },
  "edge-b": { secret: "edge-token", replicas: 1 },
  office: { secret: "office-token", replicas: 1 },
};

export const STACK = "demo-zone";

export interface ProxyOutput {
  readonly phase: string;
  readonly version: string;
  readonly ready: number;
  readonly tokenExpiresAt?: string;
}

export class DemoZone {
  readonly project: string;
  readonly place: Place;
  readonly #workspace: Workspace;
  readonly #kubectl: Kubectl;
  readonly #log: string;

  constructor(workspace: Workspace, kubectl: Kubectl, place: Place, folder: string, log: string) {
    this.project = join(folder, "project");
    this.place = place;
    this.#workspace = workspace;
    this.#kubectl = kubectl;
    this.#log = log;
  }

  /** Makes project folder, stack and stack file. Returns what a person would write into that file. */
  async makeStack(): Promise<string> {
    mkdirSync(join(this.project, "stacks"), { recursive: true });
    for (const name of ["main.js", "index.ts", "package.json", "node_modules"])
      symlinkSync(join(root, name), join(this.project, name));
    copyFileSync(join(root, "Pulumi.yaml"), join(this.project, "Pulumi.yaml"));
    const { code, stdout, stderr } = await this.#run(["stack", "init", STACK]);
    if (code !== 0) throw new Error(`pulumi stack init failed: ${stderr.trim() || stdout.trim()}`);
    const { namespace } = this.place;
    const uid = await this.#kubectl.run(["get", "namespace", namespace, "-o", "jsonpath={.metadata.uid}"]);
    const file = stackFile(this.place, uid);
    appendFileSync(join(this.project, "stacks", `Pulumi.${STACK}.yaml`), file);
    return file;
  }

  /** Puts a token in place, as the platform does, or a new one in place of the old. */
  async putToken(verb: "create" | "replace", secret: string, validity: string): Promise<void> {
    const token = await makeToken(validity);
    const manifest = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: secret, namespace: this.place.namespace },
      stringData: { configToken: token },
    };
    // Through standard input: everybody on a machine can read a command line.
    await this.#kubectl.run([verb, "-f", "-"], { input: JSON.stringify(manifest) });
  }

  /** Runs the CLI and shows what it says; `thin` leaves the progress of unchanged objects out. Throws when it fails. */
  async show(args: readonly string[], { thin }: { thin: boolean }): Promise<void> {
    const command = `pulumi ${args.join(" ")}`;
    sayCommand(command);
    const output = new PulumiOutput(thin);
    const { code } = await this.#run(
      [...args, "--suppress-progress", `--color=${coloured() ? "always" : "never"}`],
      (text) => {
        output.write(text);
      },
    );
    output.end();
    if (code !== 0) throw new Error(`${command} ended with exit code ${code}; what it said stands above`);
  }

  async outputs(): Promise<Record<string, ProxyOutput>> {
    const { code, stdout, stderr } = await this.#run(["stack", "output", "--json"]);
    if (code !== 0) throw new Error(`pulumi stack output failed: ${stderr.trim()}`);
    return (JSON.parse(stdout) as { proxies: Record<string, ProxyOutput> }).proxies;
  }

  async #run(
    args: readonly string[],
    onOutput: (text: string) => void = () => undefined,
  ): ReturnType<Workspace["pulumi"]> {
    appendFileSync(this.#log, `$ pulumi ${args.join(" ")}\n`);
    const result = await this.#workspace.pulumi(args, {
      cwd: this.project,
      onOutput: (text) => {
        appendFileSync(this.#log, text);
        onOutput(text);
      },
    });
    appendFileSync(this.#log, `(exit code ${result.code})\n\n`);
    return result;
  }
}

function stackFile({ namespace, context, theirs }: Place, namespaceUid: string): string {
  // A name may look like something else to YAML; its strings in quotes are those of JSON.
  const head = `config:
  pulumi-proxies:zone:
    namespace: ${namespace}
    cluster:
      context: ${JSON.stringify(context)}
      namespaceUid: ${namespaceUid}
  pulumi-proxies:proxies:
`;
  // The default of ten seconds would make whoever watches wait half a minute more.
  const proxies = Object.entries(PROXIES).map(
    ([name, { secret, replicas }]) => `    ${name}:
      configTokenSecretRef:
        name: ${secret}
      minReadySeconds: 1
${replicas === 1 ? "" : `      replicas: ${replicas}\n`}${theirs ? "      rollout:\n        wait: false\n" : ""}`,
  );
  return head + proxies.join("");
}
