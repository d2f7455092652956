import { readFileSync } from "node:fs";
import type { ZoneNeeds } from "./needs.ts";

/** CI's identities: docs/ci.md. */
export const IDENTITIES = ["preview", "update"] as const;
export type Identity = (typeof IDENTITIES)[number];

/** What an identity may do with a resource of a zone. */
export interface Right {
  apiGroup: string;
  /** With its subresource, if any: `pods/log`. */
  resource: string;
  verbs: string[];
}

/** What each identity asked of API servers while the tests ran: recorded from the audit log, see test/rights. */
export const RIGHTS_FILE = new URL("rights.json", import.meta.url);

export interface Rule {
  apiGroups: string[];
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}

export interface Role {
  apiVersion: "rbac.authorization.k8s.io/v1";
  kind: "Role" | "ClusterRole";
  metadata: { name: string; namespace?: string };
  rules: Rule[];
}

/** The Role of an identity in a zone, from all that it may ever need. */
export function roleOf(
  identity: Identity,
  needs: ZoneNeeds,
  rights: readonly Right[] = recorded(identity),
): Role {
  const isWide = identity === "update" && needs.createNamespace;
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: isWide ? "ClusterRole" : "Role",
    metadata: { name: `pulumi-proxies-${identity}`, ...(!isWide && { namespace: needs.namespace }) },
    rules: rulesOf(rights.flatMap((right) => needed(right, identity, needs))),
  };
}

/** What `update` needs where a platform is that connectors register with: the way to its pods. */
const CALL: Rule[] = [
  { apiGroups: [""], resources: ["services"], verbs: ["get"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
  { apiGroups: [""], resources: ["pods/portforward"], verbs: ["get", "create"] },
];

/** The Roles of `update` outside the zone's own namespace, from all that it may ever need. */
export function platformRoles({ namespace: own, platforms }: ZoneNeeds): Role[] {
  return platforms
    .filter((namespace) => namespace !== own)
    .map((namespace) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: `pulumi-proxies-update-${own}`, namespace },
      rules: CALL,
    }));
}

/** All Roles of a zone as YAML, with a word on how they are granted. */
export function rolesText(stack: string, needs: ZoneNeeds): string {
  const roles = [...IDENTITIES.map((identity) => roleOf(identity, needs)), ...platformRoles(needs)];
  const binding = ({ kind, metadata: { name, namespace } }: Role): string =>
    kind === "Role"
      ? `#   kubectl create rolebinding ${name} --namespace ${namespace} --role ${name} --user <user>`
      : `#   kubectl create clusterrolebinding ${name} --clusterrole ${name} --user <user>`;
  return [
    `# The rights of CI's identities in zone ${stack}, made by \`npm run --silent roles -- --stack ${stack}\`. To grant them:`,
    ...roles.map(binding),
    ...roles.flatMap(yamlOf),
    "",
  ].join("\n");
}

/** A Role as a document of YAML. Quoted, for a Secret may be called `true`, and a namespace `1e3`. */
function yamlOf({ apiVersion, kind, metadata, rules }: Role): string[] {
  const list = (texts: readonly string[]): string =>
    `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
  return [
    ...["---", `apiVersion: ${apiVersion}`, `kind: ${kind}`, "metadata:"],
    ...Object.entries(metadata).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
    "rules:",
    ...rules.flatMap((rule) =>
      Object.entries(rule).map(
        ([key, texts], index) => `  ${index === 0 ? "-" : " "} ${key}: ${list(texts as string[])}`,
      ),
    ),
  ];
}

function recorded(identity: Identity): Right[] {
  return (JSON.parse(readFileSync(RIGHTS_FILE, "utf8")) as Record<Identity, Right[]>)[identity];
}

/** What of a right a zone needs; with the names of the objects that it is for, where not all of them. */
function needed(right: Right, identity: Identity, needs: ZoneNeeds): (Right & { names?: string[] })[] {
  const only = (...verbs: string[]): Right => ({
    ...right,
    verbs: right.verbs.filter((verb) => verbs.includes(verb)),
  });
  if (right.resource === "secrets") {
    if (identity === "preview")
      return needs.readsSecrets.length > 0 ? [{ ...right, names: needs.readsSecrets }] : [];
    return [needs.makesSecrets ? right : only("get")];
  }
  if (right.resource === "configmaps" && identity === "update")
    return [needs.registers ? right : only("get")];
  if (right.resource === "pods/portforward")
    return needs.asksHealth || needs.platforms.includes(needs.namespace) ? [right] : [];
  // Whoever may do things in a namespace may look at that one; to make one is a right in the whole cluster.
  if (right.resource === "namespaces")
    return [needs.createNamespace && identity === "update" ? right : only("get")];
  return [right];
}

/** Rules that grant exactly these: resources of a group with the same verbs share one. */
function rulesOf(rights: readonly (Right & { names?: string[] })[]): Rule[] {
  const rules = new Map<string, Rule>();
  for (const { apiGroup, resource, verbs, names } of rights) {
    const key = JSON.stringify([apiGroup, verbs, names]);
    const rule = rules.get(key);
    if (rule !== undefined) rule.resources.push(resource);
    else {
      const resourceNames = names && { resourceNames: names };
      rules.set(key, { apiGroups: [apiGroup], resources: [resource], ...resourceNames, verbs });
    }
  }
  return [...rules.values()];
}
