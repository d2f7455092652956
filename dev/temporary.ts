// Temporary folders that are gone when this process is gone, unless somebody asked to keep them.

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keep, removeAtEnd } from "./guard.ts";

/**
 * Makes a temporary folder, removed by {@link removeFolder} or when this process ends. Returns its real path.
 */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `pulumi-proxies-${name}-`)));
  removeAtEnd(folder);
  return folder;
}

/** Removes a folder that {@link temporaryFolder} made. */
export async function removeFolder(folder: string): Promise<void> {
  // A process that was just ended may still be writing its last file: retry instead of failing with
  // ENOTEMPTY.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  keep(folder);
}

/** Leaves a folder that {@link temporaryFolder} made in place, for example with the logs of a failed test. */
export function keepFolder(folder: string): void {
  keep(folder);
}
