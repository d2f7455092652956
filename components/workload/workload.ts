import { type GuardedReferences, mappedVariables, wireConfig } from "./config-refs.ts";
import { renderDeployment } from "./deployment.ts";
import { egressEnv, mergeEgress } from "./egress.ts";
import { renderHorizontalPodAutoscaler } from "./horizontalpodautoscaler.ts";
import type { ResolvedImage } from "./image.ts";
import type { Identity } from "./labels.ts";
import type {
  Deployment,
  EnvVar,
  HorizontalPodAutoscaler,
  HttpGetProbe,
  Manifest,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
  ServiceMonitor,
} from "./manifest.ts";
import type { PodDisruptionBudgetSpec } from "./availability-specs.ts";
import type { EgressSpec } from "./network-specs.ts";
import { renderNetworkPolicy } from "./networkpolicy.ts";
import { blocksDrains, renderPodDisruptionBudget } from "./poddisruptionbudget.ts";
import { renderService, type ServiceType } from "./service.ts";
import { renderServiceAccount, serviceAccountName } from "./serviceaccount.ts";
import { renderServiceMonitor, wantsServiceMonitor } from "./servicemonitor.ts";
import type { ImageDefaults, MetricsSpec, TolerationSpec } from "./specs.ts";
import { type Transform, transformed } from "./transform.ts";
import type { WorkloadSpec } from "./workload-spec.ts";
import { writableVolumes } from "./writable-paths.ts";

/** What a zone lays on every workload. */
export interface ZoneShare {
  image?: ImageDefaults | undefined;
  egress?: EgressSpec | undefined;
  tolerations?: TolerationSpec[] | undefined;
  clusterDomain: string;
}

/** What a component's manifests depend on, whichever component it is. */
export interface ComponentInput<Spec extends WorkloadSpec> {
  identity: Identity;
  spec: Spec;
  zone: ZoneShare;
  checksum: string | undefined;
  /** References that are wired key by key. */
  guarded: GuardedReferences;
  annotations: Record<string, string>;
}

/** Everything that a workload's manifests depend on. */
export interface WorkloadInput extends ComponentInput<WorkloadSpec> {
  image: ResolvedImage;
  /** Ports of the container and, under the same numbers, of the Service. */
  ports: { name: string; port: number }[];
  serviceType?: ServiceType | undefined;
  probes: Record<"liveness" | "readiness" | "startup", HttpGetProbe | undefined>;
  /** Variables that the component sets itself; their names are reserved. */
  ownEnv?: EnvVar[];
  terminationGracePeriodSeconds?: number | undefined;
  podDisruptionBudget?: PodDisruptionBudgetSpec | undefined;
  metrics?: MetricsSpec | undefined;
  /** Path of the metrics where `metrics` names none. */
  metricsPath: string;
}

/** All that a workload may consist of. */
export interface WorkloadManifests {
  serviceAccount: ServiceAccount;
  deployment: Deployment;
  service: Service;
  horizontalPodAutoscaler: HorizontalPodAutoscaler;
  podDisruptionBudget: PodDisruptionBudget;
  networkPolicy: NetworkPolicy;
  serviceMonitor: ServiceMonitor;
}

/**
 * A change per child, for what no field covers: it sees the rendered manifest as plain JSON and changes it in place, or
 * gives another one back. Name, namespace, labels, selectors, ownership, checksum, hardening and the component's own
 * variables are laid on behind it. One that throws fails the run.
 * @effect whatever the change to that object does
 */
export interface WorkloadTransform {
  /** The ServiceAccount. */
  serviceAccount?: Transform | undefined;
  /** The Deployment, its pod template included. */
  deployment?: Transform | undefined;
  /** The Service. */
  service?: Transform | undefined;
  /** The HorizontalPodAutoscaler, with `autoscaling`. */
  horizontalPodAutoscaler?: Transform | undefined;
  /** The PodDisruptionBudget, where there is one. */
  podDisruptionBudget?: Transform | undefined;
  /** The NetworkPolicy. */
  networkPolicy?: Transform | undefined;
  /** The ServiceMonitor, with `metrics.serviceMonitor`. */
  serviceMonitor?: Transform | undefined;
}

interface Switch {
  enabled: boolean;
}

/** The parts of a workload that decide which objects there are. */
export interface ObjectSwitches {
  autoscaling?: Switch | undefined;
  podDisruptionBudget?: Switch | undefined;
  networkPolicy?: { enabled?: boolean | undefined } | undefined;
  metrics?: (Switch & { serviceMonitor?: Switch | undefined }) | undefined;
}

/** Which of the objects that a workload may do without are asked for. */
export function wantedObjects(switches: ObjectSwitches) {
  return {
    horizontalPodAutoscaler: switches.autoscaling?.enabled === true,
    podDisruptionBudget: switches.podDisruptionBudget?.enabled === true,
    networkPolicy: switches.networkPolicy?.enabled !== false,
    serviceMonitor: wantsServiceMonitor(switches.metrics),
  };
}

