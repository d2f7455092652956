import type { AffinitySpec } from "./affinity-specs.ts";
import type { StrategySpec, TopologySpreadConstraintSpec } from "./availability-specs.ts";
import { CHECKSUM_ANNOTATION } from "./checksum.ts";
import type { ConfigWiring } from "./config-refs.ts";
import type { ContainerSpec } from "./container-specs.ts";
import { containerSecurityContext, hardenContainer, podSecurityContext } from "./hardening.ts";
import type { ResolvedImage } from "./image.ts";
import { type Identity, objectLabels, ownLabels, selectorLabels } from "./labels.ts";
import type { Container, Deployment, EnvVar, HttpGetProbe, PodSpec, Resources } from "./manifest.ts";
import type { SecurityContextSpec } from "./pod-specs.ts";
import type { TolerationSpec } from "./specs.ts";
import { deploymentStrategy } from "./strategy.ts";

/** Seconds that a pod must have been ready to count: time for one more readiness probe. */
export const DEFAULT_MIN_READY_SECONDS = 10;

/** Seconds without progress after which a rollout counts as failed; shorter than what a run waits. */
export const DEFAULT_PROGRESS_DEADLINE_SECONDS = 300;

export interface DeploymentInput {
  identity: Identity;
  /** None where an autoscaler decides. */
  replicas: number | undefined;
  strategy?: StrategySpec | undefined;
  minReadySeconds?: number | undefined;
  progressDeadlineSeconds?: number | undefined;
  serviceAccountName: string;
  automountServiceAccountToken?: boolean | undefined;
  priorityClassName?: string | undefined;
  image: ResolvedImage;
  ports: { name: string; containerPort: number }[];
  env: EnvVar[];
  resources?: Resources | undefined;
  probes: Record<"liveness" | "readiness" | "startup", HttpGetProbe | undefined>;
  /** Inline variables of `env` come first; those of references behind them. */
  config: ConfigWiring;
  security: SecurityContextSpec;
  terminationGracePeriodSeconds?: number | undefined;
  nodeSelector?: Record<string, string> | undefined;
  affinity?: AffinitySpec | undefined;
  initContainers: readonly ContainerSpec[];
  sidecars: readonly ContainerSpec[];
  tolerations: TolerationSpec[];
  topologySpreadConstraints?: readonly TopologySpreadConstraintSpec[] | undefined;
  podLabels: Record<string, string>;
  podAnnotations: Record<string, string>;
  /** Rolls the pods when it changes; none before the referenced objects were read for the first time. */
  checksum?: string | undefined;
  /** Annotations of the Deployment itself: they never roll the pods. */
  annotations: Record<string, string>;
}

/** The Deployment of a workload: one hardened container, rolled by the checksum annotation. */
export function renderDeployment(input: DeploymentInput): Deployment {
  const { identity } = input;
  const podAnnotations = {
    ...input.podAnnotations,
    ...(input.checksum !== undefined && { [CHECKSUM_ANNOTATION]: input.checksum }),
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: identity.name,
      namespace: identity.namespace,
      labels: objectLabels(identity),
      annotations: input.annotations,
    },
    spec: {
      ...(input.replicas !== undefined && { replicas: input.replicas }),
      strategy: deploymentStrategy(input.strategy),
      minReadySeconds: input.minReadySeconds ?? DEFAULT_MIN_READY_SECONDS,
      progressDeadlineSeconds: input.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS,
      selector: { matchLabels: selectorLabels(identity) },
      template: {
        metadata: {
          labels: { ...identity.labels, ...input.podLabels, ...ownLabels(identity) },
          ...(Object.keys(podAnnotations).length > 0 && { annotations: podAnnotations }),
        },
        spec: renderPod(input),
      },
    },
  };
}

function renderPod(input: DeploymentInput): PodSpec {
  const { image, config, security, nodeSelector, affinity, tolerations, initContainers, sidecars } = input;
  const { terminationGracePeriodSeconds: grace, priorityClassName } = input;
  const constraints = (input.topologySpreadConstraints ?? []).map((constraint) => ({
    ...constraint,
    labelSelector: constraint.labelSelector ?? { matchLabels: selectorLabels(input.identity) },
  }));
  return {
    serviceAccountName: input.serviceAccountName,
    automountServiceAccountToken: input.automountServiceAccountToken ?? false,
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(image.pullSecrets.length > 0 && { imagePullSecrets: image.pullSecrets.map((name) => ({ name })) }),
    securityContext: podSecurityContext(security.fsGroup),
    ...(grace !== undefined && { terminationGracePeriodSeconds: grace }),
    ...(nodeSelector && { nodeSelector }),
    ...(affinity && { affinity }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(constraints.length > 0 && { topologySpreadConstraints: constraints }),
    ...(initContainers.length > 0 && { initContainers: initContainers.map(hardenContainer) }),
    containers: [renderContainer(input), ...sidecars.map(hardenContainer)],
    ...(config.volumes.length > 0 && { volumes: config.volumes }),
  };
}

function renderContainer(input: DeploymentInput): Container {
  const { identity, image, ports, resources, probes, config, security } = input;
  const env = [...input.env, ...config.env];
  return {
    name: identity.component,
    image: image.reference,
    imagePullPolicy: image.pullPolicy,
    ...(image.command && { command: image.command }),
    ...(image.args && { args: image.args }),
    ports,
    ...(env.length > 0 && { env }),
    ...(config.envFrom.length > 0 && { envFrom: config.envFrom }),
    ...(resources && { resources }),
    ...(probes.liveness && { livenessProbe: probes.liveness }),
    ...(probes.readiness && { readinessProbe: probes.readiness }),
    ...(probes.startup && { startupProbe: probes.startup }),
    securityContext: containerSecurityContext(security.readOnlyRootFilesystem),
    ...(config.volumeMounts.length > 0 && { volumeMounts: config.volumeMounts }),
  };
}
