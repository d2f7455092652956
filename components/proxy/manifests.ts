import { type GuardedReferences, mappedVariables, wireConfig } from "../workload/config-refs.ts";
import { renderDeployment } from "../workload/deployment.ts";
import { egressEnv, mergeEgress } from "../workload/egress.ts";
import { renderHorizontalPodAutoscaler } from "../workload/horizontalpodautoscaler.ts";
import { type ResolvedImage, resolveImage } from "../workload/image.ts";
import { type Identity, objectLabels } from "../workload/labels.ts";
import type {
  Deployment,
  EnvVar,
  HorizontalPodAutoscaler,
  Manifest,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
} from "../workload/manifest.ts";
import type { EgressSpec } from "../workload/network-specs.ts";
import { renderNetworkPolicy } from "../workload/networkpolicy.ts";
import { blocksDrains, renderPodDisruptionBudget } from "../workload/poddisruptionbudget.ts";
import { httpProbe } from "../workload/probes.ts";
import { renderService } from "../workload/service.ts";
import { renderServiceAccount, serviceAccountName } from "../workload/serviceaccount.ts";
import { renderServiceMonitor, wantsServiceMonitor } from "../workload/servicemonitor.ts";
import type { BomImage, ImageDefaults, TolerationSpec } from "../workload/specs.ts";
import { transformed } from "../workload/transform.ts";
import { writableVolumes } from "../workload/writable-paths.ts";
import type { ProxySpec, ProxyTransform } from "./args.ts";
import { type OwnToken, ownTokenData, RESERVED_ENV, type TokenSource } from "./token.ts";

export const HTTP_PORT = 8080;
export const API_PORT = 8081;
const METRICS_PATH = "/metrics";

/** Liveness asks for the process alone; readiness also whether it has reached the broker. */
const PROBES = {
  liveness: { path: "/health", initialDelaySeconds: 10, periodSeconds: 30, failureThreshold: 3 },
  readiness: { path: "/ready", initialDelaySeconds: 5, periodSeconds: 10, failureThreshold: 3 },
  startup: { path: "/health", initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 30 },
};

/** Everything that a proxy's manifests depend on. */
export interface ProxyInput {
  identity: Identity;
  spec: ProxySpec;
  token: TokenSource;
  /** The zone's share. */
  zone: {
    image?: ImageDefaults | undefined;
    egress?: EgressSpec | undefined;
    tolerations?: TolerationSpec[] | undefined;
    clusterDomain: string;
  };
  billOfMaterials: BomImage;
  checksum: string | undefined;
  /** References that are wired key by key. */
  guarded: GuardedReferences;
  annotations: Record<string, string>;
}

export interface ProxyManifests {
  serviceAccount: ServiceAccount;
  deployment: Deployment;
  service: Service;
  horizontalPodAutoscaler: HorizontalPodAutoscaler;
  podDisruptionBudget: PodDisruptionBudget;
  networkPolicy: NetworkPolicy;
  serviceMonitor: ServiceMonitor;
}

/** The image of a proxy: its own fields, then the zone's, then the bill of materials. */
export function proxyImage({ spec, zone, billOfMaterials }: ProxyInput): ResolvedImage {
  return resolveImage(spec.image, zone.image, billOfMaterials);
}

/** The variables that are dropped, inline or mapped from a key: the token's wiring keeps their names for itself. */
function droppedEnv(spec: ProxySpec): string[] {
  const names = [...(spec.env ?? []), ...mappedVariables(spec)].map(({ name }) => name);
  return [...new Set(names)].filter((name) => RESERVED_ENV.includes(name));
}

/** The fewest pods that there may be in normal operation. */
function fewestReplicas({ replicas, autoscaling }: ProxySpec): number {
  return autoscaling?.enabled === true ? (autoscaling.minReplicas ?? 1) : (replicas ?? 1);
}

/** What people should know of their args in every run, although nothing is wrong with them. */
export function specWarnings({ spec, guarded }: Pick<ProxyInput, "spec" | "guarded">): string[] {
  const keyed = Object.keys(guarded).map(
    (reference) =>
      `${reference} holds a variable that is reserved for the token: it is wired key by key, without it`,
  );
  const dropped = droppedEnv(spec).map(
    (name) => `the variable ${name} is reserved for the token and was left out`,
  );
  const blocked = blocksDrains(spec.podDisruptionBudget, fewestReplicas(spec)) ? [BLOCKED_DRAINS] : [];
  return [...dropped, ...keyed, ...blocked];
}

const BLOCKED_DRAINS =
  "podDisruptionBudget lets no pod go: a node under this proxy can't be drained. Raise replicas or lower the bound";

/** The Secret of a proxy that was given its token itself. */
export function tokenSecret(identity: Identity, token: TokenSource, own: OwnToken): Secret {
  const data = Object.entries(ownTokenData(token, own));
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: token.name, namespace: identity.namespace, labels: objectLabels(identity) },
    data: Object.fromEntries(data.map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
  };
}

