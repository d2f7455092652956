import { z } from "zod";
import { amounts, checkAmounts } from "./resource-rules.ts";
import { int32 } from "./spec-rules.ts";
import {
  annotations,
  duration,
  envName,
  labels,
  labelValue,
  objectName,
  qualifiedName,
  strict,
} from "./validation.ts";

/** The image of the main container. Each field that is not given comes from the zone, then from the bill of materials. */
export interface ImageSpec {
  /**
   * Host (and port) of the registry.
   * @effect rolls the pods
   */
  registry?: string | undefined;
  /**
   * Path inside the registry.
   * @effect rolls the pods
   */
  repository?: string | undefined;
  /**
   * Name of the image inside the repository.
   * @effect rolls the pods
   */
  name?: string | undefined;
  /**
   * Tag; ignored for pulling when `digest` is given.
   * @effect rolls the pods
   */
  tag?: string | undefined;
  /**
   * `sha256:` and 64 hex digits: pins the image and takes the tag's place.
   * @effect rolls the pods
   */
  digest?: string | undefined;
  /**
   * When the kubelet pulls: `Always`, `IfNotPresent` or `Never`.
   * @default IfNotPresent
   * @effect rolls the pods
   */
  pullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /**
   * Names of Secrets of type kubernetes.io/dockerconfigjson in the zone's namespace.
   * @effect rolls the pods
   */
  pullSecrets?: string[] | undefined;
  /**
   * Entry point in place of the image's own.
   * @effect rolls the pods
   */
  command?: string[] | undefined;
  /**
   * Arguments in place of the image's own.
   * @effect rolls the pods
   */
  args?: string[] | undefined;
}

const imagePart = z
  .string()
  .regex(/^[A-Za-z0-9][-._:/A-Za-z0-9]*$/, "must be a part of an image reference, without tag or digest")
  .optional();

export const imageFields = {
  registry: imagePart,
  repository: imagePart,
  name: imagePart,
  tag: z
    .string()
    .regex(
      /^\w[-.\w]{0,127}$/,
      "must be an image tag: letters, digits, '_', '-' and '.', at most 128 characters",
    )
    .optional(),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hex digits")
    .optional(),
  pullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional(),
  pullSecrets: z.array(objectName).optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
};

export const imageSpec = strict(imageFields);

/** What a zone says of all images: where its mirror is, and how to pull from it. */
export type ImageDefaults = Pick<ImageSpec, "registry" | "repository" | "pullPolicy" | "pullSecrets">;

export const imageDefaults = strict({
  registry: imageFields.registry,
  repository: imageFields.repository,
  pullPolicy: imageFields.pullPolicy,
  pullSecrets: imageFields.pullSecrets,
});

/** What a bill of materials says of one component's image. */
export type BomImage = Pick<ImageSpec, "registry" | "repository" | "name" | "tag">;

export const bomImage = strict({
  registry: imageFields.registry,
  repository: imageFields.repository,
  name: imageFields.name,
  tag: imageFields.tag,
});

/** One environment variable with a plain value. Secret values belong in a Secret. */
export interface EnvSpec {
  /** Name of the variable. */
  name: string;
  /**
   * Its value.
   * @default ""
   */
  value?: string | undefined;
}

export const envSpec = z
  .array(strict({ name: envName, value: z.string().optional() }))
  .superRefine((entries, context) => {
    entries.forEach(({ name }, index) => {
      if (entries.findIndex((entry) => entry.name === name) < index) {
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: "is given twice; keep one",
        });
      }
    });
  });

/** What the container asks for and may use at most. Quantities: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */
export interface ResourcesSpec {
  /**
   * Reserved by the scheduler: `cpu` in cores, `memory` in bytes.
   * @effect rolls the pods
   */
  requests?: Record<string, string> | undefined;
  /**
   * Upper bound at run time.
   * @effect rolls the pods
   */
  limits?: Record<string, string> | undefined;
}

