import { configRefs, type ConfigSpec, wireConfig } from "./config-refs.ts";
import type { ContainerSpec } from "./container-specs.ts";
import type { EnvSpec } from "./specs.ts";
import { joinPath, type Problem } from "./validation.ts";

/** The parts of a workload in which names must be unique across several fields. */
export interface PodParts extends ConfigSpec {
  env?: readonly EnvSpec[] | undefined;
  initContainers?: readonly ContainerSpec[] | undefined;
  sidecars?: readonly ContainerSpec[] | undefined;
}

type Path = (string | number)[];

/**
 * What the API server would refuse, or apply in a surprising way, because it stands twice: variables, mount paths,
 * volumes and containers. `mainContainer` is the name of the workload's own container.
 */
export function repeatedNames(parts: PodParts, mainContainer: string, path: string): Problem[] {
  const { volumes = [], initContainers = [], sidecars = [] } = parts;
  const mountPaths = [
    ...configRefs(parts).flatMap(({ at, mountPath }) =>
      mountPath === undefined ? [] : [{ at: [...at, "mountPath"], name: mountPath }],
    ),
    ...volumes.map(({ mountPath }, index) => ({ at: ["volumes", index, "mountPath"], name: mountPath })),
  ];
  const wired = wireConfig({ ...parts, volumes: [] }).volumes.map(({ name }) => ({ at: [], name }));
  const volumeNames = [
    ...wired,
    ...volumes.map(({ name }, index) => ({ at: ["volumes", index, "name"], name })),
  ];
  const containers = [
    { at: [], name: mainContainer },
    ...initContainers.map(({ name }, index) => ({ at: ["initContainers", index, "name"], name })),
    ...sidecars.map(({ name }, index) => ({ at: ["sidecars", index, "name"], name })),
  ];
  return [
    ...repeated(variables(parts), "is set by another entry too; keep one", path),
    ...repeated(mountPaths, "is mounted by another volume too; keep one", path),
    ...repeated(volumeNames, "is the name of another volume too", path),
    ...repeated(containers, "is the name of another container too", path),
  ];
}

/** Every variable that an entry names; repetitions inside `env` are its own check's business. */
function variables({ env = [], ...refs }: PodParts): { at: Path; name: string }[] {
  const inline = [...new Set(env.map(({ name }) => name))].map((name) => ({ at: [], name }));
  const mapped = configRefs(refs).flatMap(({ at, type, keys = [] }) =>
    type === "env"
      ? keys.map(({ key, envVar }, index) => ({ at: [...at, "keys", index], name: envVar ?? key }))
      : [],
  );
  return [...inline, ...mapped];
}

function repeated(entries: readonly { at: Path; name: string }[], message: string, path: string): Problem[] {
  const seen = new Set<string>();
  return entries.flatMap(({ at, name }) => {
    const known = seen.has(name);
    seen.add(name);
    return known ? [{ path: at.reduce<string>(joinPath, path), message }] : [];
  });
}
