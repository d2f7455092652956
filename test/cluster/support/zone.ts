// One zone for one test: a namespace of its own on the shared cluster, and a stack of its own in a temporary project.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Identity } from "../../../ci/roles/roles.ts";
import { eventually } from "../../dev/support.ts";
import { createWorkspace, type RunOptions, type Workspace } from "../../../dev/workspace.ts";
import { sharedCluster, type TestCluster } from "./cluster.ts";
import { parseChanges } from "./changes.ts";
import { identityOf, rolesIn } from "./identities.ts";
import { impatient, type StackFile, stackFileText } from "./stack-file.ts";
import type { ProxyOutput } from "./outputs.ts";
import { makeToken } from "./token.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Run {
  code: number;
  /** Standard output and error, in that order. */
  output: string;
  /** The CLI's summary: operation -> count, such as `{ update: 1, unchanged: 7 }`. */
  changes: Record<string, number>;
}

export type { StackFile } from "./stack-file.ts";

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    generation: number;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    managedFields?: { manager: string; subresource?: string }[];
  };
  [field: string]: unknown;
}

export interface ZoneOptions {
  /** In place of the shared one. */
  cluster?: TestCluster;
  /** Whether the namespace is there from the start. Default: yes. */
  namespace?: boolean;
  /** Share another zone's namespace. */
  beside?: TestZone;
  /** Whether stack files are taken as they are. Default: no, proxies get `minReadySeconds: 0`. */
  asWritten?: boolean;
}

export class TestZone {
  readonly cluster: TestCluster;
  readonly namespace: string;
  readonly stack: string;
  readonly project: string;
  readonly context: string;
  readonly workspace: Workspace;
  readonly log: string;
  readonly #namespaces: string[] = [];
  readonly #grantsRights: boolean;
  #granted = "";
  readonly #asWritten: boolean;

  private constructor(workspace: Workspace, cluster: TestCluster, namespace: string, options: ZoneOptions) {
    this.#asWritten = options.asWritten === true;
    this.#grantsRights = options.namespace !== false;
    this.workspace = workspace;
    this.cluster = cluster;
    this.namespace = namespace;
    this.context = cluster.context;
    this.stack = `test-${randomBytes(3).toString("hex")}`;
    this.project = `${workspace.dir}/project`;
    this.log = `${workspace.dir}/commands.log`;
  }

