// Which pulumi-language-nodejs a CLI finds. It looks on PATH and beside itself, and prefers PATH, but warns
// in every run unless it finds the same, or nothing, on PATH.

import { existsSync, mkdtempSync, realpathSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../builder/cache.ts";

const NAME = "pulumi-language-nodejs";
const VARIABLE = "PULUMI_PROXIES_LANGUAGE_HOST";

const folder = fileURLToPath(new URL("../language-host", import.meta.url));

/**
 * The built CLI is shared by all checkouts of this machine; the one that runs it says in a variable where its
 * host is.
 */
const POINTER = `#!/bin/sh
exec "\${${VARIABLE}:?is not set: this pulumi is built for development and runs programs only through dev/workspace.ts}" "$@"
`;

/**
 * PATH, and what else the environment needs, for this CLI to find a language host. `path` is PATH without
 * one.
 */
export function languageHost(pulumi: string, path: string): Record<string, string> {
  const beside = join(dirname(realpathSync(pulumi)), NAME);
  if (beside.startsWith(cacheFolder(process.env) + sep)) {
    if (!existsSync(beside)) writePointer(beside);
    return { PATH: path, [VARIABLE]: join(folder, NAME) };
  }
  // A CLI from Pulumi's own installers has the genuine one beside it.
  if (existsSync(beside)) return { PATH: path };
  return { PATH: [folder, path].join(delimiter) };
}

function writePointer(file: string): void {
  // Written elsewhere and renamed: another process may be starting a CLI now.
  const temporary = mkdtempSync(`${file}.`);
  writeFileSync(join(temporary, NAME), POINTER, { mode: 0o755 });
  renameSync(join(temporary, NAME), file);
  rmdirSync(temporary);
}
