// Reading the GitHub workflows, and running their scripts.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadYaml } from "@kubernetes/client-node";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Step {
  id?: string;
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

/** Runs a script as a GitHub runner does. */
export function runScript(
  script: string,
  cwd: string,
  env: Record<string, string>,
): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", script], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env },
  });
  return { code: status, output: stdout + stderr };
}