/** All that a workload may consist of, whether or not `wantedObjects` asks for it. */
export function workloadManifests(
  input: WorkloadInput,
  transform: WorkloadTransform = {},
): WorkloadManifests {
  const { identity, spec, ports, podDisruptionBudget, metrics, ownEnv = [] } = input;
  const rendered: WorkloadManifests = {
    serviceAccount: renderServiceAccount(identity, spec.serviceAccount),
    deployment: workloadDeployment(input),
    service: renderService(identity, ports, input.serviceType),
    horizontalPodAutoscaler: renderHorizontalPodAutoscaler(
      identity,
      spec.autoscaling ?? { enabled: true, maxReplicas: 1 },
    ),
    podDisruptionBudget: renderPodDisruptionBudget(
      identity,
      podDisruptionBudget ?? { enabled: true },
      fewestReplicas(spec),
    ),
    networkPolicy: renderNetworkPolicy(
      identity,
      ports.map(({ port }) => port),
      spec.networkPolicy,
    ),
    serviceMonitor: renderServiceMonitor(identity, metrics ?? { enabled: true }, input.metricsPath),
  };
  const wanted: Partial<Record<keyof WorkloadManifests, boolean>> = wantedObjects({ ...spec, ...input });
  const reserved = ownEnv.map(({ name }) => name);
  const entries = Object.entries(rendered) as [keyof WorkloadManifests, Manifest][];
  return Object.fromEntries(
    entries.map(([child, manifest]) => {
      if (wanted[child] === false) return [child, manifest];
      try {
        return [child, transformed(manifest, transform[child], identity, reserved)];
      } catch (error) {
        throw new Error(`transform.${child}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  ) as unknown as WorkloadManifests;
}

/**
 * What people should know of their args in every run, although nothing is wrong with them. `reserved` are the variables
 * that the component sets itself.
 */
export function workloadWarnings(
  { spec, guarded, podDisruptionBudget }: Pick<WorkloadInput, "spec" | "guarded" | "podDisruptionBudget">,
  reserved: readonly string[],
): string[] {
  const keyed = Object.keys(guarded).map(
    (reference) =>
      `${reference} holds a variable that is reserved for the token: it is wired key by key, without it`,
  );
  const set = new Set([...(spec.env ?? []), ...mappedVariables(spec)].map(({ name }) => name));
  const dropped = [...set]
    .filter((name) => reserved.includes(name))
    .map((name) => `the variable ${name} is reserved for the token and was left out`);
  const blocked = blocksDrains(podDisruptionBudget, fewestReplicas(spec)) ? [BLOCKED_DRAINS] : [];
  return [...dropped, ...keyed, ...blocked];
}

const BLOCKED_DRAINS =
  "podDisruptionBudget lets no pod go: a node under it can't be drained. Raise replicas or lower the bound";

/** The fewest pods that there may be in normal operation. */
function fewestReplicas({ replicas, autoscaling }: WorkloadSpec): number {
  return autoscaling?.enabled === true ? (autoscaling.minReplicas ?? 1) : (replicas ?? 1);
}

function workloadDeployment(input: WorkloadInput): Deployment {
  const { identity, spec, zone, ownEnv = [] } = input;
  const reserved = ownEnv.map(({ name }) => name);
  const volumes = [...writableVolumes(spec), ...(spec.volumes ?? [])];
  const config = wireConfig({ ...spec, volumes }, input.guarded);
  const inline = (spec.env ?? [])
    .filter(({ name }) => !reserved.includes(name))
    .map(({ name, value }): EnvVar => ({ name, value: value ?? "" }));
  const egress = egressVariables(input, [...inline, ...mappedVariables(spec)]);
  const taken = [...reserved, ...[...inline, ...egress].map(({ name }) => name)];
  const mapped = config.env.filter(({ name }) => !taken.includes(name));
  return renderDeployment({
    identity,
    replicas: spec.autoscaling?.enabled === true ? undefined : (spec.replicas ?? 1),
    strategy: spec.strategy,
    minReadySeconds: spec.minReadySeconds,
    progressDeadlineSeconds: spec.rollout?.progressDeadlineSeconds,
    serviceAccountName: serviceAccountName(identity.name, spec.serviceAccount),
    automountServiceAccountToken: spec.automountServiceAccountToken,
    priorityClassName: spec.priorityClassName,
    image: input.image,
    ports: input.ports.map(({ name, port }) => ({ name, containerPort: port })),
    env: [...inline, ...egress, ...ownEnv],
    resources: spec.resources && {
      ...(spec.resources.requests && { requests: spec.resources.requests }),
      ...(spec.resources.limits && { limits: spec.resources.limits }),
    },
    probes: input.probes,
    config: { ...config, env: mapped },
    security: spec.securityContext ?? {},
    terminationGracePeriodSeconds: input.terminationGracePeriodSeconds,
    nodeSelector: spec.nodeSelector,
    affinity: spec.affinity,
    initContainers: spec.initContainers ?? [],
    sidecars: spec.sidecars ?? [],
    tolerations: [...(zone.tolerations ?? []), ...(spec.tolerations ?? [])],
    topologySpreadConstraints: spec.topologySpreadConstraints,
    podLabels: spec.podLabels ?? {},
    podAnnotations: spec.podAnnotations ?? {},
    checksum: input.checksum,
    annotations: input.annotations,
  });
}

/** The variables of the egress proxy, where nothing else that is named sets them, in either letter case. */
function egressVariables({ identity, spec, zone }: WorkloadInput, named: readonly EnvVar[]): EnvVar[] {
  const taken = new Set(named.map(({ name }) => name.toUpperCase()));
  return egressEnv(mergeEgress(spec.egress, zone.egress), identity, zone.clusterDomain).filter(
    ({ name }) => !taken.has(name.toUpperCase()),
  );
}
