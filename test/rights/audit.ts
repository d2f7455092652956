// What CI's identities asked of API servers, and were allowed, as the audit logs tell it.
import { globSync, readFileSync } from "node:fs";
import { IDENTITIES, type Identity, type Right } from "../../ci/roles/roles.ts";

/** https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/#audit-k8s-io-v1-Event */
interface Event {
  verb: string;
  user: { username: string };
  objectRef?: { apiGroup?: string; resource: string; subresource?: string };
  responseStatus?: { code?: number };
  annotations?: Record<string, string>;
}

const ALLOWED = "authorization.k8s.io/decision";

/** The provider shows what Events say of an object that it deletes, and goes on without where it may not. */
const NOT_NEEDED = ["events"];

/** The provider watches what it deletes, and lists it again, a second or more later, where it may not. */
const NOT_NEEDED_VERB = "watch";

/** The order in which people write them. */
const VERBS = ["get", "list", "create", "update", "patch", "delete"];

/** Users who have an identity's rights. */
const USERS: Record<Identity, readonly string[]> = {
  preview: ["preview"],
  update: ["update", "cluster-update"],
};

/** Per identity what was asked for and allowed, sorted. */
export function usedRights(folder: string): Record<Identity, Right[]> {
  const events = globSync(`${folder}/*.log`).flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Event),
  );
  const used = IDENTITIES.map((identity) => {
    const own = events.filter(
      ({ user, annotations }) =>
        USERS[identity].includes(user.username) && annotations?.[ALLOWED] === "allow",
    );
    return [identity, rightsOf(own)];
  });
  return Object.fromEntries(used) as Record<Identity, Right[]>;
}

function rightsOf(events: readonly Event[]): Right[] {
  const verbs = new Map<string, Set<string>>();
  for (const { verb, objectRef, responseStatus } of events) {
    if (objectRef === undefined || NOT_NEEDED.includes(objectRef.resource) || verb === NOT_NEEDED_VERB)
      continue;
    const { apiGroup = "", resource, subresource } = objectRef;
    const key = `${apiGroup} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
    const used = (verbs.get(key) ?? new Set()).add(verb);
    // Server-side apply of what is not there yet is authorized as both, and so is a port-forward over a WebSocket:
    // https://github.com/kubernetes/kubernetes/issues/133515
    const isMade = verb === "patch" && responseStatus?.code === 201;
    verbs.set(key, isMade || subresource === "portforward" ? used.add("create") : used);
  }
  return [...verbs].sort().map(([key, all]) => {
    const [apiGroup = "", resource = ""] = key.split(" ");
    return { apiGroup, resource, verbs: [...all].sort((a, b) => VERBS.indexOf(a) - VERBS.indexOf(b)) };
  });
}
