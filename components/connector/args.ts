import type { Inputs } from "../children/inputs.ts";
import type { PodDisruptionBudgetSpec } from "../workload/availability-specs.ts";
import type { ProbesSpec } from "../workload/pod-specs.ts";
import type { ServiceType } from "../workload/service.ts";
import type { ImageSpec, MetricsSpec } from "../workload/specs.ts";
import type { WorkloadSpec } from "../workload/workload-spec.ts";
import type { WorkloadTransform } from "../workload/workload.ts";
import type { Zone } from "../zone/zone.ts";
import type { ConnectorRegistrationArgs, ConnectorRegistrationSpec } from "./registration/specs.ts";

/** The image of a connector: there is none by default, so `repository` and `tag` must be given. */
export interface ConnectorImageSpec extends ImageSpec {
  /**
   * Path of the image: with its registry in front, or inside `registry`.
   * @effect rolls the pods
   */
  repository: string;
  /**
   * Tag; ignored for pulling when `digest` is given.
   * @effect rolls the pods
   */
  tag: string;
}

/** The Service in front of the pods, which is also where the platform calls the connector. */
export interface ConnectorServiceSpec {
  /**
   * Port of the Service, and of the container: the image must listen there. From 1 to 65535.
   * @default 8080
   * @effect rolls the pods
   */
  port?: number | undefined;
  /**
   * `ClusterIP`, `NodePort` or `LoadBalancer`.
   * @default ClusterIP
   * @effect none on the pods
   */
  type?: ServiceType | undefined;
}

/** How pods come and go. */
export interface LifecycleSpec {
  /**
   * Seconds that a pod gets to finish its work before it is killed, from 0 on.
   * @default 30 (Kubernetes)
   * @effect rolls the pods
   */
  terminationGracePeriodSeconds?: number | undefined;
  /** Budget for voluntary disruptions; none when not given. */
  podDisruptionBudget?: PodDisruptionBudgetSpec | undefined;
}

/**
 * Metrics of the container, on the Service's port.
 * @effect none on the pods
 */
export interface ConnectorMetricsSpec extends MetricsSpec {
  /**
   * Reserved by the operator's resource: metrics are scraped on `service.port`.
   */
  port?: number | undefined;
}

/**
 * How a connector that runs is asked how it is, at the end of each update, through the API server. The answer is the
 * condition Healthy, and changes nothing else.
 * @effect none on the pods
 */
export interface HealthCheckSpec {
  /**
   * Whether it is asked.
   * @default true
   */
  enabled?: boolean | undefined;
  /**
   * Path of the health report: encoded, without query, at most 1024 characters.
   * @default /v2/health, then /v1/health
   */
  path?: string | undefined;
  /**
   * Reserved by the operator's resource: health is asked once per run. At least 10.
   * @default 30
   */
  periodSeconds?: number | undefined;
  /**
   * Seconds for all of it, whatever is asked, from 1 to 30 and at most `periodSeconds`.
   * @default 10
   */
  timeoutSeconds?: number | undefined;
}

/**
 * What a connector is: the fields of the ILM operator's Connector resource under their own names, so that its `spec:`
 * can be pasted.
 */
export interface ConnectorSpec extends WorkloadSpec {
  /** The connector's image. */
  image: ConnectorImageSpec;
  /** The Service in front of the pods. */
  service?: ConnectorServiceSpec | undefined;
  /** Whether and how it is asked for its health; it is when not given. */
  healthCheck?: HealthCheckSpec | undefined;
  /** How the platform is told of it; not at all when not given. */
  registration?: ConnectorRegistrationSpec | undefined;
  /** How pods come and go. */
  lifecycle?: LifecycleSpec | undefined;
  /**
   * Overrides of the probes, each as a whole.
   * @default liveness and startup ask /v2/health/liveness, readiness asks /v2/health/readiness
   * @effect rolls the pods
   */
  probes?: ProbesSpec | undefined;
  /** Metrics, by default under /v1/metrics; not scraped when not given. */
  metrics?: ConnectorMetricsSpec | undefined;
}

export interface ConnectorArgs extends Omit<Inputs<ConnectorSpec>, "serviceAccount" | "registration"> {
  /** How the platform is told of it. Contents and credentials may be secret; nothing else of it may. */
  registration?: ConnectorRegistrationArgs | undefined;
  /** The account under which the pods run. Its name is plain: whether the account is made depends on it. */
  serviceAccount?:
    { name?: string | undefined; annotations?: Inputs<Record<string, string>> | undefined } | undefined;
  /**
   * The zone, from `openZone`.
   * @effect another namespace or cluster replaces every object; other defaults of the zone roll the pods
   */
  zone: Zone;
  /** Changes to rendered manifests, for what no field covers. */
  transform?: WorkloadTransform | undefined;
}
