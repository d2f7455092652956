import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pulumi } from "../pulumi.ts";
import type { ZoneReport } from "./model.ts";
import { type Preview, readPreview } from "./read.ts";
import { failedZone, zoneReport } from "./zone.ts";

/** Previews one zone with the CLI; `more` are options of it. What goes wrong is the zone's own failure. */
export async function previewZone(
  stack: string,
  now: Date,
  limit: AbortSignal,
  more: readonly string[] = [],
): Promise<ZoneReport> {
  const { code, stdout, stderr, interrupted } = await pulumi(stack, ["preview", "--json", ...more], limit);
  const preview = readOrNothing(stdout);
  if (code === 0 && preview !== undefined) return zoneReport(stack, preview, now);
  const said = preview?.failure ?? errorLine(stderr) ?? `\`pulumi preview\` ended with exit code ${code}`;
  return failedZone(stack, interrupted?.why ?? said);
}

/** The report of a saved preview; its name, where it doesn't tell its stack, is that of the file. */
export function savedZone(file: string, now: Date): ZoneReport {
  const name = basename(file).replace(/\.[^.]+$/, "");
  try {
    const preview = readPreview(readFileSync(file));
    return zoneReport(preview.stack ?? name, preview, now);
  } catch (error) {
    return failedZone(name, `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readOrNothing(stdout: string): Preview | undefined {
  try {
    return readPreview(Buffer.from(stdout));
  } catch {
    // The CLI's exit code and its error line say more than what it wrote.
    return undefined;
  }
}

/** `error: no stack named 'x' found` */
function errorLine(stderr: string): string | undefined {
  return /^error: (.+)$/m.exec(stderr)?.[1] ?? stderr.split("\n").find((line) => line.trim() !== "");
}
