// Three programs for the same CLI and provider: ours, and the plain ones in ../raw.
import { copyFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createWorkspace } from "../../dev/workspace.ts";
import type { Place } from "../place.ts";
import {
  type Command,
  type Fleet,
  type Operation,
  type Proxies,
  type Subject,
  writesEachStep,
} from "./subject.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const STACK = "bench";

/** https://github.com/pulumi/pulumi/issues/10668 */
const WITHOUT_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

interface Program {
  name: string;
  title: string;
  /** Its Pulumi.yaml, below the root. */
  projectFile: string;
  /** Its entry point: name in the project -> file below the root. */
  entry: Readonly<Record<string, string>>;
  /** Whether main.js starts it. */
  isStarted: boolean;
  /** The project's name. */
  project: string;
  /** The folder of its stack files, below the project's. */
  stacks: string;
  /** Whether neither it nor its provider waits for pods, and kubectl is asked to. */
  waitsByKubectl: boolean;
  config(place: Place, namespace: string, proxies: Proxies): Record<string, unknown>;
}

const rawConfig = (project: string, { context }: Place, namespace: string, proxies: Proxies) => ({
  [`${project}:namespace`]: namespace,
  [`${project}:context`]: context,
  [`${project}:proxies`]: proxies,
});

const OURS: Program = {
  name: "ours",
  title: "pulumi-proxies",
  projectFile: "Pulumi.yaml",
  entry: { "index.ts": "index.ts" },
  isStarted: true,
  project: "pulumi-proxies",
  stacks: "stacks",
  waitsByKubectl: false,
  config: ({ context }, namespace, proxies) => ({
    "pulumi-proxies:zone": { namespace, cluster: { context } },
    "pulumi-proxies:proxies": Object.fromEntries(
      Object.keys(proxies).map((name) => [
        name,
        {
          configTokenSecretRef: { name: `${name}-config` },
          podDisruptionBudget: { enabled: true },
          minReadySeconds: 0,
        },
      ]),
    ),
  }),
};

const RAW: Program = {
  name: "raw",
  title: "plain program, tuned alike",
  projectFile: "bench/raw/Pulumi.yaml",
  entry: { "tuned.ts": "bench/raw/tuned.ts" },
  isStarted: false,
  project: "bench-raw",
  stacks: ".",
  waitsByKubectl: true,
  config: (place, namespace, proxies) => rawConfig("bench-raw", place, namespace, proxies),
};

/** What a plain program would gain by the start that ours has. */
const STARTED: Program = {
  ...RAW,
  name: "raw-started",
  title: "plain program, tuned and started alike",
  entry: { "index.ts": "bench/raw/tuned.ts" },
  isStarted: true,
};

const DEFAULTS: Program = {
  ...RAW,
  name: "defaults",
  title: "plain program, Pulumi's defaults",
  projectFile: "bench/raw/Pulumi.defaults.yaml",
  entry: { "defaults.ts": "bench/raw/defaults.ts" },
  project: "bench-raw-defaults",
  waitsByKubectl: false,
  config: (place, namespace, proxies) => rawConfig("bench-raw-defaults", place, namespace, proxies),
};

/** Without `checkpoints` the state is written only at the end of the runs that change every proxy. */
export function pulumiSubjects(place: Place, checkpoints = true): Subject[] {
  return [OURS, RAW, STARTED, DEFAULTS].map((program) => ({
    name: program.name,
    title: program.title,
    makeFleet: (namespace) => makeFleet(place, program, namespace, checkpoints),
  }));
}

async function makeFleet(
  place: Place,
  program: Program,
  namespace: string,
  checkpoints: boolean,
): Promise<Fleet> {
  const workspace = await createWorkspace({ tools: place.tools, kubeconfig: place.kubeconfig });
  const project = join(workspace.dir, "project");
  mkdirSync(join(project, program.stacks), { recursive: true });
  for (const [name, file] of Object.entries(program.entry)) symlinkSync(root + file, join(project, name));
  for (const name of ["package.json", "node_modules"]) symlinkSync(root + name, join(project, name));
  const yaml = readFileSync(root + program.projectFile, "utf8");
  if (program.isStarted) copyFileSync(`${root}main.js`, join(project, "main.js"));
  const main = program.isStarted ? "main.js" : Object.keys(program.entry).join();
  writeFileSync(join(project, "Pulumi.yaml"), yaml.replace(/^main: .*$/m, `main: ${main}`));
  const { code, stderr } = await workspace.pulumi(["stack", "init", STACK], { cwd: project });
  if (code !== 0) throw new Error(`pulumi stack init: ${stderr.trim()}`);
  const stackFile = join(project, program.stacks, `Pulumi.${STACK}.yaml`);
  const encryption = readFileSync(stackFile, "utf8");
  return {
    declare: (proxies) => {
      const config = program.config(place, namespace, proxies);
      // JSON is YAML.
      writeFileSync(stackFile, `${encryption}config: ${JSON.stringify(config)}\n`);
    },
    commands: (operation, changed) => [
      pulumi(
        place,
        { ...workspace.env, ...(writesEachStep(operation, checkpoints) ? {} : WITHOUT_CHECKPOINTS) },
        project,
        operation,
      ),
      ...(program.waitsByKubectl && changed.length > 0
        ? [rolloutStatus(place, project, namespace, changed)]
        : []),
    ],
    stateBytes: () =>
      Promise.resolve(
        statSync(join(workspace.dir, `backend/.pulumi/stacks/${program.project}/${STACK}.json`)).size,
      ),
    remove: () => workspace.remove(),
  };
}

function pulumi(place: Place, env: Command["env"], cwd: string, operation: Operation): Command {
  const run = { preview: ["preview"], destroy: ["destroy", "--yes", "--skip-preview"] }[
    operation as string
  ] ?? ["up", "--yes", "--skip-preview"];
  const args = [...run, "--stack", STACK, "--non-interactive", "--color=never"];
  return { command: place.tools.pulumi, args, cwd, env };
}

function rolloutStatus(place: Place, cwd: string, namespace: string, names: readonly string[]): Command {
  const deployments = names.map((name) => `deployment/${name}`);
  const { context, kubeconfig } = place;
  return {
    command: place.tools.kubectl,
    args: ["--context", context, "--namespace", namespace, "rollout", "status", ...deployments],
    cwd,
    env: { KUBECONFIG: kubeconfig },
  };
}
