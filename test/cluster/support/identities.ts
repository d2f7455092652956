// CI's two identities, with the rights that `npm run roles` prints for a zone and no others.
import { type ZoneNeeds, zoneNeeds } from "../../../ci/roles/needs.ts";
import { IDENTITIES, type Identity, roleOf } from "../../../ci/roles/roles.ts";

/** With RECORD=1 each may do whatever its purpose allows, so that what it asks for can be recorded. */
const isRecording = process.env["RECORD"] === "1";
const EVERYTHING: Record<Identity, string[]> = { preview: ["get", "list", "watch"], update: ["*"] };

/** The Secret of most tests: programs that import the components have no stack file that names it. */
const USUAL_SECRET = "p-config";

/** What the files of stacks have asked for: what is gone from a file is still to be read, and to be deleted. */
const asked = new Map<string, Pick<ZoneNeeds, "readsSecrets" | "makesSecrets">>();

/** Who runs a command of the CLI. */
export function identityOf(command: string | undefined): Identity {
  return command === "preview" ? "preview" : "update";
}

/** The Roles of a stack in a namespace, and who has them. A stack file that is wrong needs none: its runs ask nothing. */
export function rolesIn(namespace: string, stack: string, file: string): object[] {
  const [before, now] = [asked.get(stack), needsOf(file)];
  const readsSecrets = [...new Set([USUAL_SECRET, ...(before?.readsSecrets ?? []), ...now.readsSecrets])];
  const makesSecrets = before?.makesSecrets === true || now.makesSecrets;
  asked.set(stack, { readsSecrets, makesSecrets });
  const needs = { namespace, createNamespace: false, readsSecrets, makesSecrets };
  return IDENTITIES.flatMap((identity) => rightsOf(identity, needs, `${stack}-${identity}`, identity));
}

/** The Role of an identity under a name of its own, and its being granted to a user. */
export function rightsOf(identity: Identity, needs: ZoneNeeds, name: string, user: string): object[] {
  const { apiVersion, kind, metadata: given, rules } = roleOf(identity, needs);
  const metadata = { ...given, name };
  const all = [{ apiGroups: ["*"], resources: ["*"], verbs: EVERYTHING[identity] }];
  return [
    { apiVersion, kind, metadata, rules: isRecording && user !== "stranger" ? all : rules },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
      subjects: [{ kind: "User", name: user }],
    },
  ];
}

function needsOf(file: string): Pick<ZoneNeeds, "readsSecrets" | "makesSecrets"> {
  try {
    return zoneNeeds(file);
  } catch {
    return { readsSecrets: [], makesSecrets: false };
  }
}
