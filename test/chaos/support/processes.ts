// The processes of one run of the CLI: the CLI itself, its plugins, and the program. All inherit a mark in their
// environment, by which they are found also when their parent is gone.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

export type Role = "CLI" | "program" | "language host" | "Kubernetes provider" | "dynamic provider";

export interface Process {
  pid: number;
  /** None for a shell that only starts another. */
  role: Role | undefined;
}

/** Part of the command line -> what that process is. */
const ROLES: readonly [string, Role][] = [
  ["@pulumi/pulumi/cmd/dynamic-provider", "dynamic provider"],
  ["@pulumi/pulumi/cmd/run", "program"],
  ["pulumi-resource-kubernetes", "Kubernetes provider"],
  ["pulumi-language-nodejs", "language host"],
];

/** A mark that no other run has: a variable of the environment. */
export function newMark(): Record<string, string> {
  return { PULUMI_PROXIES_CHAOS: randomBytes(12).toString("hex") };
}

/** The living processes with this mark. */
export function processesOf(mark: Record<string, string>): Process[] {
  const [[name, value] = ["", ""]] = Object.entries(mark);
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && procFile(pid, "environ").includes(`${name}=${value}`))
    .map((pid) => ({ pid, role: roleOf(procFile(pid, "cmdline")) }));
}

function roleOf(command: string[]): Role | undefined {
  const [program = ""] = command;
  if (program.endsWith("/pulumi")) return "CLI";
  if (/(^|\/)(sh|dash|bash)$/.test(program)) return undefined;
  return ROLES.find(([part]) => command.some((word) => word.includes(part)))?.[1];
}

/** The parts of a file in /proc; none when the process has ended, or belongs to another user. */
function procFile(pid: number, file: "environ" | "cmdline"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return [];
    throw error;
  }
}
