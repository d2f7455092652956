// The rights of CI's identities, one by one, and how one of them is taken away.
import type { Identity, Role, Rule } from "../../../ci/roles/roles.ts";
import { rulesWithout } from "../../cluster/support/identities.ts";
import type { TestZone } from "../../cluster/support/zone.ts";

/** A Role or ClusterRole of an identity. */
export interface Holder {
  identity: Identity;
  kind: Role["kind"];
  name: string;
  namespace: string;
}

export interface Right extends Holder {
  apiGroup: string;
  resource: string;
  verb: string;
}

/** Every right that these grant. */
export async function rightsOf(zone: TestZone, holders: readonly Holder[]): Promise<Right[]> {
  const all: Right[] = [];
  for (const holder of holders) {
    const { rules } = await roleOf(zone, holder);
    for (const { apiGroups, resources, verbs } of rules)
      for (const apiGroup of apiGroups)
        for (const resource of resources)
          for (const verb of verbs) all.push({ ...holder, apiGroup, resource, verb });
  }
  return all;
}

/** Takes a right away for as long as `body` goes on. */
export async function without<T>(zone: TestZone, right: Right, body: () => Promise<T>): Promise<T> {
  const { apiVersion, kind, metadata, rules } = await roleOf(zone, right);
  const replace = async (others: readonly Rule[]): Promise<void> => {
    const { name, namespace } = metadata;
    const role = { apiVersion, kind, metadata: { name, namespace }, rules: others };
    await zone.kubectl(["replace", "-f", "-"], JSON.stringify(role));
  };
  await replace(rulesWithout(rules, right));
  try {
    return await body();
  } finally {
    await replace(rules);
  }
}

async function roleOf(zone: TestZone, { kind, name, namespace }: Holder): Promise<Role> {
  return JSON.parse(await zone.kubectl(["--namespace", namespace, "get", kind, name, "-o", "json"])) as Role;
}

/**
 * Whether a text names verb and resource of a right, in the API server's words or in ours. A port-forward takes two verbs,
 * and who is refused it is told of both.
 */
export function isNamed({ verb, resource }: Right, text: string): boolean {
  const verbs = resource === "pods/portforward" ? "get and create" : verb;
  return (
    text.includes(`cannot ${verb} resource "${resource}"`) ||
    text.includes(`the identity may not ${verbs} ${resource}`)
  );
}
