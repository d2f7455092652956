// Checked by tsc, never run: the hand-written interfaces and the schemas beside them describe the same shapes.
import type { z } from "zod";
import type { ProxySpec } from "../../components/proxy/args.ts";
import type { proxySpecSchema } from "../../components/proxy/checks.ts";
import type * as affinity from "../../components/workload/affinity-specs.ts";
import type * as availability from "../../components/workload/availability-specs.ts";
import type * as config from "../../components/workload/config-specs.ts";
import type * as container from "../../components/workload/container-specs.ts";
import type * as env from "../../components/workload/env-specs.ts";
import type * as mounts from "../../components/workload/mount-specs.ts";
import type * as network from "../../components/workload/network-specs.ts";
import type * as pod from "../../components/workload/pod-specs.ts";
import type * as probe from "../../components/workload/probe-specs.ts";
import type * as security from "../../components/workload/container-security-specs.ts";
import type * as selector from "../../components/workload/selector-specs.ts";
import type * as specs from "../../components/workload/specs.ts";
import type {
  ZoneConfig,
  zoneConfigSchema,
  ZoneDefaults,
  zoneDefaultsSchema,
} from "../../components/zone/config.ts";

/** The same shape with every key required and marked: assignability alone misses an optional key that one side lacks. */
type Marked<T> = T extends readonly (infer Element)[]
  ? { list: Marked<Element> }
  : T extends object
    ? {
        [Key in keyof T]-?: {
          optional: undefined extends T[Key] ? true : false;
          value: Marked<Exclude<T[Key], undefined>>;
        };
      }
    : T;

/** Whether every A is a B. */
type Is<A, B> = [A] extends [B] ? true : false;

/** Whether two types have the same keys, the same of them optional, with the same leaves. */
type Same<A, B> = Is<Marked<A>, Marked<B>> extends true ? Is<Marked<B>, Marked<A>> : false;

/** Interface and schema agree: what the schema gives out is the interface, and what the interface allows it takes. */
type Agrees<Interface, Schema extends z.ZodType> = [
  Same<Interface, z.output<Schema>>,
  Is<z.output<Schema>, Interface>,
  Is<Interface, z.output<Schema>>,
  Is<Interface, z.input<Schema>>,
];

type Yes = [true, true, true, true];

export const proxySpec: Agrees<ProxySpec, typeof proxySpecSchema> = [true, true, true, true];
export const zoneConfig: Agrees<ZoneConfig, typeof zoneConfigSchema> = [true, true, true, true];
export const zoneDefaults: Agrees<ZoneDefaults, typeof zoneDefaultsSchema> = [true, true, true, true];

