import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Limits, lookLimit } from "../limit.ts";
import { parseJson, pulumiJson } from "../pulumi.ts";
import { eachStack, type Pace } from "../stacks.ts";
import { liveRows } from "./live.ts";
import { type Row, rowsOf, unreadableZone } from "./rows.ts";

export interface CollectOptions extends Limits, Pace {
  live: boolean;
  now: Date;
}

/**
 * The rows of several stacks. What can't be read is a row that says so.
 * @throws Error when there is no Pulumi CLI
 */
export async function collect(stacks: readonly string[], options: CollectOptions): Promise<Row[]> {
  const rows = await eachStack(stacks, options, async (stack) => {
    const limit = lookLimit(options);
    const outputs = await pulumiJson(stack, ["stack", "output", "--json"], limit);
    if ("error" in outputs) return [unreadableZone(stack, outputs.error)];
    const last = rowsOf(stack, outputs.value, options.now);
    if (!options.live) return last;
    // Without --show-secrets the CLI gives no value of a secret.
    const config = await pulumiJson(stack, ["config", "--json"], limit);
    return "error" in config
      ? [unreadableZone(stack, config.error), ...last]
      : liveRows(stack, last, config.value, options.now);
  });
  return rows.flat();
}

/** The rows of saved documents of `pulumi stack output --json`; a file is named after its zone. */
export function readSaved(files: readonly string[], now: Date): Row[] {
  return files.flatMap((file) => {
    const zone = basename(file).replace(/\.json$/, "");
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      return [unreadableZone(zone, (error as Error).message)];
    }
    const outputs = parseJson(text);
    return outputs === undefined ? [unreadableZone(zone, `${file} is not JSON`)] : rowsOf(zone, outputs, now);
  });
}
