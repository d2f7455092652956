import { configRefs, wireConfig } from "./config-refs.ts";
import type { ContainerSpec } from "./container-specs.ts";
import type { Volume } from "./manifest.ts";
import type { EnvSpec } from "./specs.ts";
import { joinPath, type Problem } from "./validation.ts";
import { type WritableSpec, writableVolumes } from "./writable-paths.ts";

/** The parts of a workload that depend on one another. */
export interface PodParts extends WritableSpec {
  env?: readonly EnvSpec[] | undefined;
  initContainers?: readonly ContainerSpec[] | undefined;
  sidecars?: readonly ContainerSpec[] | undefined;
  terminationGracePeriodSeconds?: number | undefined;
}

type Path = (string | number)[];

/** A name at its place in the spec. */
interface Entry {
  at: Path;
  name: string;
}

/** A problem at its place in the spec. */
interface Misfit {
  at: Path;
  message: string;
}

/** Kubernetes' own; a preStop may not take longer. */
const DEFAULT_GRACE_SECONDS = 30;

/**
 * What the API server would refuse, or apply in a surprising way, because of several fields together: what stands twice
 * (variables, mount paths, volumes and containers), and what names a volume that the pod lacks. `mainContainer` is the
 * name of the workload's own container.
 */
export function podProblems(parts: PodParts, mainContainer: string, path: string): Problem[] {
  const problems = [...repetitions(parts, mainContainer), ...containerProblems(parts)];
  return problems.map(({ at, message }) => ({ path: at.reduce<string>(joinPath, path), message }));
}

/** The volumes of the pod that `volumes` does not name. */
function impliedVolumes(parts: PodParts): Volume[] {
  // A path that is given twice has the same volume twice; that the path is, is said already.
  const writable = new Map(writableVolumes(parts).map((volume) => [volume.name, volume]));
  return [
    ...wireConfig({ ...parts, volumes: [] }).volumes,
    ...wireConfig({ volumes: [...writable.values()] }).volumes,
  ];
}

function repetitions(parts: PodParts, mainContainer: string): Misfit[] {
  const { volumes = [], writablePaths = [], initContainers = [], sidecars = [] } = parts;
  const mountPaths = [
    ...configRefs(parts).flatMap(({ at, mountPath }) =>
      mountPath === undefined ? [] : [{ at: [...at, "mountPath"], name: mountPath }],
    ),
    ...volumes.map(({ mountPath }, index) => ({ at: ["volumes", index, "mountPath"], name: mountPath })),
    ...writablePaths.map(({ path: name }, index) => ({ at: ["writablePaths", index, "path"], name })),
  ];
  const volumeNames = [
    ...impliedVolumes(parts).map(({ name }) => ({ at: [], name })),
    ...volumes.map(({ name }, index) => ({ at: ["volumes", index, "name"], name })),
  ];
  const containers = [
    { at: [], name: mainContainer },
    ...initContainers.map(({ name }, index) => ({ at: ["initContainers", index, "name"], name })),
    ...sidecars.map(({ name }, index) => ({ at: ["sidecars", index, "name"], name })),
  ];
  return [
    ...repeated(variables(parts), "is set by another entry too; keep one"),
    ...repeated(mountPaths.map(withoutSlash), "is mounted by another volume too; keep one"),
    ...repeated(volumeNames, "is the name of another volume too"),
    ...repeated(containers, "is the name of another container too"),
  ];
}

/** `/tmp/` is `/tmp`. */
function withoutSlash({ at, name }: Entry): Entry {
  return { at, name: name.replace(/(?<=.)\/+$/, "") };
}

/** What init containers and sidecars ask of the pod and do not get. */
function containerProblems(parts: PodParts): Misfit[] {
  const { initContainers = [], sidecars = [] } = parts;
  const all = [...impliedVolumes(parts), ...wireConfig({ volumes: parts.volumes }).volumes];
  const volumes = new Map(all.map((volume) => [volume.name, volume]));
  const grace = parts.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
  return Object.entries({ initContainers, sidecars }).flatMap(([field, containers]) =>
    containers.flatMap((container, index) => [
      ...volumeProblems(container, volumes, [field, index]),
      ...sleepProblems(container, grace, [field, index]),
    ]),
  );
}

function volumeProblems(
  { volumeMounts = [], volumeDevices = [] }: ContainerSpec,
  volumes: ReadonlyMap<string, Volume>,
  at: Path,
): Misfit[] {
  const lacking = (name: string, place: Path, source?: "persistentVolumeClaim"): Misfit[] => {
    const volume = volumes.get(name);
    const message =
      volume === undefined
        ? "names no volume of the pod: add it to volumes, or correct the name"
        : source && volume[source] === undefined && `must name a volume that is of type ${source}`;
    return message ? [{ at: [...at, ...place], message }] : [];
  };
  return [
    ...volumeMounts.flatMap(({ name }, index) => lacking(name, ["volumeMounts", index, "name"])),
    ...volumeDevices.flatMap(({ name }, index) =>
      lacking(name, ["volumeDevices", index, "name"], "persistentVolumeClaim"),
    ),
  ];
}

function sleepProblems({ lifecycle = {} }: ContainerSpec, grace: number, at: Path): Misfit[] {
  const message = "must be at most terminationGracePeriodSeconds of the pod";
  return (["postStart", "preStop"] as const)
    .filter((moment) => (lifecycle[moment]?.sleep?.seconds ?? 0) > grace)
    .map((moment) => ({ at: [...at, "lifecycle", moment, "sleep", "seconds"], message }));
}

/** Every variable that an entry names; repetitions inside `env` are its own check's business. */
function variables({ env = [], ...refs }: PodParts): Entry[] {
  const inline = [...new Set(env.map(({ name }) => name))].map((name) => ({ at: [], name }));
  const mapped = configRefs(refs).flatMap(({ at, type, keys = [] }) =>
    type === "env"
      ? keys.map(({ key, envVar }, index) => ({ at: [...at, "keys", index], name: envVar ?? key }))
      : [],
  );
  return [...inline, ...mapped];
}

function repeated(entries: readonly Entry[], message: string): Misfit[] {
  const seen = new Set<string>();
  return entries.flatMap(({ at, name }) => {
    const known = seen.has(name);
    seen.add(name);
    return known ? [{ at, message }] : [];
  });
}