export const shared: {
  image: Agrees<specs.ImageSpec, typeof specs.imageSpec>;
  env: Agrees<specs.EnvSpec[], typeof specs.envSpec>;
  resources: Agrees<specs.ResourcesSpec, typeof specs.resourcesSpec>;
  tolerations: Agrees<specs.TolerationSpec[], typeof specs.tolerationsSpec>;
  podDisruptionBudget: Agrees<
    availability.PodDisruptionBudgetSpec,
    typeof availability.podDisruptionBudgetSpec
  >;
  metrics: Agrees<specs.MetricsSpec, typeof specs.metricsSpec>;
  networkPolicy: Agrees<network.NetworkPolicySpec, typeof network.networkPolicySpec>;
  strategy: Agrees<availability.StrategySpec, typeof availability.strategySpec>;
  autoscaling: Agrees<availability.AutoscalingSpec, typeof availability.autoscalingSpec>;
  topologySpreadConstraints: Agrees<
    availability.TopologySpreadConstraintSpec[],
    typeof availability.topologySpreadConstraintsSpec
  >;
  writablePaths: Agrees<config.WritablePathSpec[], typeof config.writablePathsSpec>;
  rollout: Agrees<specs.RolloutSpec, typeof specs.rolloutSpec>;
  egress: Agrees<network.EgressSpec, typeof network.egressSpec>;
  secretRefs: Agrees<config.SecretRefSpec[], typeof config.secretRefsSpec>;
  configMapRefs: Agrees<config.ConfigMapRefSpec[], typeof config.configMapRefsSpec>;
  volumes: Agrees<config.VolumeSpec[], typeof config.volumesSpec>;
  securityContext: Agrees<pod.SecurityContextSpec, typeof pod.securityContextSpec>;
  probes: Agrees<pod.ProbesSpec, typeof pod.probesSpec>;
  serviceAccount: Agrees<pod.ServiceAccountSpec, typeof pod.serviceAccountSpec>;
  labelSelector: Agrees<selector.LabelSelectorSpec, typeof selector.labelSelectorSpec>;
  affinity: Agrees<affinity.AffinitySpec, typeof affinity.affinitySpec>;
  containers: Agrees<container.ContainerSpec[], typeof container.containersSpec>;
  initContainers: Agrees<container.ContainerSpec[], typeof container.initContainersSpec>;
  containerSecurityContext: Agrees<
    security.ContainerSecurityContextSpec,
    typeof security.containerSecurityContextSpec
  >;
  containerEnv: Agrees<env.ContainerEnvSpec[], typeof env.containerEnvSpec>;
  containerEnvFrom: Agrees<env.ContainerEnvFromSpec[], typeof env.containerEnvFromSpec>;
  volumeMounts: Agrees<mounts.VolumeMountSpec[], typeof mounts.volumeMountsSpec>;
  volumeDevices: Agrees<mounts.VolumeDeviceSpec[], typeof mounts.volumeDevicesSpec>;
  restartProbe: Agrees<probe.ContainerProbeSpec, typeof probe.restartProbeSpec>;
  lifecycle: Agrees<probe.LifecycleSpec, typeof probe.lifecycleSpec>;
} = {
  image: [true, true, true, true],
  env: [true, true, true, true],
  resources: [true, true, true, true],
  tolerations: [true, true, true, true],
  podDisruptionBudget: [true, true, true, true],
  metrics: [true, true, true, true],
  networkPolicy: [true, true, true, true],
  strategy: [true, true, true, true],
  autoscaling: [true, true, true, true],
  topologySpreadConstraints: [true, true, true, true],
  writablePaths: [true, true, true, true],
  rollout: [true, true, true, true],
  egress: [true, true, true, true],
  secretRefs: [true, true, true, true],
  configMapRefs: [true, true, true, true],
  volumes: [true, true, true, true],
  securityContext: [true, true, true, true],
  probes: [true, true, true, true],
  serviceAccount: [true, true, true, true],
  labelSelector: [true, true, true, true],
  affinity: [true, true, true, true],
  containers: [true, true, true, true],
  initContainers: [true, true, true, true],
  containerSecurityContext: [true, true, true, true],
  containerEnv: [true, true, true, true],
  containerEnvFrom: [true, true, true, true],
  volumeMounts: [true, true, true, true],
  volumeDevices: [true, true, true, true],
  restartProbe: [true, true, true, true],
  lifecycle: [true, true, true, true],
} satisfies Record<string, Yes>;

// The comparison itself can say no: a missing key, an optional one, a wider leaf, one deep inside.
export const comparison: [
  Same<{ a?: 1 }, { a?: 1; b?: 2 }>,
  Same<{ a: 1 }, { a?: 1 }>,
  Same<{ a: 1 }, { a: number }>,
  Same<{ a: { b?: 1 }[] }, { a: { b?: 1; c?: 2 }[] }>,
  Same<container.ContainerSpec, { name: string; [field: string]: unknown }>,
  Same<container.ContainerSpec, { name: string; image: string }>,
  Same<{ a?: { b: 1 } }, { a?: { b: 1 } | undefined }>,
] = [false, false, false, false, false, false, true];
