// The commands of CI as CI runs them, in a zone's project.
import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestZone } from "./zone.ts";

export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `npm run <name> -- <args>`: as the update identity where it mends, else as the one that only looks. */
export async function ciCommand(zone: TestZone, name: string, ...args: string[]): Promise<CommandRun> {
  const program = fileURLToPath(new URL(`../../../ci/${name}.ts`, import.meta.url));
  const env = await zone.envOf(args.includes("--fix") ? "update" : "preview");
  const run = await new Promise<CommandRun>((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: zone.project, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
  const { code, stdout, stderr } = run;
  appendFileSync(zone.log, `$ ${name} ${args.join(" ")}\n${stdout}${stderr}\n(exit code ${code})\n\n`);
  return run;
}
