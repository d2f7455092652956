import type * as pulumi from "@pulumi/pulumi";
import type { Inputs } from "../children/inputs.ts";
import type { AffinitySpec } from "../workload/affinity-specs.ts";
import type {
  AutoscalingSpec,
  PodDisruptionBudgetSpec,
  StrategySpec,
  TopologySpreadConstraintSpec,
} from "../workload/availability-specs.ts";
import type {
  ConfigMapRefSpec,
  SecretRefSpec,
  VolumeSpec,
  WritablePathSpec,
} from "../workload/config-specs.ts";
import type { ContainerSpec } from "../workload/container-specs.ts";
import type { EgressSpec, NetworkPolicySpec } from "../workload/network-specs.ts";
import type { ProbesSpec, SecurityContextSpec, ServiceAccountSpec } from "../workload/pod-specs.ts";
import type {
  EnvSpec,
  ImageSpec,
  MetricsSpec,
  ResourcesSpec,
  RolloutSpec,
  TolerationSpec,
} from "../workload/specs.ts";
import type { Transform } from "../workload/transform.ts";
import type { Zone } from "../zone/zone.ts";

/**
 * The Secret that holds a proxy's config token, in the zone's namespace. It is read, never written or owned.
 * @effect rolls the pods
 */
export interface ConfigTokenSecretRef {
  /**
   * Name of the Secret.
   * @effect rolls the pods, as does a change of its data
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
   * Pods, from 0 on; 0 pauses the proxy. Not given with `autoscaling`.
   * @default 1
   * @effect starts or stops pods, rolls none
   */
  replicas?: number | undefined;
  /** An autoscaler in place of `replicas`. */
  autoscaling?: AutoscalingSpec | undefined;
  /** How pods of a new template take the place of the old ones; new ones first when not given. */
  strategy?: StrategySpec | undefined;
  /**
   * Seconds that a pod must have been ready before it counts as available and the rollout goes on, from 0 on and
   * below `rollout.progressDeadlineSeconds`. The default leaves time for one more readiness probe.
   * @default 10
   * @effect none on the pods
   */
  minReadySeconds?: number | undefined;
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
  /** The corporate proxy through which the pods reach the outside, field by field over the zone's. */
  egress?: EgressSpec | undefined;
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
   * Paths of the container that may be written to although its root file system is read-only: an emptyDir each.
   * @default /tmp with 64Mi, where the root file system is read-only and nothing else is mounted there
   * @effect rolls the pods
   */
  writablePaths?: WritablePathSpec[] | undefined;
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
  affinity?: AffinitySpec | undefined;
  /**
   * How the pods spread over zones or nodes.
   * @effect rolls the pods
   */
  topologySpreadConstraints?: TopologySpreadConstraintSpec[] | undefined;
  /**
   * Name of a PriorityClass: which pods go first when room is scarce.
   * @effect rolls the pods
   */
  priorityClassName?: string | undefined;
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
   * @default liveness and startup ask /health, readiness asks /ready
   * @effect rolls the pods
   */
  probes?: ProbesSpec | undefined;
  /** The account under which the pods run. */
  serviceAccount?: ServiceAccountSpec | undefined;
  /**
   * Whether the account's token is mounted into the pods. A proxy never speaks to the API server; a sidecar may.
   * @default false
   * @effect rolls the pods
   */
  automountServiceAccountToken?: boolean | undefined;
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
   * @effect none on the pods
   */
  referenceTimeoutSeconds?: number | undefined;
  /**
   * Whether objects of this name that nobody controls are taken over. Remove it afterwards.
   * @default false
   * @effect rolls the pods of a Deployment that is taken over and differs; else none on the pods
   */
  adopt?: boolean | undefined;
}

export interface ProxyArgs extends Omit<Inputs<ProxySpec>, "serviceAccount"> {
  /** The account under which the pods run. Its name is plain: whether the account is made depends on it. */
  serviceAccount?:
    { name?: string | undefined; annotations?: Inputs<Record<string, string>> | undefined } | undefined;
  /**
   * The zone, from `openZone`.
   * @effect another namespace or cluster replaces every object; other defaults of the zone roll the pods
   */
  zone: Zone;
  /**
   * The config token itself, in place of a Secret of somebody else: the component makes the Secret.
   * @effect rolls the pods
   */
  configToken?: pulumi.Input<string> | undefined;
  /**
   * The key that signs the config token, beside a `configToken` that is given.
   * @effect rolls the pods
   */
  tokenSigningKey?: pulumi.Input<string> | undefined;
  /** Changes to rendered manifests, for what no field covers. */
  transform?: ProxyTransform | undefined;
}

/**
 * A change per child, for what no field covers: it sees the rendered manifest as plain JSON and changes it in place, or
 * gives another one back. Name, namespace, labels, selectors, ownership, checksum, hardening and the token's variables
 * are laid on behind it. One that throws fails the run.
 * @effect whatever the change to that object does
 */
export interface ProxyTransform {
  /** The ServiceAccount. */
  serviceAccount?: Transform | undefined;
  /** The Deployment, its pod template included. */
  deployment?: Transform | undefined;
  /** The Service. */
  service?: Transform | undefined;
  /** The HorizontalPodAutoscaler, with `autoscaling`. */
  horizontalPodAutoscaler?: Transform | undefined;
  /** The PodDisruptionBudget, with `podDisruptionBudget`. */
  podDisruptionBudget?: Transform | undefined;
  /** The NetworkPolicy. */
  networkPolicy?: Transform | undefined;
  /** The ServiceMonitor, with `metrics.serviceMonitor`. */
  serviceMonitor?: Transform | undefined;
}
