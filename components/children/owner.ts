import { type KubeObject, type Resource, SERVICE_ACCOUNTS } from "../cluster/cluster.ts";
import { FIELD_MANAGER } from "../cluster/ownership.ts";
import type { Zone } from "../zone/zone.ts";

/** Whose an object is: `<project>/<stack>/<kind>/<name>`. */
export const OWNER_ANNOTATION = "pulumi-proxies.dev/owner";
/** How often fields of others were removed, takeovers included; raising it makes the engine plan the removal. */
export const REPAIRS_ANNOTATION = "pulumi-proxies.dev/repairs";

/** The annotations by which the provider applies every owned object: by force, under one field manager for ever. */
export function ownershipAnnotations(owner: string): Record<string, string> {
  return {
    [OWNER_ANNOTATION]: owner,
    "pulumi.com/patchForce": "true",
    "pulumi.com/patchFieldManager": FIELD_MANAGER,
  };
}

/** Whether a live object carries the mark of one of these owners. */
export function isOurs(live: KubeObject, owners: readonly string[]): boolean {
  const holder = live.metadata.annotations?.[OWNER_ANNOTATION];
  return holder !== undefined && owners.includes(holder);
}

/**
 * Whether a live object is somebody else's for sure: another stack's, or never written by this project. One of ours
 * whose annotation was lost is not.
 */
export function isForeign(live: KubeObject, zone: Zone): boolean {
  const owner = live.metadata.annotations?.[OWNER_ANNOTATION];
  if (owner !== undefined) return !zone.owns(owner);
  return !live.metadata.managedFields?.some(({ manager }) => manager === FIELD_MANAGER);
}

/** Whether an account that was asked for by name exists and is not ours: it is used, never owned. */
export function isForeignAccount(zone: Zone, account: string | undefined): boolean {
  const live = account === undefined ? undefined : zone.live(SERVICE_ACCOUNTS, account);
  return live?.state === "found" && isForeign(live.object, zone);
}

/**
 * Why a live object may not be written to, in one sentence with the way out; undefined when it may: it is ours, or
 * nobody controls it and `adopt` allows it.
 */
export function refusal(
  resource: Resource,
  live: KubeObject,
  owners: readonly string[],
  adopt: boolean,
): string | undefined {
  const { name, namespace } = live.metadata;
  const what = `${resource.kind} ${namespace}/${name}`;
  if (live.metadata.deletionTimestamp !== undefined) {
    return `${what} is still being deleted: run again when it is gone`;
  }
  const holder = live.metadata.annotations?.[OWNER_ANNOTATION];
  const controller = live.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (controller !== undefined) {
    const group = /^(.+)\//.exec(controller.apiVersion ?? "")?.[1];
    const type = controller.kind.toLowerCase() + (group === undefined ? "" : `.${group}`);
    return (
      `${what} belongs to ${controller.kind} ${controller.name}, whose deletion would delete it: first let go of it with ` +
      `\`kubectl delete ${type} ${controller.name} -n ${namespace} --cascade=orphan\`, then set adopt: true`
    );
  }
  if (isOurs(live, owners)) return undefined;
  if (holder !== undefined) {
    return (
      `${what} belongs to ${holder}: choose another name, or remove it there first. If that is a former name of this ` +
      "stack, name it in zone.formerStacks. If this stack made it once, and lost it, `pulumi destroy` here would still " +
      "delete it: let go of it with `pulumi state delete`"
    );
  }
  if (adopt) return undefined;
  return `${what} exists and is not ours: choose another name, or set adopt: true to take it over`;
}
