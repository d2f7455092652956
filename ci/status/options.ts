import { parseArgs } from "node:util";

export const HELP = `npm run status -- [options]: the fleet at a glance, the most urgent first

  --stack S         a zone's stack; may be repeated
  --all             all stacks that have a file in stacks/ (the default)
  --from FILE...    saved documents of \`pulumi stack output --json\`, each named after its zone
  --live            ask the clusters, too
  -o, --output F    table (default), wide, json or yaml
  --html FILE       also write a page that stands by itself
  --concurrency N   stacks read at the same time; default 4

Without --live a row says what the stack's last run found; only an expired token is told by the clock.
With --live the phase comes from the Deployment as it is now, and the token's end from its annotation. Secrets and
ConfigMaps are not read: what the last run found missing is a warning, and a token that has been rotated since is not
known yet (\`pulumi preview\` tells).

Exit code: 0; 1 when something could not be read, or for a mistake in these options.
`;

export type Format = "table" | "wide" | "json" | "yaml";
const FORMATS: readonly string[] = ["table", "wide", "json", "yaml"] satisfies Format[];

export interface Options {
  help: boolean;
  stacks: string[];
  all: boolean;
  live: boolean;
  format: Format;
  html: string | undefined;
  /** Empty: ask the CLI. */
  from: string[];
  concurrency: number;
}

/** @throws Error that says what is wrong */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h", default: false },
      stack: { type: "string", multiple: true, default: [] },
      all: { type: "boolean", default: false },
      live: { type: "boolean", default: false },
      output: { type: "string", short: "o", default: "table" },
      html: { type: "string" },
      from: { type: "string", multiple: true, default: [] },
      concurrency: { type: "string", default: "4" },
    },
  });
  const { stack: stacks, all, live, output, from } = values;
  const concurrency = Number(values.concurrency);
  if (!FORMATS.includes(output)) throw new Error(`-o ${output}: expected one of ${FORMATS.join(", ")}`);
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new Error("--concurrency: expected a whole number from 1");
  // What a shell makes of `--from saved/*.json`: the first file is the option's, the others stand alone.
  if (positionals.length > 0 && from.length === 0)
    throw new Error(`${positionals[0]}: unexpected; is it \`--stack ${positionals[0]}\`?`);
  if (from.length > 0 && (all || stacks.length > 0)) throw new Error("give --from or stacks, not both");
  if (from.length > 0 && live)
    throw new Error("--live asks the clusters of stacks; saved documents name none");
  return {
    help: values.help,
    stacks,
    all,
    live,
    format: output as Format,
    html: values.html,
    from: [...from, ...positionals],
    concurrency,
  };
}
