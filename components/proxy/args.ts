import type * as pulumi from "@pulumi/pulumi";
import type { Inputs } from "../children/inputs.ts";
import type { PodDisruptionBudgetSpec } from "../workload/availability-specs.ts";
import type { ProbesSpec } from "../workload/pod-specs.ts";
import type { EnvSpec, ImageSpec, MetricsSpec } from "../workload/specs.ts";
import type { WorkloadSpec } from "../workload/workload-spec.ts";
import type { WorkloadTransform } from "../workload/workload.ts";
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
export interface ProxySpec extends WorkloadSpec {
  /** The Secret with the config token. */
  configTokenSecretRef?: ConfigTokenSecretRef | undefined;
  /** Image of the proxy, field by field over the zone's defaults and the bill of materials. */
  image?: ImageSpec | undefined;
  /**
   * Environment of the process: what the token can't know. Never secrets. PROXY_CONFIG_TOKEN and
   * PROXY_TOKEN_SIGNING_KEY are reserved.
   * @effect rolls the pods
   */
  env?: EnvSpec[] | undefined;
  /**
   * Seconds that a pod gets to drain messages before it is killed, from 0 on.
   * @default 30 (Kubernetes)
   * @effect rolls the pods
   */
  terminationGracePeriodSeconds?: number | undefined;
  /**
   * Overrides of the probes, each as a whole.
   * @default liveness and startup ask /health, readiness asks /ready
   * @effect rolls the pods
   */
  probes?: ProbesSpec | undefined;
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
  transform?: WorkloadTransform | undefined;
}
