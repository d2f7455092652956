// The Git repository of a team that runs zones: a clone to work in, and the origin from which CI checks out.
import { cpSync, globSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { git } from "../../ci/git.ts";
import type { TestZone } from "./zone.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What such a repository has of the project: all that runs and the commands of CI need. */
const FILES = [
  ...[".gitignore", "Pulumi.yaml", "ci", "components", "index.ts", "main.js"],
  ...["package-lock.json", "package.json"],
  // Not the examples beside them.
  ...globSync("stacks/*.ts", { cwd: root }),
];

/** What `npm ci` makes. */
const INSTALLED = ["build", "node_modules"];

export class Repository {
  /** Where people work. */
  readonly clone: string;
  readonly #origin: string;

  private constructor(clone: string, origin: string) {
    this.clone = clone;
    this.#origin = origin;
  }

  /** Makes a zone's project the clone; its first commit is on `main`, and pushed. */
  static async create({ project, workspace }: TestZone): Promise<Repository> {
    const repository = new Repository(project, `${workspace.dir}/origin.git`);
    for (const name of FILES) {
      rmSync(`${project}/${name}`, { force: true });
      cpSync(root + name, `${project}/${name}`, { recursive: true });
    }
    install(project);
    await git(workspace.dir, "init", "--quiet", "--bare", "--initial-branch=main", repository.#origin);
    await repository.git("init", "--quiet", "--initial-branch=main");
    await repository.git("remote", "add", "origin", `file://${repository.#origin}`);
    await repository.git("add", ...FILES);
    await repository.commit("Run zones");
    return repository;
  }

  /** Git in the clone. */
  git(...args: string[]): Promise<string> {
    return git(this.clone, ...args);
  }

  /** The commit that is checked out. */
  head(): Promise<string> {
    return this.git("rev-parse", "HEAD");
  }

  /** Commits what is staged and the stack files as they are, and pushes the branch; the new commit. */
  async commit(message: string): Promise<string> {
    await this.git("add", "stacks");
    await this.git("commit", "--quiet", "--message", message);
    await this.git("push", "--quiet", "origin", "HEAD");
    return this.head();
  }

  /** Merges a branch into `main`, as the button of a pull request does; the new commit and the one before. */
  async merge(branch: string): Promise<{ commit: string; before: string }> {
    await this.git("switch", "--quiet", "main");
    const before = await this.head();
    await this.git("merge", "--quiet", "--no-ff", "--no-edit", branch);
    await this.git("push", "--quiet", "origin", "HEAD");
    return { commit: await this.head(), before };
  }

  /** What `actions/checkout` makes of an empty folder; a depth of 0 is all of the history. */
  async checkOut(folder: string, commit: string, depth: number): Promise<void> {
    await git(folder, "init", "--quiet");
    await git(folder, "remote", "add", "origin", `file://${this.#origin}`);
    const history = depth === 0 ? [] : [`--depth=${depth}`];
    await git(folder, "fetch", "--quiet", ...history, "origin", commit);
    await git(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD");
  }
}

/** What `npm ci` does to a checkout, without asking a registry. */
export function install(folder: string): void {
  for (const name of INSTALLED) {
    rmSync(`${folder}/${name}`, { force: true });
    symlinkSync(root + name, `${folder}/${name}`);
  }
}
