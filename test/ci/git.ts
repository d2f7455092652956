import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Git with nothing of the person's own: for repositories that tests make. */
const OWN = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

/** Runs Git in a folder; what it prints. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const options = { cwd, env: { ...process.env, ...OWN }, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)("git", args, options);
  return stdout.trim();
}
