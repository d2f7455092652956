import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export const NO_CHROMIUM =
  "the browser tests need Chromium: `apt-get install chromium` (as root), or set CHROMIUM to the path of one";

/** Where Chromium is: what CHROMIUM says, else the first one on PATH; undefined when there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const candidates = env["CHROMIUM"]
    ? [env["CHROMIUM"]]
    : folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
