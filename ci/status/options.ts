import { COMMON_OPTIONS, parseOptions, readConcurrency, readTimeout, readZones } from "../options.ts";

export const HELP = `Shows the fleet at a glance, the most urgent first.

npm run status -- [--stack <zone>... | --all | --from <file>...] [options]

  --stack <zone>...    show these stacks
  --all                show every stack that has a file in stacks/ (the default)
  --from <file>...     read documents of \`pulumi stack output --json\` that were saved, each named after its zone, in
                       place of asking the CLI
  --live               ask the clusters, too
  --concurrency <n>    zones at a time (default: 4)
  --timeout <minutes>  what the CLI may take for a zone (default: 10); then it is interrupted, and that zone unreadable
  -o, --output <form>  table (the default), wide, json or yaml, to standard output (then \`npm run --silent\`)
  --html <file>        write a page that stands by itself there as well
  -h, --help

Without --live a row says what the stack's last run found; only an expired token is told by the clock.
With --live the phase comes from the Deployment as it is now, and the token's end from its annotation. Secrets and
ConfigMaps are not read, and neither connectors nor their platform are asked: what the last run found missing, or was told,
is a warning that says so, and a token that has been rotated since is not known yet (\`pulumi preview\` tells).

Exit codes: 0, or 1 when something could not be read, or for a mistake in these options. A zone that can't be read has
its own row; the others are shown all the same. Stopped by a signal it shows nothing, and ends with 128 and the signal's
number: 130 by Ctrl-C, 143 by SIGTERM.`;

export type Format = "table" | "wide" | "json" | "yaml";
const FORMATS: readonly string[] = ["table", "wide", "json", "yaml"] satisfies Format[];

export interface Options {
  /** Without any, and without `from`: all. */
  stacks: string[];
  all: boolean;
  /** Empty: ask the CLI. */
  from: string[];
  concurrency: number;
  /** Minutes. */
  timeout: number;
  live: boolean;
  format: Format;
  html: string | undefined;
}

const OPTIONS = {
  ...COMMON_OPTIONS,
  from: { type: "string", multiple: true },
  live: { type: "boolean" },
  output: { type: "string", short: "o" },
  html: { type: "string" },
} as const;

/**
 * Reads the command line.
 * @throws Error of one line that says what is wrong
 */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values, positionals } = parseOptions(args, OPTIONS);
  if (values.help === true) return "help";
  const zones = readZones(values, positionals, "--stack or --from");
  const { live = false, output = "table", html } = values;
  if (!FORMATS.includes(output)) throw new Error("--output takes table, wide, json or yaml");
  if (zones.from.length > 0 && live)
    throw new Error("--live asks the clusters of stacks; saved documents name none");
  return {
    ...zones,
    concurrency: readConcurrency(values.concurrency),
    timeout: readTimeout(values.timeout),
    live,
    format: output as Format,
    html,
  };
}
