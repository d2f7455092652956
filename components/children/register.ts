import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource.js";
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment.js";
import { HorizontalPodAutoscaler } from "@pulumi/kubernetes/autoscaling/v2/horizontalPodAutoscaler.js";
import { Secret } from "@pulumi/kubernetes/core/v1/secret.js";
import { Service } from "@pulumi/kubernetes/core/v1/service.js";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount.js";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy.js";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget.js";
import * as pulumi from "@pulumi/pulumi";
import type { KubeObject, Resource } from "../cluster/cluster.ts";
import { type Allow, claim, foreignFields, hasOtherManagers } from "../cluster/ownership.ts";
import type { Manifest } from "../workload/manifest.ts";
import type { Live, Zone } from "../zone/zone.ts";
import { refuse } from "./failing.ts";
import { isOurs, ownershipAnnotations, refusal, REPAIRS_ANNOTATION } from "./owner.ts";
import { asRendered, type Planned, plannedRepair } from "./planned-repair.ts";

/** The component whose children are registered. */
export interface Parent {
  component: pulumi.ComponentResource;
  zone: Zone;
  /** `Proxy`, `Connector` ... */
  kind: string;
  name: string;
  /** Whether objects that nobody controls may be taken over. */
  adopt: boolean;
}

/** One object of a component. Its logical name is its object name, and part of the URN: it never changes. */
export interface Child {
  resource: Resource;
  name: string;
  manifest: pulumi.Output<Manifest>;
  /** The provider's own wait hinders more than it helps: where a rollout must be waited for, the component does. */
  skipAwait?: boolean;
  /** Whether the children before it in the list must be there first. */
  afterEarlier?: boolean;
  /** Fields that somebody else decides on, such as an autoscaler. */
  ignoreChanges?: string[];
  /** Fields that keep their recorded value when the live object could not be read. */
  keepWhenUnknown?: string[];
}

/**
 * Registers the rendered objects of a component with the engine: refuses all when one is not ours, lays ownership on,
 * and has fields that others added removed, which previews show. Returns the resources in the order of the list.
 * @throws pulumi.ResourceError naming every object that belongs to somebody else
 */
export function registerChildren(parent: Parent, children: readonly Child[]): pulumi.CustomResource[] {
  const owners = ownersOf(parent);
  const live = children.map(({ resource, name }) => parent.zone.live(resource, name));
  const reasons = children.flatMap(
    (child, index) => refusalOf(parent, child, owners, live[index] as Live) ?? [],
  );
  if (reasons.length > 0) refuse(reasons.join("\n"), parent.component);
  const former = formerOwner(live, owners);
  if (former !== undefined)
    void pulumi.log.warn(
      `its objects carry ${former}, a former name of this stack: never run \`pulumi destroy\` on the stack of that name, ` +
        "which would delete them; `pulumi stack rm --force` lets go of them there",
      parent.component,
    );
  const registered: pulumi.CustomResource[] = [];
  for (const [index, child] of children.entries()) {
    const needs = child.afterEarlier === true ? [...registered] : [];
    registered.push(register(parent, child, owners, live[index] as Live, needs));
  }
  return registered;
}

/** Whose the objects are: as they are marked now, and as they may have been marked before. */
type Owners = readonly [string, ...string[]];

function ownersOf({ zone, kind, name }: Parent): Owners {
  return [zone.owner(kind, name), ...zone.formerOwners(kind, name)];
}

/** By which former name of the stack objects are marked that are about to be marked anew. */
function formerOwner(live: readonly Live[], [owner, ...former]: Owners): string | undefined {
  const found = live.flatMap((each) => (each.state === "found" ? [each.object] : []));
  return former.find((name) => name !== owner && found.some((object) => isOurs(object, [name])));
}

/** Why an object may not be registered; undefined when it may. */
function refusalOf(
  { zone, adopt }: Parent,
  { resource, name }: Child,
  owners: Owners,
  live: Live,
): string | undefined {
  const what = `${resource.kind} ${name}`;
  const other = zone.reserve(resource, name, owners[0]);
  if (other !== undefined) return `${what} is rendered by ${other} already: choose another name`;
  if (live.state === "unknown" && !zone.parts.dryRun) return `${what} can't be read: ${live.detail}`;
  return live.state === "found" ? refusal(resource, live.object, owners, adopt) : undefined;
}

