import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Inputs } from "../children/inputs.ts";
import {
  type ConfigMapRefSpec,
  configMapRefsSpec,
  type SecretRefSpec,
  secretRefsSpec,
  type VolumeSpec,
  volumesSpec,
} from "../workload/config-specs.ts";
import {
  type ContainerSpec,
  containersSpec,
  opaque,
  type ProbesSpec,
  probesSpec,
  type SecurityContextSpec,
  securityContextSpec,
  type ServiceAccountSpec,
  serviceAccountSpec,
} from "../workload/pod-specs.ts";
import { repeatedNames } from "../workload/pod-checks.ts";
import {
  annotationsSpec,
  type EnvSpec,
  envSpec,
  type ImageSpec,
  imageSpec,
  labelsSpec,
  type MetricsSpec,
  metricsSpec,
  type NetworkPolicySpec,
  networkPolicySpec,
  type PodDisruptionBudgetSpec,
  podDisruptionBudgetSpec,
  type ResourcesSpec,
  resourcesSpec,
  type RolloutSpec,
  rolloutSpec,
  type TolerationSpec,
  tolerationsSpec,
} from "../workload/specs.ts";
import {
  check,
  componentName,
  dataKey,
  duration,
  objectName,
  type Problem,
  strict,
} from "../workload/validation.ts";
import type { Zone } from "../zone/zone.ts";

/** The Secret that holds a proxy's config token, in the zone's namespace. It is read, never written or owned. */
export interface ConfigTokenSecretRef {
  /**
   * Name of the Secret.
   * @effect rolls the pods
   */
  name: string;
  /**
   * Key of the token: a JWT that the platform has issued.
   * @default configToken
   * @effect rolls the pods
   */
  tokenKey?: string | undefined;
  /**
   * Key of the key that signs tokens; the proxy verifies signatures only when the Secret has it.
   * @default tokenSigningKey
   * @effect rolls the pods
   */
  signingKeyKey?: string | undefined;
}

/**
 * What a proxy is: the fields of the ILM operator's Proxy resource under their own names, so that its `spec:` can be
 * pasted. Exactly one of `configTokenSecretRef` and a config token (`configToken`, `configTokens` in a stack file).
 */
export interface ProxySpec {
  /** The Secret with the config token. */
  configTokenSecretRef?: ConfigTokenSecretRef | undefined;
  /** Image of the proxy, field by field over the zone's defaults and the bill of materials. */
  image?: ImageSpec | undefined;
  /**
   * Pods, from 0 on; 0 pauses the proxy.
   * @default 1
   * @effect starts or stops pods, rolls none
   */
  replicas?: number | undefined;
  /**
   * CPU and memory of the container.
   * @effect rolls the pods
   */
  resources?: ResourcesSpec | undefined;
  /**
   * Environment of the process: what the token can't know. Never secrets. PROXY_CONFIG_TOKEN and
   * PROXY_TOKEN_SIGNING_KEY are reserved.
   * @effect rolls the pods
   */
  env?: EnvSpec[] | undefined;
  /** Secrets that the proxy reads, as variables or files, such as a private CA. */
  secretRefs?: SecretRefSpec[] | undefined;
  /** ConfigMaps that the proxy reads, as variables or files. */
  configMapRefs?: ConfigMapRefSpec[] | undefined;
  /**
   * Further volumes of the container.
   * @effect rolls the pods
   */
  volumes?: VolumeSpec[] | undefined;
  /**
   * What of the hardening may be tuned.
   * @effect rolls the pods
   */
  securityContext?: SecurityContextSpec | undefined;
  /**
   * Seconds that a pod gets to drain messages before it is killed, from 0 on.
   * @default 30 (Kubernetes)
   * @effect rolls the pods
   */
  terminationGracePeriodSeconds?: number | undefined;
  /**
   * Labels that a node must have.
   * @effect rolls the pods
   */
  nodeSelector?: Record<string, string> | undefined;
  /**
   * Scheduling rules, as Kubernetes has them.
   * @effect rolls the pods
   */
  affinity?: Record<string, unknown> | undefined;
  /**
   * Containers that run before the proxy, hardened like it.
   * @effect rolls the pods
   */
  initContainers?: ContainerSpec[] | undefined;
  /**
   * Containers that run beside the proxy, hardened like it.
   * @effect rolls the pods
   */
  sidecars?: ContainerSpec[] | undefined;
  /**
   * Overrides of the probes, each as a whole.
   * @effect rolls the pods
   */
  probes?: ProbesSpec | undefined;
  /** The account under which the pods run. */
  serviceAccount?: ServiceAccountSpec | undefined;
  /**
   * Taints that the pods tolerate, in addition to the zone's.
   * @effect rolls the pods
   */
  tolerations?: TolerationSpec[] | undefined;
  /**
   * Labels of the pods; the workload's own win.
   * @effect rolls the pods
   */
  podLabels?: Record<string, string> | undefined;
  /**
   * Annotations of the pods; the checksum wins.
   * @effect rolls the pods
   */
  podAnnotations?: Record<string, string> | undefined;
  /** Budget for voluntary disruptions; none when not given. */
  podDisruptionBudget?: PodDisruptionBudgetSpec | undefined;
  /** Metrics on the http port; not scraped when not given. */
  metrics?: MetricsSpec | undefined;
  /**
   * How long before the token's end runs begin to warn: a Prometheus duration such as `14d`, `36h` or `1w2d`. `0d`
   * switches it off.
   * @default 14d
   * @effect none on the pods
   */
  tokenExpiryWarning?: string | undefined;
  /** Who may reach the pods; pods of the namespace when not given. */
  networkPolicy?: NetworkPolicySpec | undefined;
  /** How a run waits for the pods. */
  rollout?: RolloutSpec | undefined;
  /**
   * Seconds that an update waits for a missing Secret or key before it goes on without; a preview never waits.
   * @default 30
   */
  referenceTimeoutSeconds?: number | undefined;
  /**
   * Whether objects of this name that nobody controls are taken over. Remove it afterwards.
   * @default false
   */
  adopt?: boolean | undefined;
}

