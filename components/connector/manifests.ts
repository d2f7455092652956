import { isDeepStrictEqual } from "node:util";
import { configReferences, wholeReferences } from "../workload/config-refs.ts";
import type { ConfigSources } from "../children/config.ts";
import { type ResolvedImage, resolveImage } from "../workload/image.ts";
import type { NetworkPolicySpec } from "../workload/network-specs.ts";
import { httpProbe } from "../workload/probes.ts";
import { DEFAULT_REFERENCE_TIMEOUT_SECONDS } from "../workload/references.ts";
import type { ImageDefaults } from "../workload/specs.ts";
import {
  type ComponentInput,
  type WorkloadInput,
  workloadManifests,
  type WorkloadManifests,
  type WorkloadTransform,
  workloadWarnings,
} from "../workload/workload.ts";
import type { ConnectorSpec } from "./args.ts";
import type { Platform } from "./registration/platform.ts";
import { inClusterService, platformUrlWarnings } from "./registration/request.ts";

const DEFAULT_PORT = 8080;
const METRICS_PATH = "/v1/metrics";

/** The health interface of version 2; a connector that serves only version 1 names its paths. */
const PROBES = {
  liveness: { path: "/v2/health/liveness", initialDelaySeconds: 15, periodSeconds: 10, failureThreshold: 3 },
  readiness: { path: "/v2/health/readiness", initialDelaySeconds: 5, periodSeconds: 10, failureThreshold: 3 },
  startup: { path: "/v2/health/liveness", initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 45 },
};

/** Everything that a connector's manifests depend on. */
export interface ConnectorInput extends ComponentInput<ConnectorSpec> {
  /** The platform that it registers with, if any. */
  platform?: Platform | undefined;
}

/** Port of the container and of the Service. */
export function connectorPort({ service }: Pick<ConnectorSpec, "service">): number {
  return service?.port ?? DEFAULT_PORT;
}

/**
 * The image of a connector, with the zone's way of pulling. The zone's registry stands in front of a repository that
 * names none: its first part is a host when it has a dot or a port (https://docs.docker.com/reference/cli/docker/image/tag/).
 */
export function connectorImage({ spec, zone }: Pick<ConnectorInput, "spec" | "zone">): ResolvedImage {
  const { registry, ...pulling }: ImageDefaults = zone.image ?? {};
  const [first = "", ...rest] = spec.image.repository.split("/");
  const namesRegistry = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  return resolveImage(spec.image, namesRegistry ? pulling : { ...pulling, registry }, {});
}

/** What a connector's checksum covers: every referenced object, with all its keys. */
export function configSources(spec: ConnectorSpec): ConfigSources {
  return {
    references: configReferences(spec),
    owned: [],
    guard: { whole: wholeReferences(spec), reserved: [] },
    timeoutSeconds: spec.referenceTimeoutSeconds ?? DEFAULT_REFERENCE_TIMEOUT_SECONDS,
  };
}

/** What people should know of their args in every run, although nothing is wrong with them. */
export function specWarnings({
  spec,
  guarded,
  platform,
  zone,
}: Pick<ConnectorInput, "spec" | "guarded" | "platform" | "zone">): string[] {
  const { port } = spec.metrics ?? {};
  const scraped = connectorPort(spec);
  const idle =
    port !== undefined && port !== scraped
      ? [`metrics.port has no effect: metrics are scraped on service.port, which is ${scraped}`]
      : [];
  const address = platform === undefined ? [] : platformWarnings(platform, zone.clusterDomain);
  const { podDisruptionBudget } = spec.lifecycle ?? {};
  return [...workloadWarnings({ spec, guarded, podDisruptionBudget }, []), ...idle, ...address];
}

/** All that a connector may consist of, whether or not it asks for it. */
export function connectorManifests(input: ConnectorInput, transform?: WorkloadTransform): WorkloadManifests {
  return workloadManifests(workloadInput(input), transform);
}

function workloadInput(input: ConnectorInput): WorkloadInput {
  const { spec } = input;
  const port = connectorPort(spec);
  return {
    ...input,
    spec: { ...spec, networkPolicy: admittingPlatform(input) },
    image: connectorImage(input),
    ports: [{ name: "http", port }],
    serviceType: spec.service?.type,
    probes: {
      liveness: httpProbe(spec.probes?.liveness, PROBES.liveness, port),
      readiness: httpProbe(spec.probes?.readiness, PROBES.readiness, port),
      startup: httpProbe(spec.probes?.startup, PROBES.startup, port),
    },
    terminationGracePeriodSeconds: spec.lifecycle?.terminationGracePeriodSeconds,
    podDisruptionBudget: spec.lifecycle?.podDisruptionBudget,
    metrics: spec.metrics,
    metricsPath: METRICS_PATH,
  };
}

function platformWarnings({ url, sendsCredentials }: Platform, clusterDomain: string): string[] {
  // Inside the cluster the call leaves the API server's TLS only on the pod's node.
  const isInside = inClusterService(url, clusterDomain) !== undefined;
  return platformUrlWarnings(url, sendsCredentials && !isInside);
}

/** Lets a platform in another namespace of the cluster reach the pods; where one outside comes from, nobody here knows. */
function admittingPlatform({
  identity,
  spec,
  zone,
  platform,
}: ConnectorInput): NetworkPolicySpec | undefined {
  const service = platform && inClusterService(platform.url, zone.clusterDomain);
  if (service === undefined || service.namespace === identity.namespace) return spec.networkPolicy;
  const peer = {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": service.namespace } },
  };
  const { allowFrom = [] } = spec.networkPolicy ?? {};
  const isAdmitted = allowFrom.some((other) => isDeepStrictEqual(other, peer));
  return { ...spec.networkPolicy, allowFrom: isAdmitted ? allowFrom : [...allowFrom, peer] };
}
