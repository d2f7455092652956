// What a program that imports this package may use.
export type { Inputs } from "./children/inputs.ts";
export {
  type ConfigTokenSecretRef,
  configTokenSecretName,
  type ProxyArgs,
  type ProxySpec,
} from "./proxy/args.ts";
export { Proxy } from "./proxy/proxy.ts";
export type { Phase } from "./proxy/status.ts";
export type * from "./workload/affinity-specs.ts";
export type { Condition } from "./workload/conditions.ts";
export type * from "./workload/config-specs.ts";
export type * from "./workload/container-security-specs.ts";
export type * from "./workload/container-specs.ts";
export type * from "./workload/env-specs.ts";
export type * from "./workload/mount-specs.ts";
export type * from "./workload/pod-specs.ts";
export type * from "./workload/probe-specs.ts";
export type * from "./workload/selector-specs.ts";
export type * from "./workload/specs.ts";
export type { ClusterConfig, ZoneConfig, ZoneDefaults } from "./zone/config.ts";
export { openZone } from "./zone/open.ts";
export type { Zone } from "./zone/zone.ts";