interface Switch {
  enabled: boolean;
}

/** Which of the objects that a proxy may do without are asked for. */
export function wantedObjects(spec: {
  autoscaling?: Switch | undefined;
  podDisruptionBudget?: Switch | undefined;
  networkPolicy?: { enabled?: boolean | undefined } | undefined;
  metrics?: (Switch & { serviceMonitor?: Switch | undefined }) | undefined;
}) {
  return {
    horizontalPodAutoscaler: spec.autoscaling?.enabled === true,
    podDisruptionBudget: spec.podDisruptionBudget?.enabled === true,
    networkPolicy: spec.networkPolicy?.enabled !== false,
    serviceMonitor: wantsServiceMonitor(spec.metrics),
  };
}

/** All that a proxy may consist of, whether or not `wantedObjects` asks for it. */
export function proxyManifests(input: ProxyInput, transform: ProxyTransform = {}): ProxyManifests {
  const { identity, spec } = input;
  const rendered: ProxyManifests = {
    serviceAccount: renderServiceAccount(identity, spec.serviceAccount),
    deployment: proxyDeployment(input),
    service: renderService(identity, [
      { name: "http", port: HTTP_PORT },
      { name: "api", port: API_PORT },
    ]),
    horizontalPodAutoscaler: renderHorizontalPodAutoscaler(
      identity,
      spec.autoscaling ?? { enabled: true, maxReplicas: 1 },
    ),
    podDisruptionBudget: renderPodDisruptionBudget(
      identity,
      spec.podDisruptionBudget ?? { enabled: true },
      fewestReplicas(spec),
    ),
    networkPolicy: renderNetworkPolicy(identity, [HTTP_PORT, API_PORT], spec.networkPolicy),
    serviceMonitor: renderServiceMonitor(identity, spec.metrics ?? { enabled: true }, METRICS_PATH),
  };
  const wanted: Partial<Record<keyof ProxyManifests, boolean>> = wantedObjects(spec);
  const entries = Object.entries(rendered) as [keyof ProxyManifests, Manifest][];
  return Object.fromEntries(
    entries.map(([child, manifest]) => {
      if (wanted[child] === false) return [child, manifest];
      try {
        return [child, transformed(manifest, transform[child], identity, RESERVED_ENV)];
      } catch (error) {
        throw new Error(`transform.${child}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  ) as unknown as ProxyManifests;
}

function proxyDeployment(input: ProxyInput): Deployment {
  const { identity, spec, zone } = input;
  const volumes = [...writableVolumes(spec), ...(spec.volumes ?? [])];
  const config = wireConfig({ ...spec, volumes }, input.guarded);
  const inline = inlineEnv(spec);
  const egress = egressVariables(input, [...inline, ...mappedVariables(spec)]);
  const taken = [...RESERVED_ENV, ...[...inline, ...egress].map(({ name }) => name)];
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
    image: proxyImage(input),
    ports: [
      { name: "http", containerPort: HTTP_PORT },
      { name: "api", containerPort: API_PORT },
    ],
    env: [...inline, ...egress, ...tokenVariables(input.token)],
    resources: spec.resources && {
      ...(spec.resources.requests && { requests: spec.resources.requests }),
      ...(spec.resources.limits && { limits: spec.resources.limits }),
    },
    probes: {
      liveness: httpProbe(spec.probes?.liveness, PROBES.liveness, HTTP_PORT),
      readiness: httpProbe(spec.probes?.readiness, PROBES.readiness, HTTP_PORT),
      startup: httpProbe(spec.probes?.startup, PROBES.startup, HTTP_PORT),
    },
    config: { ...config, env: mapped },
    security: spec.securityContext ?? {},
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
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

function inlineEnv(spec: ProxySpec): EnvVar[] {
  return (spec.env ?? [])
    .filter(({ name }) => !RESERVED_ENV.includes(name))
    .map(({ name, value }) => ({ name, value: value ?? "" }));
}

/** The variables of the egress proxy, where nothing else that is named sets them, in either letter case. */
function egressVariables({ identity, spec, zone }: ProxyInput, named: readonly EnvVar[]): EnvVar[] {
  const taken = new Set(named.map(({ name }) => name.toUpperCase()));
  return egressEnv(mergeEgress(spec.egress, zone.egress), identity, zone.clusterDomain).filter(
    ({ name }) => !taken.has(name.toUpperCase()),
  );
}

function tokenVariables({ name, tokenKey, signingKeyKey }: TokenSource): EnvVar[] {
  return [
    { name: "PROXY_CONFIG_TOKEN", valueFrom: { secretKeyRef: { name, key: tokenKey } } },
    {
      name: "PROXY_TOKEN_SIGNING_KEY",
      valueFrom: { secretKeyRef: { name, key: signingKeyKey, optional: true } },
    },
  ];
}
