// The GitHub samples on a repository, each as its event starts it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Identity } from "../../../ci/roles/roles.ts";
import { DRIFT, PREVIEW, UP } from "../../ci/workflows-support.ts";
import { type Contexts, type JobRun, runJob, type Runner } from "./github-job.ts";
import type { DriftReport, PreviewReport } from "./reports.ts";

export interface Reported<Document> {
  /** The exit code of the command. */
  code: number;
  comment: string;
  document: Document;
}

export class Pipeline {
  readonly #runner: Runner;
  readonly #kubeconfigs: Record<Identity, string>;

  /** `kubeconfigs` are paths. */
  constructor(runner: Runner, kubeconfigs: Record<Identity, string>) {
    this.#runner = runner;
    this.#kubeconfigs = kubeconfigs;
  }

  /** Commits are pushed to a pull request. */
  async pullRequest(commit: string): Promise<Reported<PreviewReport>> {
    const github = { server_url: "https://github.example.com", repository: "team/zones", run_id: "1" };
    const secrets = this.#secrets("preview", "ZONES_PREVIEW");
    const run = await this.#run(PREVIEW, "preview", commit, { github, secrets });
    return reported(run, "report");
  }

  /** Commits are pushed to the main branch, where `before` was; none was when it is started by hand. */
  async push(commit: string, before = ""): Promise<string[]> {
    const { outputs } = await this.#run(UP, "zones", commit, { github: { event: { before } } });
    const zones = JSON.parse(outputs["zones"] ?? "") as string[];
    const secrets = this.#secrets("update", "ZONE_UPDATE");
    const up = (zone: string): Promise<JobRun> =>
      this.#start(UP, "up", commit, { matrix: { zone }, secrets });
    // All of them, as `fail-fast: false` says.
    for (const run of await Promise.all(zones.map(up))) assertDone(run);
    return zones;
  }

  /** It is time to look for drift. */
  async schedule(commit: string): Promise<Reported<DriftReport>> {
    const secrets = this.#secrets("preview", "ZONES_PREVIEW");
    return reported(await this.#run(DRIFT, "drift", commit, { secrets }), "drift");
  }

  async #run(file: string, job: string, commit: string, more: Contexts): Promise<JobRun> {
    const run = await this.#start(file, job, commit, more);
    assertDone(run);
    return run;
  }

  #start(file: string, job: string, commit: string, more: Contexts): Promise<JobRun> {
    const { PULUMI_BACKEND_URL } = this.#runner.workspace.env;
    const contexts = { vars: { PULUMI_BACKEND_URL, PUSHGATEWAY_URL: "" }, ...more };
    return runJob(this.#runner, { file, job, commit, contexts });
  }

  #secrets(identity: Identity, prefix: string): Record<string, string | undefined> {
    return {
      [`${prefix}_KUBECONFIG`]: readFileSync(this.#kubeconfigs[identity], "utf8"),
      [`${prefix}_PASSPHRASE`]: this.#runner.workspace.env["PULUMI_CONFIG_PASSPHRASE"],
    };
  }
}

/** A job succeeded, and left no credentials behind. */
function assertDone({ succeeded, output, left }: JobRun): void {
  assert.ok(succeeded, output);
  assert.deepEqual(left, []);
}

/** The report that a job uploads, whose exit code it hands on. */
function reported<Document extends { exitCode: number }>(
  { outputs, artifact }: JobRun,
  name: string,
): Reported<Document> {
  const document = JSON.parse(artifact[`${name}.json`] ?? "") as Document;
  const code = Number(outputs["code"]);
  assert.equal(document.exitCode, code);
  return { code, comment: artifact[`${name}.md`] ?? "", document };
}
