import { parseOptions, readZones } from "../options.ts";

export const HELP = `Prints the rights that CI's two identities need in a zone: for whoever grants them there.

npm run --silent roles -- --stack <zone> | kubectl apply --context <context> -f -

  --stack <zone>   the zone, by the name of its stack
  -h, --help

The Role pulumi-proxies-preview only reads, and of the Secrets only those that the stack file names; run this again, and
apply it, when a proxy is added there. The Role pulumi-proxies-update is for \`pulumi up\`; it writes Secrets only where the
stack file has configTokens (it may then list them: the provider hangs when it deletes what it may not list), and is a
ClusterRole only where it has zone.createNamespace. It writes ConfigMaps only where connectors register, and forwards
ports of pods only where they are asked for their health; where they register with a platform in another namespace, one
more Role gives it the way to that platform's pods. Where the last of the configTokens or the last registration goes,
apply the Roles after the \`pulumi up\` that deletes what it made. Nothing is decrypted, no cluster asked.

Exit codes: 0, or 1 when the stack file has a mistake, or these options.`;

const OPTIONS = {
  stack: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
} as const;

/**
 * Reads the command line.
 * @throws Error of one line that says what is wrong
 */
export function readOptions(args: readonly string[]): { stack: string } | "help" {
  const { values, positionals } = parseOptions(args, OPTIONS);
  if (values.help === true) return "help";
  const [stack, ...others] = readZones(values, positionals, "--stack").stacks;
  if (stack === undefined || others.length > 0)
    throw new Error("give one --stack: the zone to grant rights in");
  return { stack };
}
