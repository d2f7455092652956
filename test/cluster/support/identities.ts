// CI's two identities, with the rights that `npm run roles` prints for a zone and no others.
import { NOTHING_NEEDED, type ZoneNeeds, zoneNeeds } from "../../../ci/roles/needs.ts";
import {
  IDENTITIES,
  type Identity,
  platformRoles,
  type Role,
  roleOf,
  type Rule,
} from "../../../ci/roles/roles.ts";

/** With RECORD=1 each may do whatever its purpose allows, so that what it asks for can be recorded. */
const isRecording = process.env["RECORD"] === "1";
const EVERYTHING: Record<Identity, string[]> = { preview: ["get", "list", "watch"], update: ["*"] };

/** Who has no more than a test gives them, also then. */
const STRANGERS = ["stranger", "cluster-stranger"];

/** The Secret of most tests: programs that import the components have no stack file that names it. */
const USUAL_SECRET = "p-config";

/** What a stack file asks for, whatever the zone. */
type Needs = Omit<ZoneNeeds, "namespace" | "createNamespace">;

/** What the files of stacks have asked for: what is gone from a file is still to be read, and to be deleted. */
const asked = new Map<string, Needs>();

/** Who runs a command of the CLI. */
export function identityOf(command: string | undefined): Identity {
  return command === "preview" ? "preview" : "update";
}

/** The Roles of a stack, and who has them, by namespace. A stack file that is wrong needs none: its runs ask nothing. */
export function rolesIn(namespace: string, stack: string, file: string): Map<string, object[]> {
  const own = merged(asked.get(stack) ?? { ...NOTHING_NEEDED, readsSecrets: [USUAL_SECRET] }, needsOf(file));
  asked.set(stack, own);
  const needs = { namespace, createNamespace: false, ...own };
  const elsewhere = platformRoles(needs).map((role): [string, object[]] => [
    role.metadata.namespace ?? "",
    granted(role, role.metadata.name, "update", "update"),
  ]);
  const here = IDENTITIES.flatMap((identity) => rightsOf(identity, needs, `${stack}-${identity}`, identity));
  return new Map([[namespace, here], ...elsewhere]);
}

/** The Role of an identity under a name of its own, and its being granted to a user. */
export function rightsOf(identity: Identity, needs: ZoneNeeds, name: string, user: string): object[] {
  return granted(roleOf(identity, needs), name, identity, user);
}

function granted(role: Role, name: string, identity: Identity, user: string): object[] {
  const { apiVersion, kind, rules } = role;
  const metadata = { ...role.metadata, name };
  const all = [{ apiGroups: ["*"], resources: ["*"], verbs: EVERYTHING[identity] }];
  return [
    { apiVersion, kind, metadata, rules: isRecording && !STRANGERS.includes(user) ? all : rules },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
      subjects: [{ kind: "User", name: user }],
    },
  ];
}

/** The rules of a Role but for one right. */
export function rulesWithout(
  rules: readonly Rule[],
  { apiGroup, resource, verb }: { apiGroup: string; resource: string; verb: string },
): Rule[] {
  return rules.flatMap((rule) =>
    !rule.apiGroups.includes(apiGroup) || !rule.resources.includes(resource)
      ? [rule]
      : [
          { ...rule, resources: rule.resources.filter((other) => other !== resource) },
          { ...rule, resources: [resource], verbs: rule.verbs.filter((other) => other !== verb) },
        ].filter(({ resources, verbs }) => resources.length > 0 && verbs.length > 0),
  );
}

function merged(a: Needs, b: Needs): Needs {
  return {
    readsSecrets: [...new Set([...a.readsSecrets, ...b.readsSecrets])],
    makesSecrets: a.makesSecrets || b.makesSecrets,
    registers: a.registers || b.registers,
    asksHealth: a.asksHealth || b.asksHealth,
    platforms: [...new Set([...a.platforms, ...b.platforms])],
  };
}

function needsOf(file: string): Needs {
  try {
    return zoneNeeds(file);
  } catch {
    return NOTHING_NEEDED;
  }
}
