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
import type { Manifest } from "../workload/manifest.ts";
import { serviceAccountName } from "../workload/serviceaccount.ts";
import type { WorkloadFacts } from "../workload/status.ts";
import { type ObjectSwitches, wantedObjects, type WorkloadManifests } from "../workload/workload.ts";
import type { Zone } from "../zone/zone.ts";
import { isForeignAccount } from "./owner.ts";
import { type Child, type Parent, registerChildren } from "./register.ts";

/** What decides which objects a workload has: plain, since it must be known before anything runs. */
export interface WorkloadSwitches extends ObjectSwitches {
  serviceAccount?: { name?: string | undefined; annotations?: unknown } | undefined;
}

/** Whether a ServiceMonitor is wanted and, when it is, whether the cluster serves the kind. */
export function monitorState(zone: Zone, switches: ObjectSwitches): WorkloadFacts["serviceMonitor"] {
  return wantedObjects(switches).serviceMonitor ? zone.serves(SERVICE_MONITORS) : "unwanted";
}

/** Registers the objects that a workload asks for, and a Secret of its own where it makes one; returns the Deployment. */
export function registerWorkload(
  parent: Parent,
  name: string,
  switches: WorkloadSwitches,
  manifests: pulumi.Output<WorkloadManifests>,
  secret?: { name: string; manifest: pulumi.Output<Manifest> },
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