export interface ProxyArgs extends Omit<Inputs<ProxySpec>, "serviceAccount"> {
  /** The account under which the pods run. Its name is plain: whether the account is made depends on it. */
  serviceAccount?:
    { name?: string | undefined; annotations?: Inputs<Record<string, string>> | undefined } | undefined;
  /** The zone, from `openZone`. */
  zone: Zone;
  /**
   * The config token itself, in place of a Secret of somebody else: the component makes the Secret.
   * @effect rolls the pods
   */
  configToken?: pulumi.Input<string> | undefined;
}

export const proxySpecSchema = strict({
  configTokenSecretRef: strict({
    name: objectName,
    tokenKey: dataKey.optional(),
    signingKeyKey: dataKey.optional(),
  }).optional(),
  image: imageSpec.optional(),
  replicas: z.int().min(0).optional(),
  resources: resourcesSpec.optional(),
  env: envSpec.optional(),
  secretRefs: secretRefsSpec.optional(),
  configMapRefs: configMapRefsSpec.optional(),
  volumes: volumesSpec.optional(),
  securityContext: securityContextSpec.optional(),
  terminationGracePeriodSeconds: z.int().min(0).optional(),
  nodeSelector: labelsSpec.optional(),
  affinity: opaque.optional(),
  initContainers: containersSpec.optional(),
  sidecars: containersSpec.optional(),
  probes: probesSpec.optional(),
  serviceAccount: serviceAccountSpec.optional(),
  tolerations: tolerationsSpec.optional(),
  podLabels: labelsSpec.optional(),
  podAnnotations: annotationsSpec.optional(),
  podDisruptionBudget: podDisruptionBudgetSpec.optional(),
  metrics: metricsSpec.optional(),
  tokenExpiryWarning: duration.optional(),
  networkPolicy: networkPolicySpec.optional(),
  rollout: rolloutSpec.optional(),
  referenceTimeoutSeconds: z.int().min(0).optional(),
  adopt: z.boolean().optional(),
});

/** Name and key of the Secret that a proxy makes from its config token. */
export function configTokenSecretName(proxy: string): string {
  return `${proxy}-config-token`;
}

/**
 * Checks a proxy as a person wrote it, wherever: all problems at once, each with its path below `path`.
 * `hasConfigToken` says whether a config token was given beside the spec.
 */
export function checkProxy(
  name: string,
  spec: unknown,
  hasConfigToken: boolean,
  path: string,
): { spec: ProxySpec; problems: [] } | { spec: undefined; problems: Problem[] } {
  const named = check(componentName, name, path);
  const problems: Problem[] = named.problems.map(({ message }) => ({ path, message: `its name ${message}` }));
  const checked = check<ProxySpec>(proxySpecSchema, spec, path);
  problems.push(...checked.problems);
  if (checked.value !== undefined) problems.push(...repeatedNames(checked.value, "proxy", path));
  // Of something that is no map at all, that alone is worth saying.
  if (typeof spec === "object" && spec !== null && !Array.isArray(spec)) {
    problems.push(...tokenProblems(name, spec, hasConfigToken, path));
  }
  return problems.length === 0 && checked.value !== undefined
    ? { spec: checked.value, problems: [] }
    : { spec: undefined, problems };
}

/** There is exactly one token. */
function tokenProblems(name: string, spec: object, hasConfigToken: boolean, path: string): Problem[] {
  const { configTokenSecretRef, secretRefs } = spec as ProxySpec;
  const hasSecretRef = configTokenSecretRef !== undefined;
  if (hasSecretRef && hasConfigToken) {
    return [{ path, message: "has a config token and a configTokenSecretRef: keep one" }];
  }
  const own = Array.isArray(secretRefs)
    ? secretRefs.findIndex((ref: { name?: unknown } | null) => ref?.name === configTokenSecretName(name))
    : -1;
  if (hasConfigToken && own !== -1) {
    const message = "is the Secret of the proxy's own token, which is wired already";
    return [{ path: `${path}.secretRefs[${own}].name`, message }];
  }
  if (hasSecretRef || hasConfigToken) return [];
  const remedy = `give configTokenSecretRef.name, or pulumi config set --secret --path 'configTokens.${name}'`;
  return [{ path, message: `has no token: ${remedy}` }];
}
