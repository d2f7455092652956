import * as pulumi from "@pulumi/pulumi";
import {
  DEPLOYMENTS,
  HORIZONTAL_POD_AUTOSCALERS,
  NETWORK_POLICIES,
  POD_DISRUPTION_BUDGETS,
  type Resource,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICE_MONITORS,
  SERVICES,
} from "../cluster/cluster.ts";
import { type Identity, selectorLabels } from "../workload/labels.ts";
import type { Manifest } from "../workload/manifest.ts";
import { serviceAccountName } from "../workload/serviceaccount.ts";
import type { WorkloadFacts, WorkloadStatus } from "../workload/status.ts";
import type { WorkloadSpec } from "../workload/workload-spec.ts";
import { type ObjectSwitches, wantedObjects, type WorkloadManifests } from "../workload/workload.ts";
import type { Zone } from "../zone/zone.ts";
import type { ConfigFacts } from "./config.ts";
import { isForeignAccount } from "./owner.ts";
import { type Child, type Parent, registerChildren } from "./register.ts";
import { deploymentState, patience } from "./rollout.ts";

/** What decides which objects a workload has: plain, since it must be known before anything runs. */
export interface WorkloadSwitches extends ObjectSwitches {
  serviceAccount?: { name?: string | undefined; annotations?: unknown } | undefined;
}

function monitorState(zone: Zone, switches: ObjectSwitches): WorkloadFacts["serviceMonitor"] {
  return wantedObjects(switches).serviceMonitor ? zone.serves(SERVICE_MONITORS) : "unwanted";
}

/** A workload of a component, from its args to its pods. `Input` is what its manifests depend on. */
export interface Workload<Input extends { spec: WorkloadSpec }> {
  identity: Identity;
  switches: WorkloadSwitches;
  config: pulumi.Output<ConfigFacts>;
  input: pulumi.Output<Input>;
  manifests: pulumi.Output<WorkloadManifests>;
  /** The Secret that it makes. */
  secret?: { name: string; manifest: pulumi.Output<Manifest> } | undefined;
  /** Whether there is no use in waiting for the pods, beside what holds for all workloads. */
  isHopeless?: (input: Input, facts: ConfigFacts) => boolean;
}

/** What is known of a workload when there is nothing left to wait for. The moment is the zone's: no Output carries a Date. */
export type Settled = Omit<WorkloadFacts, "now"> & ConfigFacts;

/** Registers the objects that a workload asks for, and waits for its pods. */
export function rollOut<Input extends { spec: WorkloadSpec }>(
  parent: Parent,
  workload: Workload<Input>,
): pulumi.Output<Settled> {
  const { component, zone } = parent;
  const { identity, switches, config, input, isHopeless } = workload;
  const serviceMonitor = monitorState(zone, switches);
  const { deployment, mended } = registerWorkload(parent, workload, serviceMonitor);
  const seconds = pulumi.all([input, config]).apply(([all, facts]) => {
    const cannotRoll = all.spec.replicas === 0 || facts.references.outcome === "missing";
    return patience(all.spec.rollout, cannotRoll || isHopeless?.(all as Input, facts) === true);
  });
  const wait = { component, zone, name: identity.name, selector: selectorLabels(identity), mended };
  const live = deploymentState(wait, deployment, seconds);
  return pulumi.all([config, live, component.urn]).apply(([facts, state, urn]) => ({
    ...facts,
    serviceMonitor,
    live: state,
    previous: zone.parts.previous.get(urn)?.conditions ?? [],
  }));
}

/** What a component says of itself. */
export interface Judged extends WorkloadStatus {
  summary: string;
  warnings: readonly string[];
}

/** Warns of what is wrong, once it is judged. */
export function told(
  component: pulumi.ComponentResource,
  judged: pulumi.Output<Judged>,
): pulumi.Output<Omit<Judged, "warnings">> {
  return judged.apply(({ warnings, ...status }) => {
    for (const warning of warnings) void pulumi.log.warn(warning, component);
    return status;
  });
}

/** Pods that are ready. */
export function readyReplicas({ live }: Pick<WorkloadFacts, "live">): number {
  return live.state === "found" ? live.deployment.ready : 0;
}

/** Registers the objects; returns the Deployment, and whether something is made anew that its pods need. */
function registerWorkload<Input extends { spec: WorkloadSpec }>(
  parent: Parent,
  { identity: { name }, switches, manifests, secret }: Workload<Input>,
  monitor: WorkloadFacts["serviceMonitor"],
): { deployment: pulumi.CustomResource; mended: boolean } {
  const { component, zone } = parent;
  const child = (resource: Resource, key: keyof WorkloadManifests, more: Partial<Child> = {}): Child => ({
    resource,
    name,
    manifest: manifests.apply((all): Manifest => all[key]),
    ...more,
  });
  const account = serviceAccountName(name, switches.serviceAccount);
  const usesForeignAccount = isForeignAccount(zone, switches.serviceAccount?.name);
  if (usesForeignAccount && switches.serviceAccount?.annotations !== undefined)
    void pulumi.log.warn(IDLE_ANNOTATIONS, component);
  const wanted = wantedObjects(switches);
  const deployment = child(DEPLOYMENTS, "deployment", {
    skipAwait: true,
    afterEarlier: true,
    ...(wanted.horizontalPodAutoscaler && { ignoreChanges: ["spec.replicas"] }),
    keepWhenUnknown: ["metadata.annotations", "spec.template.metadata.annotations"],
  });
  const when = (wanted: boolean, ...children: Child[]): Child[] => (wanted ? children : []);
  const needed: Child[] = [
    // Where the provider can't ask for the cluster's version it would wait for a token as Kubernetes 1.23 made it.
    ...when(
      !usesForeignAccount,
      child(SERVICE_ACCOUNTS, "serviceAccount", { name: account, skipAwait: true }),
    ),
    ...(secret ? [{ resource: SECRETS, ...secret }] : []),
  ];
  const children = [
    ...needed,
    deployment,
    child(SERVICES, "service", { skipAwait: true }),
    ...when(wanted.horizontalPodAutoscaler, child(HORIZONTAL_POD_AUTOSCALERS, "horizontalPodAutoscaler")),
    ...when(wanted.networkPolicy, child(NETWORK_POLICIES, "networkPolicy")),
    ...when(wanted.podDisruptionBudget, child(POD_DISRUPTION_BUDGETS, "podDisruptionBudget")),
    ...when(monitor === "yes" || monitor === "unknown", child(SERVICE_MONITORS, "serviceMonitor")),
  ];
  const registered = registerChildren(parent, children)[
    children.indexOf(deployment)
  ] as pulumi.CustomResource;
  const mended = needed.some(({ resource, name: each }) => zone.live(resource, each).state === "absent");
  return { deployment: registered, mended };
}

const IDLE_ANNOTATIONS = "serviceAccount.annotations have no effect: the account exists and is not ours";
