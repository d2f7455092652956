import { spawn } from "node:child_process";

/** What the CLI came to, whatever its exit code. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs the Pulumi CLI on one stack, as CI does: no prompts, no colours; backend, passphrase and kubeconfig are those of
 * the environment.
 * @throws Error when there is no CLI
 */
export function pulumi(
  stack: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Run> {
  const all = [...args, "--stack", stack, "--non-interactive", "--color=never"];
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", all, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    const output: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
    child.stdout.on("data", (chunk: Buffer) => output.stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.stderr.push(chunk));
    child.on("error", (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "ENOENT";
      reject(
        isMissing ? new Error("there is no `pulumi` on PATH: https://www.pulumi.com/docs/install/") : error,
      );
    });
    child.on("close", (code) => {
      const [stdout, stderr] = [output.stdout, output.stderr].map((chunks) =>
        Buffer.concat(chunks).toString("utf8"),
      );
      resolve({ code: code ?? 1, stdout: stdout ?? "", stderr: stderr ?? "" });
    });
  });
}

export type Answer = { value: unknown } | { error: string };

/** What the CLI answers as JSON, or why it does not. */
export async function pulumiJson(stack: string, args: readonly string[]): Promise<Answer> {
  const run = await pulumi(stack, args);
  if (run.code !== 0) return { error: errorOf(run) };
  const value = parseJson(run.stdout);
  return value === undefined ? { error: `\`pulumi ${args.join(" ")}\` gave no JSON` } : { value };
}

/** What the CLI says of a failure, in one line. */
export function errorOf({ code, stdout, stderr }: Run): string {
  const lines = `${stderr}\n${stdout}`.split("\n").map((line) => line.trim());
  const error = lines.find((line) => line.startsWith("error: ")) ?? lines.find((line) => line !== "");
  return error?.replace(/^error: /, "") ?? `pulumi ended with exit code ${code}`;
}

/** Text as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says would quote the text.
    return undefined;
  }
}
