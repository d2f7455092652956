import { CHECKSUM_ANNOTATION } from "./checksum.ts";
import { containerSecurityContext, podSecurityContext } from "./hardening.ts";
import type { ResolvedImage } from "./image.ts";
import { type Identity, objectLabels, ownLabels, selectorLabels } from "./labels.ts";
import type { Container, Deployment, EnvVar, HttpGetProbe, Resources } from "./manifest.ts";
import type { TolerationSpec } from "./specs.ts";

/** Seconds without progress after which a rollout counts as failed; shorter than what a run waits. */
export const DEFAULT_PROGRESS_DEADLINE_SECONDS = 300;

export interface DeploymentInput {
  identity: Identity;
  replicas: number;
  progressDeadlineSeconds: number;
  serviceAccountName: string;
  image: ResolvedImage;
  ports: { name: string; containerPort: number }[];
  env: EnvVar[];
  resources?: Resources | undefined;
  probes: { liveness: HttpGetProbe; readiness: HttpGetProbe; startup: HttpGetProbe };
  tolerations: TolerationSpec[];
  podLabels: Record<string, string>;
  podAnnotations: Record<string, string>;
  /** Rolls the pods when it changes; none before the referenced objects were read for the first time. */
  checksum?: string | undefined;
  /** Annotations of the Deployment itself: they never roll the pods. */
  annotations: Record<string, string>;
}

/** The Deployment of a workload: one hardened container, rolled by the checksum annotation. */
export function renderDeployment(input: DeploymentInput): Deployment {
  const { identity, image } = input;
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
      replicas: input.replicas,
      progressDeadlineSeconds: input.progressDeadlineSeconds,
      selector: { matchLabels: selectorLabels(identity) },
      template: {
        metadata: {
          labels: { ...identity.labels, ...input.podLabels, ...ownLabels(identity) },
          ...(Object.keys(podAnnotations).length > 0 && { annotations: podAnnotations }),
        },
        spec: {
          serviceAccountName: input.serviceAccountName,
          ...(image.pullSecrets.length > 0 && {
            imagePullSecrets: image.pullSecrets.map((name) => ({ name })),
          }),
          securityContext: podSecurityContext,
          ...(input.tolerations.length > 0 && { tolerations: input.tolerations }),
          containers: [renderContainer(input)],
        },
      },
    },
  };
}

function renderContainer({ identity, image, ports, env, resources, probes }: DeploymentInput): Container {
  return {
    name: identity.component,
    image: image.reference,
    imagePullPolicy: image.pullPolicy,
    ...(image.command && { command: image.command }),
    ...(image.args && { args: image.args }),
    ports,
    ...(env.length > 0 && { env }),
    ...(resources && { resources }),
    livenessProbe: probes.liveness,
    readinessProbe: probes.readiness,
    startupProbe: probes.startup,
    securityContext: containerSecurityContext(),
  };
}
