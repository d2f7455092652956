import { createHash } from "node:crypto";
import { identify, type ReferencedObject } from "./checksum.ts";
import type { ConfigMapRefSpec, SecretRefSpec, VolumeSpec } from "./config-specs.ts";
import type { EnvFromSource, EnvVar, Volume, VolumeMount } from "./manifest.ts";
import type { Reference } from "./references.ts";
import { envName } from "./validation.ts";

/** What a workload reads beside its own settings. */
export interface ConfigSpec {
  secretRefs?: readonly SecretRefSpec[] | undefined;
  configMapRefs?: readonly ConfigMapRefSpec[] | undefined;
  volumes?: readonly VolumeSpec[] | undefined;
}

/** How the main container gets at it. Secrets come before ConfigMaps, those before plain volumes. */
export interface ConfigWiring {
  env: EnvVar[];
  envFrom: EnvFromSource[];
  volumes: Volume[];
  volumeMounts: VolumeMount[];
}

/** A reference of either kind, in one shape. */
export interface ConfigRef {
  /** Where it stands in the spec. */
  at: [field: "secretRefs" | "configMapRefs", index: number];
  kind: "Secret" | "ConfigMap";
  name: string;
  type: "env" | "volume";
  mountPath: string | undefined;
  /** Every key when not given. */
  keys: { key: string; envVar?: string | undefined; path?: string | undefined }[] | undefined;
}

/** All references of a workload: Secrets come before ConfigMaps, each in the order of the spec. */
export function configRefs({ secretRefs = [], configMapRefs = [] }: ConfigSpec): ConfigRef[] {
  return [
    ...secretRefs.map(({ name, type, mountPath, keys }, index): ConfigRef => {
      const named = keys?.map(({ secretKey: key, ...to }) => ({ key, ...to }));
      return { at: ["secretRefs", index], kind: "Secret", name, type, mountPath, keys: named };
    }),
    ...configMapRefs.map(({ name, type, mountPath, keys }, index): ConfigRef => {
      const named = keys?.map(({ configMapKey: key, ...to }) => ({ key, ...to }));
      return { at: ["configMapRefs", index], kind: "ConfigMap", name, type, mountPath, keys: named };
    }),
  ];
}

/** The objects that a workload reads, with the keys without which its pods can't start. */
export function configReferences(spec: ConfigSpec): Reference[] {
  return configRefs(spec).map(({ kind, name, type, keys = [] }) => {
    const requiredKeys = keys.map(({ key }) => key);
    return { kind, name, requiredKeys, ...(type === "volume" && { asFiles: true }) };
  });
}

/** `Kind/name` of references that become variables as a whole, in the order in which they are wired. */
export function wholeReferences(spec: ConfigSpec): string[] {
  return configRefs(spec)
    .filter(({ type, keys }) => type === "env" && keys === undefined)
    .map(identify);
}

/** `Kind/name` -> keys, for the whole references that must be wired key by key. */
export type GuardedReferences = Record<string, string[]>;

/**
 * Which of the `whole` references hold a variable that is `reserved`, with the keys that may still become variables.
 * As a whole they would set it wherever the workload itself leaves it unset. Of objects with one key the last wins, as
 * if all were wired as a whole.
 */
