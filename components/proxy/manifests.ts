import { type ConfigWiring, wireConfig } from "../workload/config-refs.ts";
import { DEFAULT_PROGRESS_DEADLINE_SECONDS, renderDeployment } from "../workload/deployment.ts";
import { egressEnv } from "../workload/egress.ts";
import { type ResolvedImage, resolveImage } from "../workload/image.ts";
import { type Identity, objectLabels } from "../workload/labels.ts";
import type {
  Deployment,
  EnvVar,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
} from "../workload/manifest.ts";
import { renderNetworkPolicy } from "../workload/networkpolicy.ts";
import { renderPodDisruptionBudget } from "../workload/poddisruptionbudget.ts";
import { httpProbe } from "../workload/probes.ts";
import { renderService } from "../workload/service.ts";
import { renderServiceAccount, serviceAccountName } from "../workload/serviceaccount.ts";
import { renderServiceMonitor } from "../workload/servicemonitor.ts";
import type { BomImage, EgressSpec, ImageDefaults, TolerationSpec } from "../workload/specs.ts";
import type { ProxySpec } from "./args.ts";
import type { TokenSource } from "./token.ts";

export const HTTP_PORT = 8080;
export const API_PORT = 8081;
const METRICS_PATH = "/metrics";

/** Liveness asks for the process alone; readiness also whether it has reached the broker. */
const PROBES = {
  liveness: { path: "/health", initialDelaySeconds: 10, periodSeconds: 30, failureThreshold: 3 },
  readiness: { path: "/ready", initialDelaySeconds: 5, periodSeconds: 10, failureThreshold: 3 },
  startup: { path: "/health", initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 30 },
};

/** The names that the token's wiring keeps for itself: nothing else may set them. */
const RESERVED_ENV: readonly string[] = ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"];

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
  annotations: Record<string, string>;
}

export interface ProxyManifests {
  serviceAccount: ServiceAccount;
  deployment: Deployment;
  service: Service;
  podDisruptionBudget: PodDisruptionBudget;
  networkPolicy: NetworkPolicy;
  serviceMonitor: ServiceMonitor;
}

/** The image of a proxy: its own fields, then the zone's, then the bill of materials. */
export function proxyImage({ spec, zone, billOfMaterials }: ProxyInput): ResolvedImage {
  return resolveImage(spec.image, zone.image, billOfMaterials);
}

/** The variables that are dropped, inline or mapped from a key: the token's wiring keeps their names for itself. */
export function droppedEnv(spec: ProxySpec): string[] {
  const names = [...(spec.env ?? []), ...wireConfig(spec).env].map(({ name }) => name);
  return [...new Set(names)].filter((name) => RESERVED_ENV.includes(name));
}

/** The Secret of a proxy that was given its token itself. `data` is base64. */
export function tokenSecret(identity: Identity, token: TokenSource, data: string): Secret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: token.name, namespace: identity.namespace, labels: objectLabels(identity) },
    data: { [token.tokenKey]: data },
  };
}

/** All that a proxy may consist of. Which of them are registered is the component's business. */
export function proxyManifests(input: ProxyInput): ProxyManifests {
  const { identity, spec } = input;
  return {
    serviceAccount: renderServiceAccount(identity, spec.serviceAccount),
    deployment: proxyDeployment(input),
    service: renderService(identity, [
      { name: "http", port: HTTP_PORT },
      { name: "api", port: API_PORT },
    ]),
    podDisruptionBudget: renderPodDisruptionBudget(identity, spec.podDisruptionBudget ?? { enabled: true }),
    networkPolicy: renderNetworkPolicy(identity, [HTTP_PORT, API_PORT]),
    serviceMonitor: renderServiceMonitor(identity, spec.metrics ?? { enabled: true }, METRICS_PATH),
  };
}

function proxyDeployment(input: ProxyInput): Deployment {
  const { identity, spec, zone } = input;
  const config = wireConfig(spec);
  return renderDeployment({
    identity,
    replicas: spec.replicas ?? 1,
    progressDeadlineSeconds: spec.rollout?.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS,
    serviceAccountName: serviceAccountName(identity.name, spec.serviceAccount),
    image: proxyImage(input),
    ports: [
      { name: "http", containerPort: HTTP_PORT },
      { name: "api", containerPort: API_PORT },
    ],
    env: proxyEnv(input, config),
    resources: spec.resources && {
      ...(spec.resources.requests && { requests: spec.resources.requests }),
      ...(spec.resources.limits && { limits: spec.resources.limits }),
    },
    probes: {
      liveness: httpProbe(spec.probes?.liveness, PROBES.liveness, HTTP_PORT),
      readiness: httpProbe(spec.probes?.readiness, PROBES.readiness, HTTP_PORT),
      startup: httpProbe(spec.probes?.startup, PROBES.startup, HTTP_PORT),
    },
    config: { ...config, env: config.env.filter(({ name }) => !RESERVED_ENV.includes(name)) },
    security: spec.securityContext ?? {},
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
    nodeSelector: spec.nodeSelector,
    affinity: spec.affinity,
    initContainers: spec.initContainers ?? [],
    sidecars: spec.sidecars ?? [],
    tolerations: [...(zone.tolerations ?? []), ...(spec.tolerations ?? [])],
    podLabels: spec.podLabels ?? {},
    podAnnotations: spec.podAnnotations ?? {},
    checksum: input.checksum,
    annotations: input.annotations,
  });
}

/** Inline variables first, then the zone's egress proxy where they leave it open, then the token. */
function proxyEnv({ spec, token, zone }: ProxyInput, config: ConfigWiring): EnvVar[] {
  const inline = (spec.env ?? [])
    .filter(({ name }) => !RESERVED_ENV.includes(name))
    .map(({ name, value }): EnvVar => ({ name, value: value ?? "" }));
  const taken = new Set([...inline, ...config.env].map(({ name }) => name.toUpperCase()));
  const egress = egressEnv(zone.egress, zone.clusterDomain).filter(
    ({ name }) => !taken.has(name.toUpperCase()),
  );
  const { name, tokenKey, signingKeyKey } = token;
  return [
    ...inline,
    ...egress,
    { name: "PROXY_CONFIG_TOKEN", valueFrom: { secretKeyRef: { name, key: tokenKey } } },
    {
      name: "PROXY_TOKEN_SIGNING_KEY",
      valueFrom: { secretKeyRef: { name, key: signingKeyKey, optional: true } },
    },
  ];
}