export const resourcesSpec = strict({
  requests: amounts.optional(),
  limits: amounts.optional(),
}).superRefine(checkAmounts);

/** A taint that the pods tolerate: https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export interface TolerationSpec {
  /** Key of the taint; empty with `Exists` tolerates every taint. */
  key?: string | undefined;
  /**
   * `Exists` or `Equal`.
   * @default Equal
   */
  operator?: "Exists" | "Equal" | undefined;
  /** Value of the taint, with `Equal`. */
  value?: string | undefined;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`; all when not given. */
  effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute" | undefined;
  /** Seconds that a pod stays on a node with a `NoExecute` taint; for ever when not given. */
  tolerationSeconds?: number | undefined;
}

/** Empty, which stands for every taint, or the key of one. */
const taintKey = z.string().superRefine((key, context) => {
  const issues = key === "" ? [] : (qualifiedName.safeParse(key).error?.issues ?? []);
  for (const { message } of issues) context.addIssue({ code: "custom", message });
});

export const tolerationsSpec = z.array(
  strict({
    key: taintKey.optional(),
    operator: z.enum(["Exists", "Equal"]).optional(),
    value: labelValue.optional(),
    effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
    tolerationSeconds: z.int().optional(),
  }).superRefine(({ key, operator, value, effect, tolerationSeconds }, context) => {
    const issue = (field: string, message: string): void => {
      context.addIssue({ code: "custom", path: [field], message });
    };
    if (!key && operator !== "Exists") issue("key", "is required unless operator is Exists");
    if (value && operator === "Exists") issue("value", "has no meaning with operator Exists");
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      issue("tolerationSeconds", "has a meaning with effect NoExecute only");
    }
  }),
);

/** How Prometheus finds the metrics. */
export interface ServiceMonitorSpec {
  /**
   * Whether a ServiceMonitor is made, where the cluster serves monitoring.coreos.com/v1.
   * @effect none on the pods
   */
  enabled: boolean;
  /** Time between scrapes as a Prometheus duration such as `30s`; Prometheus' own default when not given. */
  interval?: string | undefined;
  /** Labels by which a Prometheus selects its monitors; they win over the workload's own. */
  labels?: Record<string, string> | undefined;
}

/**
 * The metrics endpoint on the `http` port.
 * @effect none on the pods
 */
export interface MetricsSpec {
  /**
   * Whether metrics are scraped at all.
   * @effect none on the pods
   */
  enabled: boolean;
  /**
   * Path of the endpoint.
   * @default /metrics
   */
  path?: string | undefined;
  /** The ServiceMonitor; none when not given. */
  serviceMonitor?: ServiceMonitorSpec | undefined;
}

export const metricsFields = {
  enabled: z.boolean(),
  path: z.string().regex(/^\//, "must be a path that starts with /").optional(),
  serviceMonitor: strict({
    enabled: z.boolean(),
    interval: duration.optional(),
    labels: labels.optional(),
  }).optional(),
};

export const metricsSpec = strict(metricsFields);

/** How a run waits for the pods of a new template. */
export interface RolloutSpec {
  /**
   * Whether a run waits, and fails when the rollout does not complete.
   * @default true
   * @effect none on the pods
   */
  wait?: boolean | undefined;
  /**
   * Seconds that a run waits at most, from 1 on.
   * @default 420
   * @effect none on the pods
   */
  timeoutSeconds?: number | undefined;
  /**
   * Seconds without progress after which Kubernetes calls a rollout failed, from 1 on; the run then ends at once.
   * @default 300
   * @effect none on the pods
   */
  progressDeadlineSeconds?: number | undefined;
}

export const rolloutSpec = strict({
  wait: z.boolean().optional(),
  timeoutSeconds: z.int().min(1).optional(),
  progressDeadlineSeconds: int32.min(1).optional(),
});

export { annotations as annotationsSpec, labels as labelsSpec };
