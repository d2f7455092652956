import { type ResolvedImage, resolveImage } from "../workload/image.ts";
import { type Identity, objectLabels } from "../workload/labels.ts";
import type { EnvVar, Secret } from "../workload/manifest.ts";
import { httpProbe } from "../workload/probes.ts";
import type { BomImage } from "../workload/specs.ts";
import {
  type ComponentInput,
  type WorkloadInput,
  workloadManifests,
  type WorkloadManifests,
  type WorkloadTransform,
  workloadWarnings,
} from "../workload/workload.ts";
import type { ProxySpec } from "./args.ts";
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
export interface ProxyInput extends ComponentInput<ProxySpec> {
  token: TokenSource;
  billOfMaterials: BomImage;
}

/** The image of a proxy: its own fields, then the zone's, then the bill of materials. */
export function proxyImage({ spec, zone, billOfMaterials }: ProxyInput): ResolvedImage {
  return resolveImage(spec.image, zone.image, billOfMaterials);
}

/** What people should know of their args in every run, although nothing is wrong with them. */
export function specWarnings({ spec, guarded }: Pick<ProxyInput, "spec" | "guarded">): string[] {
  const { podDisruptionBudget } = spec;
  return workloadWarnings({ spec, guarded, podDisruptionBudget }, RESERVED_ENV);
}

/** All that a proxy may consist of, whether or not it asks for it. */
export function proxyManifests(input: ProxyInput, transform?: WorkloadTransform): WorkloadManifests {
  return workloadManifests(workloadInput(input), transform);
}

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

function workloadInput(input: ProxyInput): WorkloadInput {
  const { spec, token } = input;
  return {
    ...input,
    image: proxyImage(input),
    ports: [
      { name: "http", port: HTTP_PORT },
      { name: "api", port: API_PORT },
    ],
    probes: {
      liveness: httpProbe(spec.probes?.liveness, PROBES.liveness, HTTP_PORT),
      readiness: httpProbe(spec.probes?.readiness, PROBES.readiness, HTTP_PORT),
      startup: httpProbe(spec.probes?.startup, PROBES.startup, HTTP_PORT),
    },
    ownEnv: tokenVariables(token),
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
    podDisruptionBudget: spec.podDisruptionBudget,
    metrics: spec.metrics,
    metricsPath: METRICS_PATH,
  };
}

/** Their names are `RESERVED_ENV`. */
function tokenVariables({ name, tokenKey, signingKeyKey }: TokenSource): EnvVar[] {
  return [
    { name: "PROXY_CONFIG_TOKEN", valueFrom: { secretKeyRef: { name, key: tokenKey } } },
    {
      name: "PROXY_TOKEN_SIGNING_KEY",
      valueFrom: { secretKeyRef: { name, key: signingKeyKey, optional: true } },
    },
  ];
}
