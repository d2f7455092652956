// Runs a job of a GitHub sample as a runner does: a checkout of its own, its scripts as they stand there.
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import type { Workspace } from "../../../dev/workspace.ts";
import { jobsOf, runScript, type Step } from "../../ci/workflows-support.ts";
import { install, type Repository } from "./repository.ts";

/** What the expressions of a workflow can name: `secrets.<name>`, `github.event.before`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** What a runner finds when it starts. */
export interface Runner {
  repository: Repository;
  workspace: Workspace;
  log: string;
}

export interface JobOptions {
  /** The workflow. */
  file: string;
  job: string;
  commit: string;
  contexts: Contexts;
}

export interface JobRun {
  /** Whether all of its steps succeeded. */
  succeeded: boolean;
  /** What all of its scripts said. */
  output: string;
  /** None of a job that failed. */
  outputs: Record<string, string>;
  /** The files that it uploads. */
  artifact: Record<string, string>;
  /** Files that are left in RUNNER_TEMP. */
  left: string[];
}

/** What a runner gets from the workflow, and from nowhere else. */
const OF_THE_WORKFLOW = ["KUBECONFIG", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"];

/** Actions that install what is here already. */
const SETUP = /^(actions\/setup-node|pulumi\/actions)@/;

/** Runs a job. What is not known here is an error: a step, a condition, a name. */
export async function runJob(runner: Runner, options: JobOptions): Promise<JobRun> {
  const { file, job: name, contexts } = options;
  const job = jobsOf(file)[name];
  if (job === undefined) throw new Error(`${file} has no job ${name}`);
  const folder = mkdtempSync(`${runner.workspace.dir}/${name}-`);
  const [checkout, temp] = [`${folder}/checkout`, `${folder}/temp`];
  for (const path of [checkout, temp]) mkdirSync(path);
  const env = {
    ...without(runner.workspace.env, OF_THE_WORKFLOW),
    HOME: folder,
    RUNNER_TEMP: temp,
    GITHUB_STEP_SUMMARY: `${folder}/summary.md`,
  };
  const timeoutMs = (job["timeout-minutes"] ?? 360) * 60_000;

  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const result: JobRun = { succeeded: true, output: "", outputs: {}, artifact: {}, left: [] };
  for (const [index, step] of job.steps.entries()) {
    if (!isDue(step, result, contexts)) continue;
    if (step.run === undefined) {
      Object.assign(result.artifact, await act(step, checkout, runner, options.commit));
    } else if (step.run === "npm ci") {
      install(checkout);
    } else {
      const GITHUB_OUTPUT = `${folder}/output-${index}`;
      const given = { ...env, ...resolvedAll(step.env, contexts), GITHUB_OUTPUT };
      const { code, output } = await runScript(step.run, checkout, given, { timeoutMs });
      appendFileSync(runner.log, `$ ${file}, ${name}: ${step.run}\n${output}\n(exit code ${code})\n\n`);
      result.succeeded &&= code === 0;
      result.output += output;
      if (step.id !== undefined) steps[step.id] = { outputs: outputsIn(GITHUB_OUTPUT) };
    }
  }
  if (result.succeeded) result.outputs = resolvedAll(job.outputs, { steps });
  return { ...result, left: readdirSync(temp) };
}

/** What an action does, and the files that it uploads. */
async function act(
  { uses = "", with: options = {} }: Step,
  checkout: string,
  { repository }: Runner,
  commit: string,
): Promise<Record<string, string>> {
  if (uses.startsWith("actions/checkout@")) {
    await repository.checkOut(checkout, commit, Number(options["fetch-depth"] ?? 1));
    return {};
  }
  if (uses.startsWith("actions/upload-artifact@")) {
    const paths = String(options["path"]).trim().split("\n");
    return Object.fromEntries(paths.map((path) => [path, readFileSync(`${checkout}/${path}`, "utf8")]));
  }
  if (!SETUP.test(uses)) throw new Error(`it is not known here what ${uses} does`);
  return {};
}

function isDue({ if: condition }: Step, { succeeded }: JobRun, contexts: Contexts): boolean {
  if (condition === undefined) return succeeded;
  if (condition === "always()") return true;
  const [, name] = /^([\w.]+) != ''$/.exec(condition) ?? [];
  if (name === undefined) throw new Error(`it is not known here when "${condition}" is true`);
  return succeeded && valueOf(name, contexts) !== "";
}

/** Texts with the values of their expressions, which are names and nothing else. */
function resolvedAll(texts: Record<string, string> = {}, contexts: Contexts): Record<string, string> {
  const resolved = (text: string): string =>
    text.replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => valueOf(name, contexts));
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, resolved(text)]));
}

/** To GitHub a name that nothing defines is an empty text; here it is a mistake. */
function valueOf(name: string, contexts: Contexts): string {
  const value = name
    .split(".")
    .reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], contexts);
  if (typeof value !== "string") throw new Error(`nothing says what ${name} is`);
  return value;
}

/** What a script wrote to GITHUB_OUTPUT, if it did. */
function outputsIn(file: string): Record<string, string> {
  const text = readFileSync(file, { encoding: "utf8", flag: "a+" });
  return Object.fromEntries(
    [...text.matchAll(/^(.+?)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]),
  );
}

function without(env: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
