import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pulumi, type Run } from "../pulumi.ts";
import { eachStack } from "../stacks.ts";
import { liveRows } from "./live.ts";
import { type Row, rowsOf, unreadableZone } from "./rows.ts";

export interface CollectOptions {
  live: boolean;
  /** Stacks read at the same time. */
  concurrency: number;
  now: Date;
}

/**
 * The rows of several stacks. What can't be read is a row that says so.
 * @throws Error when there is no Pulumi CLI
 */
export async function collect(stacks: readonly string[], options: CollectOptions): Promise<Row[]> {
  const rows = await eachStack(stacks, options.concurrency, async (stack) => {
    const outputs = await readJson(stack, ["stack", "output", "--json"]);
    if ("error" in outputs) return [unreadableZone(stack, outputs.error)];
    const last = rowsOf(stack, outputs.value, options.now);
    if (!options.live) return last;
    // Without --show-secrets the CLI gives no value of a secret.
    const config = await readJson(stack, ["config", "--json"]);
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
    const outputs = parse(text);
    return outputs === undefined ? [unreadableZone(zone, `${file} is not JSON`)] : rowsOf(zone, outputs, now);
  });
}

type Answer = { value: unknown } | { error: string };

async function readJson(stack: string, args: readonly string[]): Promise<Answer> {
  const run = await pulumi(stack, args);
  if (run.code !== 0) return { error: errorOf(run) };
  const value = parse(run.stdout);
  return value === undefined ? { error: `\`pulumi ${args.join(" ")}\` gave no JSON` } : { value };
}

/** What the CLI says of a failure, in one line. */
function errorOf({ code, stdout, stderr }: Run): string {
  const lines = `${stderr}\n${stdout}`.split("\n").map((line) => line.trim());
  const error = lines.find((line) => line.startsWith("error: ")) ?? lines.find((line) => line !== "");
  return error?.replace(/^error: /, "") ?? `pulumi ended with exit code ${code}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says would quote the text.
    return undefined;
  }
}
