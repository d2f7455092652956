import { z } from "zod";
import { exactlyOne, unique } from "./spec-rules.ts";
import { dataKey, envName, objectName, qualifiedName, strict, volumeName } from "./validation.ts";

/** One key of a Secret or ConfigMap of the zone's namespace. */
export interface KeyRefSpec {
  /** Name of the object. */
  name: string;
  /** Key in it. */
  key: string;
  /**
   * Whether the container starts without it, then without the variable.
   * @default false
   */
  optional?: boolean | undefined;
}

/** Where the value of a variable comes from: exactly one. */
export interface EnvSourceSpec {
  /** A key of a Secret. */
  secretKeyRef?: KeyRefSpec | undefined;
  /** A key of a ConfigMap. */
  configMapKeyRef?: KeyRefSpec | undefined;
  /** A field of the pod. */
  fieldRef?:
    | {
        /**
         * `metadata.name`, `metadata.namespace`, `metadata.uid`, `metadata.labels['<key>']`,
         * `metadata.annotations['<key>']`, `spec.nodeName`, `spec.serviceAccountName`, `status.hostIP`,
         * `status.hostIPs`, `status.podIP` or `status.podIPs`.
         */
        fieldPath: string;
        /**
         * Always `v1`.
         * @default v1
         */
        apiVersion?: "v1" | undefined;
      }
    | undefined;
  /** A request or limit of a container. */
  resourceFieldRef?:
    | {
        /** `requests.` or `limits.`, then `cpu`, `memory`, `ephemeral-storage` or `hugepages-<size>`. */
        resource: string;
        /**
         * Name of the container.
         * @default this one
         */
        containerName?: string | undefined;
        /**
         * Unit of the value, rounded up: `1m` or `1` for cpu; `1`, `1k` to `1E` or `1Ki` to `1Ei` for all else.
         * @default 1
         */
        divisor?: string | undefined;
      }
    | undefined;
}

/** One variable of a container: a plain value, or where to take it from. Secret values belong in a Secret. */
export interface ContainerEnvSpec {
  /** Name of the variable, once in a container. */
  name: string;
  /**
   * Its value; `$(NAME)` stands for a variable before it.
   * @default empty
   */
  value?: string | undefined;
  /** Where the value comes from, in place of `value`. */
  valueFrom?: EnvSourceSpec | undefined;
}

/** All keys of a Secret or ConfigMap as variables: exactly one of the two. */
export interface ContainerEnvFromSpec {
  /** What the names of the variables start with. */
  prefix?: string | undefined;
  /** A Secret of the zone's namespace. */
  secretRef?:
    | {
        name: string;
        /** @default false */
        optional?: boolean | undefined;
      }
    | undefined;
  /** A ConfigMap of the zone's namespace. */
  configMapRef?:
    | {
        name: string;
        /** @default false */
        optional?: boolean | undefined;
      }
    | undefined;
}

const keyRef = strict({ name: objectName, key: dataKey, optional: z.boolean().optional() });

const FIELD_PATHS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

const fieldPath = z.string().refine(
  (path) => {
    const [, map, key = ""] = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path) ?? [];
    if (map === undefined) return FIELD_PATHS.includes(path);
    // The API server compares keys of annotations in lower case.
    return qualifiedName.safeParse(map === "annotations" ? key.toLowerCase() : key).success;
  },
  `must be one of ${FIELD_PATHS.join(", ")}, metadata.labels['<key>'] or metadata.annotations['<key>']`,
);

const BYTES = ["1", ..."kMGTPE".split("").flatMap((unit) => [`1${unit}`, `1${unit.toUpperCase()}i`])];

const resourceFieldRef = strict({
  resource: z
    .string()
    .regex(
      /^(requests|limits)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/,
      "must be requests. or limits. and then cpu, memory, ephemeral-storage or hugepages-<size>",
    ),
  containerName: volumeName.optional(),
  divisor: z
    .union([z.string(), z.number()], { error: "must be a quantity such as 1, 1m or 1Mi" })
    .transform(String)
    .optional(),
}).superRefine(({ resource, divisor }, context) => {
  const allowed = resource.endsWith(".cpu") ? ["1m", "1"] : BYTES;
  if (divisor === undefined || divisor === "0" || allowed.includes(divisor)) return;
  context.addIssue({ code: "custom", path: ["divisor"], message: `must be one of ${allowed.join(", ")}` });
});

const valueFrom = strict({
  secretKeyRef: keyRef.optional(),
  configMapKeyRef: keyRef.optional(),
  fieldRef: strict({
    fieldPath,
    apiVersion: z.literal("v1", "must be v1 or left out").optional(),
  }).optional(),
  resourceFieldRef: resourceFieldRef.optional(),
}).superRefine(exactlyOne("secretKeyRef", "configMapKeyRef", "fieldRef", "resourceFieldRef"));

export const containerEnvSpec = z
  .array(
    strict({ name: envName, value: z.string().optional(), valueFrom: valueFrom.optional() }).refine(
      (entry) => entry.valueFrom === undefined || (entry.value ?? "") === "",
      "has both value and valueFrom: keep one",
    ),
  )
  .superRefine(unique("name", ({ name }) => name, "is given twice; keep one"));

const wholeRef = strict({ name: objectName, optional: z.boolean().optional() });

export const containerEnvFromSpec = z.array(
  strict({
    prefix: envName.optional(),
    secretRef: wholeRef.optional(),
    configMapRef: wholeRef.optional(),
  }).superRefine(exactlyOne("secretRef", "configMapRef")),
);
