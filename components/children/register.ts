import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource.js";
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment.js";
import { Secret } from "@pulumi/kubernetes/core/v1/secret.js";
import { Service } from "@pulumi/kubernetes/core/v1/service.js";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount.js";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy.js";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget.js";
import * as pulumi from "@pulumi/pulumi";
import type { KubeObject, Resource } from "../cluster/cluster.ts";
import { claim, foreignFields } from "../cluster/ownership.ts";
import type { Manifest } from "../workload/manifest.ts";
import type { Zone } from "../zone/zone.ts";
import { refuse } from "./failing.ts";
import { OWNER_ANNOTATION, ownershipAnnotations, refusal, REPAIRS_ANNOTATION } from "./owner.ts";

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

export interface ChildOptions {
  /** The provider's own wait hinders more than it helps: this project waits itself (design of the rollout). */
  skipAwait?: boolean;
  /** Objects without which this one can't work. */
  dependsOn?: pulumi.Resource[];
  /** Fields that keep their recorded value when the live object could not be read. */
  keepWhenUnknown?: string[];
}

/**
 * Registers one rendered object with the engine: refuses what is not ours, lays ownership on, and has fields that
 * others added removed, which previews show. Logical name and object name are the same, and part of the URN: they
 * never change.
 * @throws pulumi.ResourceError when the object belongs to somebody else
 */
export function registerChild(
  parent: Parent,
  resource: Resource,
  name: string,
  manifest: pulumi.Output<Manifest>,
  options: ChildOptions = {},
): pulumi.CustomResource {
  const { component, zone } = parent;
  const owner = zone.owner(parent.kind, parent.name);
  const other = zone.reserve(resource, name, owner);
  if (other !== undefined)
    refuse(`${resource.kind} ${name} is rendered by ${other} already: choose another name`, component);

  const live = zone.live(resource, name);
  const reason = live.state === "found" ? refusal(resource, live.object, owner, parent.adopt) : undefined;
  if (reason !== undefined) refuse(reason, component);
  if (live.state === "unknown" && !zone.parts.dryRun)
    refuse(`${resource.kind} ${name} can't be read: ${live.detail}`, component);

  const { repairs, hooks } = repair(
    parent,
    resource,
    name,
    live.state === "found" ? live.object : undefined,
    owner,
  );
  const annotations: Record<string, string> = {
    ...ownershipAnnotations(owner),
    ...(options.skipAwait === true && { "pulumi.com/skipAwait": "true" }),
    ...(repairs > 0 && { [REPAIRS_ANNOTATION]: String(repairs) }),
  };
  const repairsPath = `metadata.annotations["${REPAIRS_ANNOTATION}"]`;
  return construct(
    resource,
    name,
    {
      ...resourceFields(manifest),
      metadata: manifest.apply(({ metadata }) => ({
        ...metadata,
        annotations: { ...metadata.annotations, ...annotations },
      })),
    },
    {
      parent: component,
      provider: zone.parts.provider,
      dependsOn: [...zone.parts.dependsOn, ...(options.dependsOn ?? [])],
      ...(hooks && { hooks }),
      ...(live.state === "unknown" && { ignoreChanges: [repairsPath, ...(options.keepWhenUnknown ?? [])] }),
    },
  );
}

/** Compares the live object's field managers with ours; says how often it has been repaired, this run included. */
function repair(
  { component, zone, adopt }: Parent,
  resource: Resource,
  name: string,
  live: KubeObject | undefined,
  owner: string,
): { repairs: number; hooks?: pulumi.ResourceHookBinding } {
  if (live === undefined) return { repairs: 0 };
  const { allow, cluster, drift, namespace } = zone.parts;
  const before = Number(live.metadata.annotations?.[REPAIRS_ANNOTATION] ?? 0) || 0;
  const hook = new pulumi.ResourceHook(`claim ${resource.kind} ${name}`, () =>
    claim(cluster, resource, namespace, name, allow),
  );
  const claiming = { beforeCreate: [hook], beforeUpdate: [hook] };
  if (adopt && live.metadata.annotations?.[OWNER_ANNOTATION] !== owner)
    return { repairs: before, hooks: claiming };

  const foreign = foreignFields(live, allow);
  if (foreign.length === 0) return { repairs: before };
  const found = foreign.map(({ manager, paths }) => `${paths.join(", ")} (by ${manager})`).join("; ");
  const effect = drift === "repair" ? "this run removes them" : "they stay, since zone.drift is warn";
  void pulumi.log.warn(
    `${resource.kind} ${namespace}/${name} has fields that are not ours: ${found}; ${effect}`,
    component,
  );
  return drift === "repair" ? { repairs: before + 1, hooks: claiming } : { repairs: before };
}

/** Everything of a manifest but its metadata. */
function resourceFields(manifest: pulumi.Output<Manifest>): Record<string, pulumi.Input<unknown>> {
  const field = (key: string): pulumi.Output<unknown> =>
    manifest.apply((value) => (value as unknown as Record<string, unknown>)[key]);
  return { spec: field("spec"), data: field("data") };
}

function construct(
  resource: Resource,
  name: string,
  { spec, data, metadata }: Record<string, pulumi.Input<unknown>>,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
  // The manifests are typed where they are rendered; the SDK's own types say the same once more, leaf by leaf.
  const withSpec = { metadata, spec } as object;
  switch (resource.kind) {
    case "ServiceAccount":
      return new ServiceAccount(name, { metadata } as object, opts);
    case "Secret":
      return new Secret(name, { metadata, data } as object, opts);
    case "Deployment":
      return new Deployment(name, withSpec, opts);
    case "Service":
      return new Service(name, withSpec, opts);
    case "PodDisruptionBudget":
      return new PodDisruptionBudget(name, withSpec, opts);
    case "NetworkPolicy":
      return new NetworkPolicy(name, withSpec, opts);
    default:
      return new CustomResource(
        name,
        { apiVersion: resource.apiVersion, kind: resource.kind, metadata, spec } as ConstructorParameters<
          typeof CustomResource
        >[1],
        opts,
      );
  }
}
