import { COMMON_OPTIONS, parseOptions, readConcurrency, readTimeout, readZones } from "../options.ts";

export const HELP = `Says what the next \`pulumi up\` changes in every zone, and why: one comment for a pull request.

npm run preview-report -- --stack <zone>... | --all | --from <file>... [options]

  --stack <zone>...    preview these stacks
  --all                preview every stack that has a file in stacks/
  --from <file>...     read previews that were saved (\`pulumi preview --json > file\`: the document, or the stream
                       of events) in place of running any
  --concurrency <n>    zones at a time (default: 4)
  --timeout <minutes>  what a zone's preview may take (default: 10); then it is interrupted, and that zone has failed
  --markdown <file>    write the comment there; without it, to standard output (then \`npm run --silent\`)
  --json <file>        write the report for programs there as well
  --fail-on replace    end with 1 where an object is replaced: it is deleted and made anew, and its pods are gone in
                       between. Deletions alone don't count: a proxy that is taken out of a stack file is meant to go
  -h, --help

Exit codes: 0 no change, 2 changes, 3 changes that replace or delete, 1 failure. A zone that can't be previewed has its
own line and makes it 1; the other zones are reported all the same. Stopped by a signal it interrupts the previews that
run, reports nothing, and ends with 128 and the signal's number: 130 by Ctrl-C, 143 by SIGTERM.`;

export interface Options {
  stacks: string[];
  all: boolean;
  concurrency: number;
  /** Minutes. */
  timeout: number;
  from: string[];
  json: string | undefined;
  markdown: string | undefined;
  failOn: "replace" | undefined;
}

const OPTIONS = {
  ...COMMON_OPTIONS,
  from: { type: "string", multiple: true },
  json: { type: "string" },
  markdown: { type: "string" },
  "fail-on": { type: "string" },
} as const;

/**
 * Reads the command line.
 * @throws Error of one line that says what is wrong
 */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values, positionals } = parseOptions(args, OPTIONS);
  if (values.help === true) return "help";
  const zones = readZones(values, positionals, "--stack or --from");
  const { "fail-on": failOn, json, markdown } = values;
  if (failOn !== undefined && failOn !== "replace") throw new Error('--fail-on takes "replace" only');
  return {
    ...zones,
    concurrency: readConcurrency(values.concurrency),
    timeout: readTimeout(values.timeout),
    json,
    markdown,
    failOn,
  };
}
