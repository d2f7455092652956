import { z } from "zod";
import { dataKey, envName, objectName, quantity, strict, volumeName } from "./validation.ts";

/** One key of a Secret: as a variable, or as a file of the volume. */
export interface SecretKeySpec {
  /** Key in the Secret. */
  secretKey: string;
  /**
   * With type `env`: name of the variable.
   * @default the key
   */
  envVar?: string | undefined;
  /**
   * With type `volume`: path of the file below `mountPath`.
   * @default the key
   */
  path?: string | undefined;
}

/**
 * A Secret of the zone's namespace that the main container reads. It is never written or owned.
 * @effect rolls the pods
 */
export interface SecretRefSpec {
  /**
   * Name of the Secret.
   * @effect rolls the pods, as does a change of its data
   */
  name: string;
  /** `env`: as variables. `volume`: as files, read-only. */
  type: "env" | "volume";
  /** Absolute path of the volume in the container; required with type `volume`. */
  mountPath?: string | undefined;
  /** Only these keys; every key when not given. */
  keys?: SecretKeySpec[] | undefined;
}

/** One key of a ConfigMap: as a variable, or as a file of the volume. */
export interface ConfigMapKeySpec {
  /** Key in the ConfigMap. */
  configMapKey: string;
  /**
   * With type `env`: name of the variable.
   * @default the key
   */
  envVar?: string | undefined;
  /**
   * With type `volume`: path of the file below `mountPath`.
   * @default the key
   */
  path?: string | undefined;
}

/**
 * A ConfigMap of the zone's namespace that the main container reads. It is never written or owned.
 * @effect rolls the pods
 */
export interface ConfigMapRefSpec {
  /**
   * Name of the ConfigMap.
   * @effect rolls the pods, as does a change of its data
   */
  name: string;
  /** `env`: as variables. `volume`: as files, read-only. */
  type: "env" | "volume";
  /** Absolute path of the volume in the container; required with type `volume`. */
  mountPath?: string | undefined;
  /** Only these keys; every key when not given. */
  keys?: ConfigMapKeySpec[] | undefined;
}

/** A volume of the pods, mounted into the main container. Without a source it is an emptyDir. */
export interface VolumeSpec {
  /** Name of the volume, by which init containers and sidecars may mount it too. */
  name: string;
  /** Absolute path in the container. */
  mountPath: string;
  /** Scratch space that goes with the pod. */
  emptyDir?:
    | {
        /** `Memory` counts against the container's memory limit; the node's disk when not given. */
        medium?: "" | "Memory" | undefined;
        /** Most that may be written, as a quantity; the pod is evicted beyond it. */
        sizeLimit?: string | undefined;
      }
    | undefined;
  /** A claim of the namespace, made by somebody else. */
  persistentVolumeClaim?:
    | {
        /** Name of the claim. */
        claimName: string;
        /**
         * Whether the container may only read it.
         * @default false
         */
        readOnly?: boolean | undefined;
      }
    | undefined;
}

/** Scratch space at a path of the main container: an emptyDir that goes with the pod. */
export interface WritablePathSpec {
  /** Absolute path in the container. */
  path: string;
  /**
   * Most that may be written, as a quantity; the pod is evicted beyond it.
   * @default 64Mi
   */
  sizeLimit?: string | undefined;
}

export const absolutePath = z.string().regex(/^\/[^:]*$/, "must be an absolute path without ':'");
const relativePath = z
  .string()
  .regex(/^(?!\/)(?!\.\.)(?!.*\/\.\.(\/|$)).+$/, "must be a path below mountPath, without '..'");

interface RefLike {
  type: string;
  mountPath?: string | undefined;
  keys?: Record<string, string | undefined>[] | undefined;
}

/**
 * A volume needs a path, a variable a name that is one, and what belongs to the other type is a mistake. `keyField`
 * names the field that holds the key.
 */
function checkRef(keyField: "secretKey" | "configMapKey") {
  return ({ type, mountPath, keys = [] }: RefLike, context: z.RefinementCtx): void => {
    const issue = (message: string, ...path: (string | number)[]): void => {
      context.addIssue({ code: "custom", message, path });
    };
    if (type === "volume" && mountPath === undefined) issue("is required with type volume", "mountPath");
    if (type === "env" && mountPath !== undefined) issue("has no meaning with type env", "mountPath");
    for (const [index, { [keyField]: key, envVar, path }] of keys.entries()) {
      if (type === "volume" && envVar !== undefined)
        issue("has no meaning with type volume", "keys", index, "envVar");
      if (type === "env" && path !== undefined) issue("has no meaning with type env", "keys", index, "path");
      const isKey = dataKey.safeParse(key).success;
      if (type === "env" && envVar === undefined && isKey && !envName.safeParse(key).success) {
        issue("is no name of a variable: give one with envVar", "keys", index, keyField);
      }
    }
  };
}

const keyMapping = { envVar: envName.optional(), path: relativePath.optional() };
const ref = { name: objectName, type: z.enum(["env", "volume"]), mountPath: absolutePath.optional() };

export const secretRefsSpec = z.array(
  strict({
    ...ref,
    keys: z
      .array(strict({ secretKey: dataKey, ...keyMapping }))
      .min(1)
      .optional(),
  }).superRefine(checkRef("secretKey")),
);

export const configMapRefsSpec = z.array(
  strict({
    ...ref,
    keys: z
      .array(strict({ configMapKey: dataKey, ...keyMapping }))
      .min(1)
      .optional(),
  }).superRefine(checkRef("configMapKey")),
);

export const volumesSpec = z.array(
  strict({
    name: volumeName,
    mountPath: absolutePath,
    emptyDir: strict({
      medium: z.enum(["", "Memory"]).optional(),
      sizeLimit: quantity.optional(),
    }).optional(),
    persistentVolumeClaim: strict({ claimName: objectName, readOnly: z.boolean().optional() }).optional(),
  }).refine(
    ({ emptyDir, persistentVolumeClaim }) => emptyDir === undefined || persistentVolumeClaim === undefined,
    "has both emptyDir and persistentVolumeClaim: keep one",
  ),
);

export const writablePathsSpec = z.array(strict({ path: absolutePath, sizeLimit: quantity.optional() }));
