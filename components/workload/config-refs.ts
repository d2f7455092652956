import { createHash } from "node:crypto";
import type { ConfigMapRefSpec, SecretRefSpec, VolumeSpec } from "./config-specs.ts";
import type { EnvFromSource, EnvVar, Volume, VolumeMount } from "./manifest.ts";
import type { Reference } from "./references.ts";

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

/** Wires references and volumes into the pods. */
export function wireConfig({ volumes = [], ...spec }: ConfigSpec): ConfigWiring {
  const wiring: ConfigWiring = { env: [], envFrom: [], volumes: [], volumeMounts: [] };
  for (const { kind, name, type, mountPath = "", keys } of configRefs(spec)) {
    const isSecret = kind === "Secret";
    if (type === "volume") {
      const items = keys && { items: keys.map(({ key, path }) => ({ key, path: path ?? key })) };
      const source = isSecret
        ? { secret: { secretName: name, ...items } }
        : { configMap: { name, ...items } };
      mount(wiring, volumeNameOf(isSecret ? "secret" : "configmap", name, wiring), mountPath, source);
    } else if (keys === undefined) {
      wiring.envFrom.push(isSecret ? { secretRef: { name } } : { configMapRef: { name } });
    } else {
      wiring.env.push(...keys.map(({ key, envVar = key }) => keyedVariable(kind, name, key, envVar)));
    }
  }
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