export function guardReferences(
  whole: readonly string[],
  objects: readonly ReferencedObject[],
  reserved: readonly string[],
): GuardedReferences {
  const wired = whole.flatMap((id) => objects.find((object) => identify(object) === id) ?? []);
  const isGuarded = ({ data }: ReferencedObject): boolean =>
    reserved.some((name) => Object.hasOwn(data, name));
  const guarded = wired.flatMap((object, index): [string, string[]][] => {
    if (!isGuarded(object)) return [];
    const later = wired.slice(index + 1).filter((other) => !isGuarded(other));
    const names = Object.keys(object.data).filter(
      (key) =>
        !reserved.includes(key) &&
        envName.safeParse(key).success &&
        !later.some(({ data }) => Object.hasOwn(data, key)),
    );
    return [[identify(object), names.sort()]];
  });
  return Object.fromEntries(guarded.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The variables that are mapped from single keys. */
export function mappedVariables(spec: ConfigSpec): EnvVar[] {
  return configRefs(spec).flatMap(({ kind, name, type, keys = [] }) =>
    type === "env" ? keys.map(({ key, envVar = key }) => keyedVariable(kind, name, key, envVar)) : [],
  );
}

/** Bytes of all guarded keys: the Deployment's annotation holds them, too, and all of its annotations together 256 KiB. */
const MOST_GUARDED = 100_000;

/** Refuses what no Deployment could hold. */
function checkGuarded(guarded: GuardedReferences): void {
  const sizes = Object.entries(guarded).map(([id, keys]) => ({ id, bytes: Buffer.byteLength(keys.join()) }));
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined || sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_GUARDED) return;
  throw new Error(
    `${largest.id} holds a variable that is reserved for the token, and too many others to wire them key by key: ` +
      "take it out of there, or name in the reference the keys that are needed",
  );
}

/**
 * Wires references and volumes into the pods; `guarded` ones key by key, where nothing else sets the variable.
 * @throws Error when those have more keys than a Deployment can hold
 */
export function wireConfig(
  { volumes = [], ...spec }: ConfigSpec,
  guarded: GuardedReferences = {},
): ConfigWiring {
  checkGuarded(guarded);
  const wiring: ConfigWiring = {
    env: mappedVariables(spec),
    envFrom: [],
    volumes: [],
    volumeMounts: [],
  };
  const guardedEnv = new Map<string, EnvVar>();
  for (const { kind, name, type, mountPath = "", keys } of configRefs(spec)) {
    const names = keys === undefined ? guarded[identify({ kind, name })] : undefined;
    const isSecret = kind === "Secret";
    if (type === "volume") {
      const items = keys && { items: keys.map(({ key, path }) => ({ key, path: path ?? key })) };
      const source = isSecret
        ? { secret: { secretName: name, ...items } }
        : { configMap: { name, ...items } };
      mount(wiring, volumeNameOf(isSecret ? "secret" : "configmap", name, wiring), mountPath, source);
    } else if (names !== undefined) {
      for (const key of names) guardedEnv.set(key, keyedVariable(kind, name, key, key));
    } else if (keys === undefined) {
      wiring.envFrom.push(isSecret ? { secretRef: { name } } : { configMapRef: { name } });
    }
  }
  const set = new Set(wiring.env.map(({ name }) => name));
  wiring.env.push(...[...guardedEnv.values()].filter(({ name }) => !set.has(name)));
  for (const volume of volumes) {
    const { claimName, readOnly = false } = volume.persistentVolumeClaim ?? {};
    const { medium, sizeLimit } = volume.emptyDir ?? {};
    const source =
      claimName === undefined
        ? { emptyDir: { ...(medium && { medium }), ...(sizeLimit !== undefined && { sizeLimit }) } }
        : { persistentVolumeClaim: { claimName, ...(readOnly && { readOnly }) } };
    wiring.volumes.push({ name: volume.name, ...source });
    wiring.volumeMounts.push({
      name: volume.name,
      mountPath: volume.mountPath,
      ...(readOnly && { readOnly }),
    });
  }
  return wiring;
}

function keyedVariable(kind: ConfigRef["kind"], name: string, key: string, variable: string): EnvVar {
  const ref = { name, key };
  return { name: variable, valueFrom: kind === "Secret" ? { secretKeyRef: ref } : { configMapKeyRef: ref } };
}

function mount(wiring: ConfigWiring, name: string, mountPath: string, source: Omit<Volume, "name">): void {
  wiring.volumes.push({ name, ...source });
  wiring.volumeMounts.push({ name, mountPath, readOnly: true });
}

/**
 * The name of a reference's volume: the operator's `secret-<name>` where that is a valid name and the first of its
 * kind, so that its Deployments can be taken over; else one that is valid and tells the references apart.
 */
function volumeNameOf(prefix: "secret" | "configmap", name: string, { volumes }: ConfigWiring): string {
  const plain = `${prefix}-${name}`;
  const isTaken = (candidate: string): boolean => volumes.some((volume) => volume.name === candidate);
  if (plain.length <= 63 && !plain.includes(".") && !isTaken(plain)) return plain;
  const digest = createHash("sha256").update(`${name} ${volumes.length}`).digest("hex").slice(0, 8);
  return `${plain.replaceAll(".", "-").slice(0, 54)}-${digest}`;
}
