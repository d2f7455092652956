import {
  COMMON_OPTIONS,
  parseOptions,
  readConcurrency,
  readMinutes,
  readTimeout,
  readZones,
} from "../options.ts";

export const HELP = `Says where zones differ from what was applied, and what to do: for a schedule, between merges.

npm run drift -- --stack <zone>... | --all [options]

  --stack <zone>...    check these stacks
  --all                check every stack that has a file in stacks/
  --concurrency <n>    zones at a time (default: 4)
  --timeout <minutes>  what the check of a zone may take (default: 10); then it is interrupted, and that zone has failed
  --markdown <file>    write the report there; without it, to standard output (then \`npm run --silent\`)
  --json <file>        write the report for programs there as well
  --metrics <file>     write metrics there as well, as Prometheus reads them: for node_exporter's textfile collector (the
                       name must end with .prom) or to be sent to a Pushgateway
  --fix                run \`pulumi up --yes\` in each zone where a run can mend what was found, then check it once more;
                       what \`up\` says goes to standard error
  --fix-timeout <minutes>
                       what \`pulumi up\` may take in a zone (default: 30); then it is interrupted, as by Ctrl-C: the
                       engine finishes the operations under way, and the next run goes on (docs/ci.md says more). It
                       waits for pods: give it more than the longest \`rollout.timeoutSeconds\`
  -h, --help

What is found: drift (fields that others wrote or removed: which, who and when), deleted objects, rotations that have not
rolled yet, connectors that their platform still has to be asked to register, changes of program or stack file that were
not applied yet, tokens that have expired or are about to, phases other than Running and ScaledDown, and what the run
warns of.

Without --fix nothing is changed. With it, whatever waits to be applied in such a zone is applied: also what the program
or the stack file says differently since, deletions among it.

Exit codes: 0 clean, 2 findings (those that --fix has mended don't count), 1 a zone could not be checked, or a mistake in
these options. A zone that can't be checked has its own line; the others are reported all the same. Stopped by a signal it
interrupts what runs, an \`up\` as above, reports nothing, and ends with 128 and the signal's number: 130 by Ctrl-C, 143
by SIGTERM.`;

export interface Options {
  stacks: string[];
  all: boolean;
  concurrency: number;
  /** Minutes. */
  timeout: number;
  json: string | undefined;
  markdown: string | undefined;
  metrics: string | undefined;
  fix: boolean;
  /** Minutes. */
  fixTimeout: number;
}

const OPTIONS = {
  ...COMMON_OPTIONS,
  json: { type: "string" },
  markdown: { type: "string" },
  metrics: { type: "string" },
  fix: { type: "boolean" },
  "fix-timeout": { type: "string" },
} as const;

/**
 * Reads the command line.
 * @throws Error of one line that says what is wrong
 */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values, positionals } = parseOptions(args, OPTIONS);
  if (values.help === true) return "help";
  const { stacks, all } = readZones(values, positionals, "--stack");
  const { fix = false, "fix-timeout": fixTimeout = "30", json, markdown, metrics } = values;
  return {
    stacks,
    all,
    concurrency: readConcurrency(values.concurrency),
    timeout: readTimeout(values.timeout),
    json,
    markdown,
    metrics,
    fix,
    fixTimeout: readMinutes("--fix-timeout", fixTimeout),
  };
}
