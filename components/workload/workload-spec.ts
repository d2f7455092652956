import { z } from "zod";
import { type AffinitySpec, affinitySpec } from "./affinity-specs.ts";
import {
  type AutoscalingSpec,
  autoscalingSpec,
  type StrategySpec,
  strategySpec,
  type TopologySpreadConstraintSpec,
  topologySpreadConstraintsSpec,
} from "./availability-specs.ts";
import {
  type ConfigMapRefSpec,
  configMapRefsSpec,
  type SecretRefSpec,
  secretRefsSpec,
  type VolumeSpec,
  volumesSpec,
  type WritablePathSpec,
  writablePathsSpec,
} from "./config-specs.ts";
import { containersSpec, type ContainerSpec, initContainersSpec } from "./container-specs.ts";
import { type EgressSpec, egressSpec, type NetworkPolicySpec, networkPolicySpec } from "./network-specs.ts";
import {
  type SecurityContextSpec,
  securityContextSpec,
  type ServiceAccountSpec,
  serviceAccountSpec,
} from "./pod-specs.ts";
import {
  annotationsSpec,
  type EnvSpec,
  envSpec,
  labelsSpec,
  type ResourcesSpec,
  resourcesSpec,
  type RolloutSpec,
  rolloutSpec,
  type TolerationSpec,
  tolerationsSpec,
} from "./specs.ts";
import { int32 } from "./spec-rules.ts";
import { objectName } from "./validation.ts";

/** The fields that every workload has. */
export interface WorkloadSpec {
  /**
   * Pods, from 0 on; 0 pauses it. Not given with `autoscaling`.
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
   * Environment of the process. Never secrets.
   * @effect rolls the pods
   */
  env?: EnvSpec[] | undefined;
  /** The corporate proxy through which the pods reach the outside, field by field over the zone's. */
  egress?: EgressSpec | undefined;
  /** Secrets that it reads, as variables or files, such as a private CA. */
  secretRefs?: SecretRefSpec[] | undefined;
  /** ConfigMaps that it reads, as variables or files. */
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
   * Containers that run before the main one, hardened like it.
   * @effect rolls the pods
   */
  initContainers?: ContainerSpec[] | undefined;
  /**
   * Containers that run beside the main one, hardened like it.
   * @effect rolls the pods
   */
  sidecars?: ContainerSpec[] | undefined;
  /** The account under which the pods run. */
  serviceAccount?: ServiceAccountSpec | undefined;
  /**
   * Whether the account's token is mounted into the pods. None of our workloads speaks to the API server; a sidecar may.
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

/** Their shape as they may stand in a stack file. */
export const workloadShape = {
  replicas: int32.min(0).optional(),
  autoscaling: autoscalingSpec.optional(),
  strategy: strategySpec.optional(),
  minReadySeconds: int32.min(0).optional(),
  resources: resourcesSpec.optional(),
  env: envSpec.optional(),
  egress: egressSpec.optional(),
  secretRefs: secretRefsSpec.optional(),
  configMapRefs: configMapRefsSpec.optional(),
  volumes: volumesSpec.optional(),
  writablePaths: writablePathsSpec.optional(),
  securityContext: securityContextSpec.optional(),
  nodeSelector: labelsSpec.optional(),
  affinity: affinitySpec.optional(),
  topologySpreadConstraints: topologySpreadConstraintsSpec.optional(),
  priorityClassName: objectName.optional(),
  initContainers: initContainersSpec.optional(),
  sidecars: containersSpec.optional(),
  serviceAccount: serviceAccountSpec.optional(),
  automountServiceAccountToken: z.boolean().optional(),
  tolerations: tolerationsSpec.optional(),
  podLabels: labelsSpec.optional(),
  podAnnotations: annotationsSpec.optional(),
  networkPolicy: networkPolicySpec.optional(),
  rollout: rolloutSpec.optional(),
  referenceTimeoutSeconds: z.int().min(0).optional(),
  adopt: z.boolean().optional(),
};