function register(
  parent: Parent,
  child: Child,
  owners: Owners,
  live: Live,
  needs: readonly pulumi.Resource[],
): pulumi.CustomResource {
  const { component, zone } = parent;
  const { resource, name, manifest } = child;
  const { repairs, removes, hooks } = repair(
    parent,
    resource,
    name,
    live.state === "found" ? live.object : undefined,
    owners,
  );
  const annotations: Record<string, string> = {
    ...ownershipAnnotations(owners[0]),
    ...(child.skipAwait === true && { "pulumi.com/skipAwait": "true" }),
    ...(repairs > 0 && { [REPAIRS_ANNOTATION]: String(repairs) }),
  };
  const unknown = live.state === "unknown";
  const repairsPath = `metadata.annotations["${REPAIRS_ANNOTATION}"]`;
  const owned = manifest.apply((rendered): Manifest => {
    const { metadata } = rendered;
    return {
      ...rendered,
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
    };
  });
  const planned = removes && zone.parts.dryRun ? plannedRepair(zone, resource, owned) : asRendered(owned);
  return construct(resource, name, planned, {
    parent: component,
    provider: zone.parts.provider,
    customTimeouts: { delete: DELETION_BOUNDS[resource.kind] ?? DELETION_BOUND },
    dependsOn: [...zone.parts.dependsOn, ...needs],
    ...(hooks && { hooks }),
    ignoreChanges: [
      ...(child.ignoreChanges ?? []),
      ...(unknown ? [repairsPath, ...(child.keepWhenUnknown ?? [])] : []),
    ],
  });
}

/**
 * Compares the live object's field managers with ours; says how often it has been repaired, this run included, and
 * whether this run removes fields of others.
 */
function repair(
  { component, zone }: Parent,
  resource: Resource,
  name: string,
  live: KubeObject | undefined,
  owners: Owners,
): { repairs: number; removes: boolean; hooks?: pulumi.ResourceHookBinding } {
  const before = repairsOf(live);
  if (live === undefined || !hasOtherManagers(live)) return { repairs: before, removes: false };
  const { allow, cluster, drift, namespace } = zone.parts;
  const adopting = !isOurs(live, owners);
  const mayStay: Allow = adopting || drift === "repair" ? allow : () => true;
  const hook = new pulumi.ResourceHook(`claim ${resource.kind} ${name}`, () =>
    claim(cluster, resource, namespace, name, mayStay),
  );
  const hooks = { beforeCreate: [hook], beforeUpdate: [hook] };
  if (adopting) return { repairs: before + 1, removes: true, hooks };
  const foreign = foreignFields(live, allow);
  if (foreign.length === 0) return { repairs: before, removes: false, hooks };

  const found = foreign.map(({ manager, paths }) => `${paths.join(", ")} (by ${manager})`).join("; ");
  const effect = drift === "repair" ? "this run removes them" : "they stay, since zone.drift is warn";
  void pulumi.log.warn(
    `${resource.kind} ${namespace}/${name} has fields that are not ours: ${found}; ${effect}`,
    component,
  );
  const removes = drift === "repair";
  return { repairs: before + (removes ? 1 : 0), removes, hooks };
}

function repairsOf(live: KubeObject | undefined): number {
  return Number(live?.metadata.annotations?.[REPAIRS_ANNOTATION] ?? 0) || 0;
}

/**
 * How long a run waits until a deleted object is gone. The garbage collector takes seconds; but where the provider can't
 * see that an object is gone it uses up all of this, by itself ten minutes. A Deployment is not waited for at all.
 */
const DELETION_BOUND = "2m";
/** A Service waits until its load balancer is taken down. */
const DELETION_BOUNDS: Readonly<Record<string, string>> = { Service: "5m" };

type Constructor = new (
  name: string,
  args: never,
  opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/** The SDK's class per kind; any other kind is a custom resource to it. */
const CONSTRUCTORS: Readonly<Record<string, Constructor>> = {
  Deployment,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
};

/** What stands beside the metadata, where that is not a spec alone. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Secret: ["data"],
  ServiceAccount: ["automountServiceAccountToken", "imagePullSecrets", "secrets"],
};

function construct(
  { apiVersion, kind }: Resource,
  name: string,
  { metadata, manifest }: Planned,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
  const field = (key: string): pulumi.Output<unknown> =>
    manifest.apply((whole) => (whole as unknown as Record<string, unknown>)[key]);
  const fields = (FIELDS[kind] ?? ["spec"]).map((key) => [key, field(key)]);
  const args = { apiVersion, kind, metadata, ...(Object.fromEntries(fields) as object) };
  const Kind = CONSTRUCTORS[kind] ?? CustomResource;
  // Manifests are typed where they are rendered; the SDK's classes take any of them.
  return new Kind(name, args as never, opts);
}
