// Reading the workflow samples, and running their scripts.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadYaml } from "@kubernetes/client-node";
import { run } from "../../dev/workspace/run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Paths of the GitHub samples. */
export const [PREVIEW, UP, DRIFT] = ["preview", "up", "drift"].map(
  (name) => `ci/workflows/github/${name}.yml`,
) as [string, string, string];

export interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

export interface Job {
  if?: string;
  permissions?: Record<string, string>;
  concurrency?: object;
  environment?: string;
  outputs?: Record<string, string>;
  strategy?: { "fail-fast"?: boolean };
  steps: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions?: object;
  jobs: Record<string, Job & { "timeout-minutes"?: number }>;
}

export function workflow(file: string): Workflow {
  return loadYaml<Workflow>(readFileSync(`${root}${file}`, "utf8"));
}

export function jobsOf(file: string): Workflow["jobs"] {
  return workflow(file).jobs;
}

/** The last script of a job. */
export function scriptOf(file: string, job: string): string {
  const script = jobsOf(file)[job]?.steps.findLast(
    ({ run }) => run !== undefined && !run.startsWith("rm "),
  )?.run;
  if (script === undefined) throw new Error(`${file} has no script in ${job}`);
  return script;
}

/** The script of a job of the GitLab sample. */
export function gitlabScript(job: string): string {
  const sample = loadYaml<Record<string, { script?: string[] }>>(
    readFileSync(`${root}ci/workflows/gitlab/.gitlab-ci.yml`, "utf8"),
  );
  const script = sample[job]?.script;
  if (script === undefined) throw new Error(`the GitLab sample has no script in ${job}`);
  return script.join("\n");
}

export interface ScriptRun {
  code: number;
  output: string;
}

export interface ScriptOptions {
  /** How a runner of GitHub or GitLab calls bash. Default: GitHub's. */
  shell?: readonly string[];
  timeoutMs?: number;
}

export const GITLAB_SHELL = ["-e", "-o", "pipefail"];

/** Runs a script as a runner does. */
export async function runScript(
  script: string,
  cwd: string,
  env: Record<string, string>,
  { shell = ["-e"], timeoutMs = 60_000 }: ScriptOptions = {},
): Promise<ScriptRun> {
  const given = { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env };
  const { code, stdout, stderr } = await run("bash", [...shell, "-c", script], given, { cwd, timeoutMs });
  return { code, output: stdout + stderr };
}
