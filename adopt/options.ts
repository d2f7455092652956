import { parseOptions } from "../ci/options.ts";

export const HELP = `Moves Proxy and Connector resources of the ILM operator into a zone: writes its stack file and prints the steps.

npm run --silent adopt -- --stack <zone> --context <context> --namespace <namespace>
npm run --silent adopt -- --stack <zone> --file <file>... [--context <context>] [--namespace <namespace>]

  --stack <zone>         the zone, by the name of its stack: stacks/Pulumi.<zone>.yaml is made, or added to
  --context <context>    context of the kubeconfig: the resources and their objects are read there
  -n, --namespace <namespace>
                         where they are
  -f, --file <file>      read the resources from a file of YAML in place of the cluster, as \`kubectl get -o yaml\` saves
                         them; may be given again. Nothing is asked of a cluster then: --context only goes into the stack
                         file, --namespace is that of resources that name none
  -h, --help

Each resource becomes an entry of the stack file: its \`spec\` as it is, with \`adopt: true\`. The uuid under which the
platform has a connector goes with it, so that no run registers it again. What the file says already stays; an entry that
differs is refused. Then it is looked at each object that \`pulumi up\` is going to take over. The steps that are printed at
the end have an order: docs/moving-in.md.

Nothing is written to a cluster, no Secret is read. It takes the right to list proxies and connectors of otilm.com,
deployments, services, serviceaccounts, poddisruptionbudgets, networkpolicies and, where they are served, servicemonitors
in that namespace, and to get the namespace itself for its UID.

Exit codes: 0 the stack file holds all of them and the steps were printed, or 1 something is wrong with a resource, an
object, the stack file or these options: each is a line, and nothing was written.`;

export interface Options {
  stack: string;
  context: string | undefined;
  namespace: string | undefined;
  files: string[];
}

const OPTIONS = {
  stack: { type: "string" },
  context: { type: "string" },
  namespace: { type: "string", short: "n" },
  file: { type: "string", short: "f", multiple: true },
  help: { type: "boolean", short: "h" },
} as const;

/**
 * Reads the command line.
 * @throws Error of one line that says what is wrong
 */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values, positionals } = parseOptions(args, OPTIONS);
  if (values.help === true) return "help";
  const { stack, context, namespace, file: files = [] } = values;
  // What a shell makes of `--file *.yaml`.
  if (files.length === 0 && positionals[0] !== undefined)
    throw new Error(`"${positionals[0]}" belongs to no option: give --file before it`);
  if (stack === undefined) throw new Error("give --stack: the zone whose stack file gets the resources");
  if (!/^[\w.-]+$/.test(stack)) throw new Error("--stack takes the name of a stack, such as prod-dc-west");
  if (files.length === 0 && (context === undefined || namespace === undefined))
    throw new Error("give --context and --namespace, to read the resources there, or --file");
  return { stack, context, namespace, files: [...files, ...positionals] };
}
