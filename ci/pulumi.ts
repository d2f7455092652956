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
