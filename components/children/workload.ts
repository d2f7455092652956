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

/** What a component says of its workload. */
export interface Judged extends WorkloadStatus {
  summary: string;
  warnings: readonly string[];
}

/** A workload of a component, from its args to what it says of itself. `Input` is what its manifests depend on. */
export interface Workload<Input extends { spec: WorkloadSpec }> {
  identity: Identity;
  switches: WorkloadSwitches;
  config: pulumi.Output<ConfigFacts>;
  input: pulumi.Output<Input>;
  manifests: pulumi.Output<WorkloadManifests>;
  /** The Secret that it makes. */
  secret?: { name: string; manifest: pulumi.Output<Manifest> } | undefined;
  /** Whether there is no use in waiting for the pods, beside what holds for all workloads. */
  isHopeless?: (input: Input, facts: ConfigFacts, now: Date) => boolean;
  judge: (input: Input, facts: WorkloadFacts & ConfigFacts) => Judged;
}

/** Registers the objects that a workload asks for, waits for its pods, warns of what is wrong, and says how it stands. */
export function runWorkload<Input extends { spec: WorkloadSpec }>(parent: Parent, workload: Workload<Input>) {
  const { component, zone } = parent;
  const { identity, switches, config, input, isHopeless } = workload;
  const { now, previous } = zone.parts;
  const deployment = registerWorkload(parent, workload);
  const seconds = pulumi.all([input, config]).apply(([all, facts]) => {
    const cannotRoll = all.spec.replicas === 0 || facts.references.outcome === "missing";
    return patience(all.spec.rollout, cannotRoll || isHopeless?.(all as Input, facts, now) === true);
  });
  const wait = { component, zone, name: identity.name, selector: selectorLabels(identity) };
  const live = deploymentState(wait, deployment, seconds);
  const serviceMonitor = monitorState(zone, switches);
  const judged = pulumi.all([input, config, live, component.urn]).apply(([all, facts, state, urn]) => {
    const known = { serviceMonitor, live: state, previous: previous.get(urn) ?? [], now };
    const { warnings, ...status } = workload.judge(all as Input, { ...facts, ...known });
    for (const warning of warnings) void pulumi.log.warn(warning, component);
    return status;
  });
  return {
    phase: judged.phase,
    summary: judged.summary,
    conditions: judged.conditions,
    configChecksum: config.checksum,
    readyReplicas: live.apply((state) => (state.state === "found" ? state.deployment.ready : 0)),
  };
}

/** Registers the objects; returns the Deployment. */
function registerWorkload<Input extends { spec: WorkloadSpec }>(
  parent: Parent,
  { identity: { name }, switches, manifests, secret }: Workload<Input>,
): pulumi.CustomResource {
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
  const monitor = monitorState(zone, switches);
  const deployment = child(DEPLOYMENTS, "deployment", {
    skipAwait: true,
    afterEarlier: true,
    ...(wanted.horizontalPodAutoscaler && { ignoreChanges: ["spec.replicas"] }),
    keepWhenUnknown: ["metadata.annotations", "spec.template.metadata.annotations"],
  });
  const when = (wanted: boolean, ...children: Child[]): Child[] => (wanted ? children : []);
  const children = [
    ...when(!usesForeignAccount, child(SERVICE_ACCOUNTS, "serviceAccount", { name: account })),
    ...(secret ? [{ resource: SECRETS, ...secret }] : []),
    deployment,
    child(SERVICES, "service", { skipAwait: true }),
    ...when(wanted.horizontalPodAutoscaler, child(HORIZONTAL_POD_AUTOSCALERS, "horizontalPodAutoscaler")),
    ...when(wanted.networkPolicy, child(NETWORK_POLICIES, "networkPolicy")),
    ...when(wanted.podDisruptionBudget, child(POD_DISRUPTION_BUDGETS, "podDisruptionBudget")),
    ...when(monitor === "yes" || monitor === "unknown", child(SERVICE_MONITORS, "serviceMonitor")),
  ];
  return registerChildren(parent, children)[children.indexOf(deployment)] as pulumi.CustomResource;
}

const IDLE_ANNOTATIONS = "serviceAccount.annotations have no effect: the account exists and is not ours";
