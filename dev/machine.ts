// What figures were measured on.
import { cpus, release, totalmem } from "node:os";

/** This machine in one line: cores, memory, kernel. */
export function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
}