  /** Makes the zone; it is gone after the test. The log of a failed test stays, and the test names it. */
  static async open(t: TestContext, file: StackFile, options: ZoneOptions = {}): Promise<TestZone> {
    const cluster = options.cluster ?? sharedCluster();
    const workspace = await createWorkspace({ tools: cluster.tools });
    const namespace = options.beside?.namespace ?? `t-${randomBytes(4).toString("hex")}`;
    const zone = new TestZone(workspace, cluster, namespace, options);
    t.after(() => zone.#close(t, options.beside === undefined));
    mkdirSync(`${zone.project}/stacks`, { recursive: true });
    for (const name of ["index.ts", "package.json", "node_modules"])
      symlinkSync(root + name, `${zone.project}/${name}`);
    // As they are, not where they are: a test may put another program beside them.
    for (const name of ["Pulumi.yaml", "main.js"]) copyFileSync(root + name, `${zone.project}/${name}`);
    if (options.namespace !== false && options.beside === undefined)
      await zone.kubectl(["create", "namespace", namespace]);
    await zone.pulumi(["stack", "init"]);
    zone.write(file);
    return zone;
  }

  /** Writes the stack file, with namespace and context of this zone filled in; secrets that were set stay. */
  write(file: StackFile): void {
    const path = `${this.project}/stacks/Pulumi.${this.stack}.yaml`;
    const { zone = {}, ...rest } = file as { zone?: { cluster?: object } };
    const filled = {
      namespace: this.namespace,
      ...zone,
      cluster: { context: this.context, ...zone.cluster },
    };
    const said = this.#asWritten ? rest : impatient(rest);
    writeFileSync(path, stackFileText(readFileSync(path, "utf8"), { zone: filled, ...said }));
  }

  /** Writes the stack file as it is given. */
  writeText(text: string): void {
    writeFileSync(`${this.project}/stacks/Pulumi.${this.stack}.yaml`, text);
  }

  /** Makes another namespace, which goes with the zone. */
  async namespaceBeside(suffix: string): Promise<string> {
    const name = `${this.namespace}-${suffix}`;
    await this.makeNamespace(name);
    return name;
  }

  /** Makes a namespace of this name, which goes with the zone. */
  async makeNamespace(name: string): Promise<void> {
    await this.kubectl(["create", "namespace", name]);
    this.#namespaces.push(name);
  }

  /** Makes another zone in this one's project, in a namespace of its own; it goes with this zone. */
  async anotherZone(file: StackFile): Promise<TestZone> {
    const namespace = await this.namespaceBeside(randomBytes(2).toString("hex"));
    const zone = new TestZone(this.workspace, this.cluster, namespace, { asWritten: this.#asWritten });
    await zone.pulumi(["stack", "init"]);
    zone.write(file);
    return zone;
  }

  up(...args: string[]): Promise<Run> {
    return this.pulumi(["up", "--yes", "--skip-preview", ...args]);
  }

  preview(...args: string[]): Promise<Run> {
    return this.pulumi(["preview", ...args]);
  }

  destroy(...args: string[]): Promise<Run> {
    return this.pulumi(["destroy", "--yes", "--skip-preview", ...args]);
  }

  /** Gives both identities the rights that they need for what the stack file says now. */
  async grantRights(): Promise<void> {
    const file = `${this.project}/stacks/Pulumi.${this.stack}.yaml`;
    if (!existsSync(file)) return;
    const roles = rolesIn(this.namespace, this.stack, file);
    const text = JSON.stringify([...roles]);
    if (text === this.#granted) return;
    for (const [namespace, objects] of roles) await this.applyIn(namespace, ...objects);
    this.#granted = text;
  }

  /** The environment of an identity, which has got its rights for what the stack file says now. */
  async envOf(identity: Identity): Promise<Record<string, string>> {
    if (this.#grantsRights) await this.grantRights();
    return { ...this.workspace.env, KUBECONFIG: this.cluster.users[identity] };
  }

  /** Runs the CLI on this zone's stack, as the identity that does so in CI, whatever its exit code. */
  async pulumi(args: readonly string[], options: RunOptions = {}): Promise<Run> {
    const env = { ...(await this.envOf(identityOf(args[0]))), ...options.env };
    const all = [...args, "--stack", this.stack];
    const { code, stdout, stderr } = await this.workspace.pulumi(all, { cwd: this.project, ...options, env });
    const output = stdout + stderr;
    appendFileSync(this.log, `$ pulumi ${args.join(" ")}\n${output}\n(exit code ${code})\n\n`);
    return { code, output, changes: parseChanges(output) };
  }

  /** What the stack exports of its components, of proxies by default. */
  async outputs(of = "proxies"): Promise<Record<string, ProxyOutput>> {
    const { output } = await this.pulumi(["stack", "output", "--json"]);
    return (JSON.parse(output) as Record<string, Record<string, ProxyOutput>>)[of] ?? {};
  }

  /** The whole state, secrets as they are stored. */
  async state(): Promise<string> {
    return (await this.pulumi(["stack", "export"])).output;
  }

  kubectl(args: readonly string[], input?: string): Promise<string> {
    const all = ["--kubeconfig", this.cluster.kubeconfig, "--context", this.cluster.context, ...args];
    return new Promise((resolve, reject) => {
      const child = execFile(
        this.cluster.tools.kubectl,
        all,
        { maxBuffer: 1 << 26 },
        (error, stdout, stderr) => {
          if (error) reject(new Error(`kubectl ${args.join(" ")}: ${stderr}`));
          else resolve(stdout);
          // Last: what throws in here would leave everybody waiting.
          appendFileSync(this.log, `$ kubectl ${args.join(" ")}\n${stderr}\n`);
        },
      );
      child.stdin?.end(input);
    });
  }

  /** kubectl in this zone's namespace. */
  kube(...args: string[]): Promise<string> {
    return this.kubectl(["--namespace", this.namespace, ...args]);
  }

  async get(kind: string, name: string): Promise<KubeObject> {
    return JSON.parse(
      await this.kube("get", kind, name, "-o", "json", "--show-managed-fields"),
    ) as KubeObject;
  }

  async list(kinds: string, ...args: string[]): Promise<KubeObject[]> {
    const list = await this.kube("get", kinds, "-o", "json", "--show-managed-fields", ...args);
    return (JSON.parse(list) as { items: KubeObject[] }).items;
  }

  /** Applies objects as somebody else would. */
  apply(...objects: object[]): Promise<string> {
    return this.applyIn(this.namespace, ...objects);
  }

  /** Applies objects in another namespace. */
  applyIn(namespace: string, ...objects: object[]): Promise<string> {
    const list = { apiVersion: "v1", kind: "List", items: objects };
    return this.kubectl(["--namespace", namespace, "apply", "-f", "-"], JSON.stringify(list));
  }

  /** What stays when all that was deleted is gone: a Deployment waits for its pods, and no run waits for that. */
  left(kinds: string): Promise<KubeObject[]> {
    return eventually(`what was deleted of ${kinds} is gone`, 120, async () => {
      const all = await this.list(kinds);
      return all.every(({ metadata }) => metadata.deletionTimestamp === undefined) ? all : undefined;
    });
  }

  /** Puts a token in place, as the platform does; returns it. */
  async putToken(secret: string, expires?: string, more: Record<string, string> = {}): Promise<string> {
    const token = await makeToken(expires);
    await this.apply({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: secret },
      stringData: { configToken: token, ...more },
    });
    return token;
  }

  /** resourceVersion of everything of ours (and of the namespace's Secrets and ConfigMaps): equal twice, nothing was written. */
  async fingerprint(): Promise<Record<string, string>> {
    const objects = await this.list(
      "deployments,services,serviceaccounts,horizontalpodautoscalers,poddisruptionbudgets,networkpolicies,secrets,configmaps,replicasets",
    );
    return Object.fromEntries(
      objects.map(({ kind, metadata }) => [`${kind}/${metadata.name}`, metadata.resourceVersion]),
    );
  }

  async #close(t: TestContext, ownNamespace: boolean): Promise<void> {
    // Node has it; its type declarations do not.
    if (!(t as TestContext & { passed: boolean }).passed) {
      const kept = `${this.cluster.results}/${t.name.replace(/\W+/g, "-")}.${this.stack}`;
      cpSync(this.cluster.logs, `${kept}/control-plane`, { recursive: true });
      copyFileSync(this.log, `${kept}/commands.log`);
      t.diagnostic(`commands, their output, and the logs of the control plane: ${kept}`);
    }
    const namespaces = [...(ownNamespace ? [this.namespace] : []), ...this.#namespaces];
    if (namespaces.length > 0)
      await this.kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false"]);
    await this.workspace.remove();
  }
}

/** A value inside an object: `at(deployment, "spec", "template")`; undefined where the way ends. */
export function at(object: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
    object,
  );
}
