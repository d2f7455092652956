import { createHash } from "node:crypto";
import { configRefs, type ConfigSpec } from "./config-refs.ts";
import type { VolumeSpec, WritablePathSpec } from "./config-specs.ts";

const DEFAULT_SIZE_LIMIT = "64Mi";
const DEFAULT_PATH = "/tmp";

/** What decides on the scratch space of the main container. */
export interface WritableSpec extends ConfigSpec {
  writablePaths?: readonly WritablePathSpec[] | undefined;
  securityContext?: { readOnlyRootFilesystem?: boolean | undefined } | undefined;
}

/**
 * The writable paths as volumes. Unless they are given, /tmp is one where the root file system is read-only and
 * nothing else is mounted there: hardly a process starts without.
 */
export function writableVolumes(spec: WritableSpec): VolumeSpec[] {
  return (spec.writablePaths ?? defaultPaths(spec)).map(({ path, sizeLimit = DEFAULT_SIZE_LIMIT }) => ({
    name: volumeNameOf(path),
    mountPath: path,
    emptyDir: { sizeLimit },
  }));
}

function defaultPaths(spec: WritableSpec): WritablePathSpec[] {
  if (spec.securityContext?.readOnlyRootFilesystem === false) return [];
  const mounted = [...configRefs(spec), ...(spec.volumes ?? [])].map(({ mountPath }) => mountPath);
  return mounted.some((path) => path?.replace(/\/+$/, "") === DEFAULT_PATH) ? [] : [{ path: DEFAULT_PATH }];
}

/** `/tmp` -> `writable-tmp`, by which sidecars may mount it too; a path that doesn't read as a name gets a digest. */
function volumeNameOf(path: string): string {
  const words = path.slice(1).replaceAll("/", "-");
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(words) && words.length <= 54 && !path.includes("-")) {
    return `writable-${words}`;
  }
  return `writable-${createHash("sha256").update(path).digest("hex").slice(0, 8)}`;
}
