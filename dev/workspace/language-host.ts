// Which of its Node parts a CLI finds: the language host that runs programs, and the provider of dynamic resources. It
// looks on PATH and beside itself, and prefers PATH, but warns in every run unless it finds the same, or nothing, on PATH.

import { existsSync, mkdtempSync, realpathSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../builder/cache.ts";

interface Part {
  name: string;
  /** Says where the part is that a checkout wants to be used. */
  variable: string;
  /** Folder of ours. */
  folder: string;
}

const folderAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const PARTS: readonly Part[] = [
  {
    name: "pulumi-language-nodejs",
    variable: "PULUMI_PROXIES_LANGUAGE_HOST",
    folder: folderAt("../language-host"),
  },
  {
    name: "pulumi-resource-pulumi-nodejs",
    variable: "PULUMI_PROXIES_DYNAMIC_PROVIDER",
    // It comes with the SDK.
    folder: folderAt("../../node_modules/@pulumi/pulumi"),
  },
];

/**
 * The built CLI is shared by all checkouts of this machine; the one that runs it says in a variable where its
 * parts are.
 */
const pointer = (variable: string): string => `#!/bin/sh
exec "\${${variable}:?is not set: this pulumi is built for development and runs programs only through dev/workspace.ts}" "$@"
`;

/**
 * PATH, and what else the environment needs, for this CLI to find its Node parts. `path` is PATH without them.
 */
export function languageHost(pulumi: string, path: string): Record<string, string> {
  const folder = dirname(realpathSync(pulumi));
  const isBuilt = folder.startsWith(cacheFolder(process.env) + sep);
  const missing = PARTS.filter(({ name }) => !existsSync(join(folder, name)));
  if (isBuilt) {
    for (const { name, variable } of missing) writePointer(join(folder, name), variable);
    const variables = PARTS.map((part) => [part.variable, join(part.folder, part.name)] as const);
    return { PATH: path, ...Object.fromEntries(variables) };
  }
  // A CLI from Pulumi's own installers has the genuine ones beside it.
  return { PATH: [...missing.map((part) => part.folder), path].join(delimiter) };
}

function writePointer(file: string, variable: string): void {
  // Written elsewhere and renamed: another process may be starting a CLI now.
  const temporary = mkdtempSync(`${file}.`);
  const written = join(temporary, "pointer");
  writeFileSync(written, pointer(variable), { mode: 0o755 });
  renameSync(written, file);
  rmdirSync(temporary);
}
