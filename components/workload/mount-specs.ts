import { z } from "zod";
import { absolutePath } from "./config-specs.ts";
import { unique } from "./spec-rules.ts";
import { strict, volumeName } from "./validation.ts";

/** Where a container finds a volume of the pod. */
export interface VolumeMountSpec {
  /** Name of the volume: one of `volumes`, or `secret-<name>` and `configmap-<name>` for a reference of type `volume`. */
  name: string;
  /** Absolute path in the container, once in a container. */
  mountPath: string;
  /** @default false */
  readOnly?: boolean | undefined;
  /**
   * `Disabled`, `IfPossible` or `Enabled`: whether mounts below it are read-only too. It needs `readOnly`.
   * Kubernetes 1.31 or newer.
   * @default Disabled
   */
  recursiveReadOnly?: "Disabled" | "IfPossible" | "Enabled" | undefined;
  /** Path in the volume that is mounted in place of its root: relative, without `..`. */
  subPath?: string | undefined;
  /** The same with variables of the container as `$(NAME)`, in place of `subPath`. */
  subPathExpr?: string | undefined;
  /**
   * `None` or `HostToContainer`. `Bidirectional` needs a privileged container, which ours never are.
   * @default None
   */
  mountPropagation?: "None" | "HostToContainer" | undefined;
}

/** Where a container finds a block device of the pod. */
export interface VolumeDeviceSpec {
  /** Name of a volume that is a claim, and that the container does not mount. */
  name: string;
  /** Path of the device in the container. */
  devicePath: string;
}

const subPath = z
  .string()
  .regex(/^(?!\/)(?!(.*\/)?\.\.(\/|$))/, "must be a path in the volume: relative, without '..'")
  .optional();

const mountSpec = strict({
  name: volumeName,
  mountPath: absolutePath,
  readOnly: z.boolean().optional(),
  recursiveReadOnly: z.enum(["Disabled", "IfPossible", "Enabled"]).optional(),
  subPath,
  subPathExpr: subPath,
  mountPropagation: z
    .enum(
      ["None", "HostToContainer"],
      "must be None or HostToContainer: Bidirectional needs a privileged container, which ours never are",
    )
    .optional(),
}).superRefine((mount, context) => {
  const issue = (path: string, message: string): void => {
    context.addIssue({ code: "custom", path: [path], message });
  };
  const { readOnly = false, recursiveReadOnly = "Disabled", mountPropagation = "None" } = mount;
  if (mount.subPath && mount.subPathExpr) issue("subPathExpr", "stands beside subPath: keep one");
  if (recursiveReadOnly === "Disabled") return;
  if (!readOnly) issue("recursiveReadOnly", "needs readOnly: true");
  if (mountPropagation !== "None") issue("recursiveReadOnly", "needs mountPropagation None");
});

export const volumeMountsSpec = z
  .array(mountSpec)
  .superRefine(
    unique("mountPath", ({ mountPath }) => mountPath, "is mounted by another entry too; keep one"),
  );

export const volumeDevicesSpec = z
  .array(
    strict({
      name: volumeName,
      devicePath: absolutePath.regex(/^(?!.*\/\.\.(\/|$))/, "must not contain '..'"),
    }),
  )
  .superRefine(unique("name", ({ name }) => name, "is given twice; keep one"))
  .superRefine(unique("devicePath", ({ devicePath }) => devicePath, "is given twice; keep one"));

interface Mounts {
  volumeMounts?: readonly VolumeMountSpec[] | undefined;
  volumeDevices?: readonly VolumeDeviceSpec[] | undefined;
}

/** A volume is either a file system or a device to a container, and a path one of the two. */
export function checkDevices(
  { volumeMounts = [], volumeDevices = [] }: Mounts,
  context: z.RefinementCtx,
): void {
  for (const [index, { name, devicePath }] of volumeDevices.entries()) {
    const issue = (field: string, message: string): void => {
      context.addIssue({ code: "custom", path: ["volumeDevices", index, field], message });
    };
    if (volumeMounts.some((mount) => mount.name === name)) issue("name", "is mounted too; keep one");
    if (volumeMounts.some((mount) => mount.mountPath === devicePath))
      issue("devicePath", "is a mountPath too; keep one");
  }
}
