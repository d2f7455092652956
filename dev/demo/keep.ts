// KEEP=1: how to look around in what runs.

import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Place } from "./place.ts";
import { STACK } from "./zone.ts";

/** Writes a file that gives a shell what the demo's Pulumi and kubectl need, and returns what to do with it. */
export function howToLookAround(
  { theirs, context, namespace, kubeconfig, logsDir }: Place,
  {
    env,
    kubectl,
    folder,
    project,
  }: { env: Readonly<Record<string, string>>; kubectl: string; folder: string; project: string },
): string {
  const file = join(folder, "environment");
  const exports = Object.entries(env)
    .filter(([name]) => /^(PULUMI_|KUBECONFIG$)/.test(name))
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  const path = [dirname(kubectl), ...added(env["PATH"] ?? "")].join(delimiter);
  writeFileSync(file, `${exports.join("")}export PATH=${quoted(path)}${delimiter}"$PATH"\n`);
  const installed = (process.env["PATH"] ?? "").split(delimiter).includes(dirname(kubectl));
  const command = [
    installed ? "kubectl" : quoted(kubectl),
    ...(theirs ? ["--context", quoted(context)] : []),
    "--namespace",
    namespace,
  ].join(" ");
  return `
Everything is left running. To look around, in another terminal:

  export KUBECONFIG=${quoted(kubeconfig)}
  ${command} get deployments,pods,secrets
  ${command} describe deployment edge-a

To run Pulumi on it as the demo did (the file sets PATH, KUBECONFIG and PULUMI_..., for that shell only):

  . ${quoted(file)}
  cd ${quoted(project)}
  pulumi stack output proxies
  pulumi preview --diff        after an edit of stacks/Pulumi.${STACK}.yaml, or of a Secret
  pulumi up

${
  logsDir === undefined
    ? ""
    : `Logs of the control plane: ${logsDir}

`
}Stop and clean up with Ctrl-C here, or from elsewhere with: kill ${process.pid}
`;
}

/** The folders that the workspace has put before what PATH was. */
function added(path: string): string[] {
  const before = process.env["PATH"] ?? "";
  return (path.endsWith(before) ? path.slice(0, path.length - before.length) : path)
    .split(delimiter)
    .filter((each) => each !== "");
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
