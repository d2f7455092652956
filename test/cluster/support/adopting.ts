// `npm run adopt` and the steps that it prints, as a person who moves in runs them.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { eventually } from "../../dev/support.ts";
import type { CommandRun } from "./ci-command.ts";
import { type KubeObject, type TestZone } from "./zone.ts";

const program = fileURLToPath(new URL("../../../adopt/adopt.ts", import.meta.url));

export interface AdoptRun extends CommandRun {
  /** The commands of each step. */
  steps: string[][];
}

/** Runs `npm run adopt` on a zone's namespace, as a user who has no right but those of `grantReading`. */
export async function adopt(zone: TestZone): Promise<AdoptRun> {
  const args = ["--stack", zone.stack, "--context", zone.context, "-n", zone.namespace];
  const env = { ...zone.workspace.env, KUBECONFIG: zone.cluster.users.stranger };
  const run = await new Promise<CommandRun>((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: zone.project, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
  appendFileSync(zone.log, `$ adopt\n${run.stdout}${run.stderr}\n(exit code ${run.code})\n\n`);
  return { ...run, steps: stepsIn(run.stdout) };
}

function stepsIn(text: string): string[][] {
  return text
    .split(/^\d\. /m)
    .slice(1)
    .map((step) => [...step.matchAll(/^ {5}(\S.*)$/gm)].map(([, command = ""]) => command));
}

/** Grants what `npm run adopt -- --help` says that it takes. */
export async function grantReading(zone: TestZone): Promise<void> {
  const rules: [string, string[], string[]][] = [
    ["otilm.com", ["proxies", "connectors"], ["list"]],
    ["apps", ["deployments"], ["list"]],
    ["", ["services", "serviceaccounts"], ["list"]],
    ["policy", ["poddisruptionbudgets"], ["list"]],
    ["networking.k8s.io", ["networkpolicies"], ["list"]],
    ["", ["namespaces"], ["get"]],
  ];
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const metadata = { name: "adopt" };
  await zone.apply(
    {
      apiVersion,
      kind: "Role",
      metadata,
      rules: rules.map(([group, resources, verbs]) => ({ apiGroups: [group], resources, verbs })),
    },
    {
      apiVersion,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name },
      subjects: [{ kind: "User", name: "stranger" }],
    },
  );
}

/** The same where nothing is wrong. */
export async function adopted(zone: TestZone): Promise<AdoptRun> {
  const run = await adopt(zone);
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.equal(run.steps.length, 6, run.stdout);
  return run;
}

/** Runs the check of step 3 until nobody controls the objects. */
export function letGo(zone: TestZone, commands: string[] | undefined): Promise<true> {
  return eventually("nobody controls the objects", 60, async () => {
    const printed = (await inShell(zone, commands)).trim().split("\n");
    const lines = printed.filter((line) => !line.startsWith("KIND "));
    return lines.length > 0 && lines.every((line) => line.endsWith("<none>")) ? true : undefined;
  });
}

/** Waits until nothing of a type is left. */
export function gone(zone: TestZone, type: string): Promise<true> {
  return eventually(`no ${type} is left`, 60, async () =>
    (await zone.kube("get", ...type.split(" "), "--ignore-not-found", "-o", "name")) === ""
      ? true
      : undefined,
  );
}

/** Runs commands of a step as they are printed, in a shell; what they print. */
export async function inShell(zone: TestZone, commands: readonly string[] = []): Promise<string> {
  assert.notEqual(commands.length, 0);
  const { tools, kubeconfig } = zone.cluster;
  const path = [dirname(tools.kubectl), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, KUBECONFIG: kubeconfig };
  let printed = "";
  for (const command of commands) {
    const { stdout } = await promisify(execFile)("bash", ["-ec", command], { env });
    appendFileSync(zone.log, `$ ${command}\n${stdout}\n`);
    printed += stdout;
  }
  return printed;
}

/** Removes every `adopt: true` from the stack file; what it said before. */
export function removeAdopt(zone: TestZone): string {
  const file = `${zone.project}/stacks/Pulumi.${zone.stack}.yaml`;
  const before = readFileSync(file, "utf8");
  execFileSync("sed", ["-i", "/^ *adopt: true$/d", file]);
  assert.doesNotMatch(readFileSync(file, "utf8"), /adopt/);
  return before;
}

/** Kinds of which the operator makes objects. */
export const KINDS = "deployments,services,serviceaccounts,poddisruptionbudgets,networkpolicies";

/** The objects of the namespace that workloads have: not the account that each namespace has. */
export async function objectsOf(zone: TestZone): Promise<KubeObject[]> {
  const all = await zone.list(KINDS);
  return all.filter(({ metadata }) => metadata.name !== "default");
}

/** `<kind>/<name>` -> uid. */
export function uids(objects: readonly KubeObject[]): Record<string, string> {
  return Object.fromEntries(objects.map(({ kind, metadata }) => [`${kind}/${metadata.name}`, metadata.uid]));
}
