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

/** The objects that a workload reads, with the keys without which its pods can't start. */
export function configReferences({ secretRefs = [], configMapRefs = [] }: ConfigSpec): Reference[] {
  return [
    ...secretRefs.map(({ name, type, keys = [] }): Reference => {
      const requiredKeys = keys.map(({ secretKey }) => secretKey);
      return { kind: "Secret", name, requiredKeys, ...(type === "volume" && { asFiles: true }) };
    }),
    ...configMapRefs.map(({ name, type, keys = [] }): Reference => {
      const requiredKeys = keys.map(({ configMapKey }) => configMapKey);
      return { kind: "ConfigMap", name, requiredKeys, ...(type === "volume" && { asFiles: true }) };
    }),
  ];
}

/** Wires references and volumes into the pods. */
export function wireConfig({ secretRefs = [], configMapRefs = [], volumes = [] }: ConfigSpec): ConfigWiring {
  const wiring: ConfigWiring = { env: [], envFrom: [], volumes: [], volumeMounts: [] };
  for (const { name, type, keys, mountPath = "" } of secretRefs) {
    if (type === "volume") {
      const items = keys?.map(({ secretKey, path }) => ({ key: secretKey, path: path ?? secretKey }));
      mount(wiring, volumeNameOf("secret", name, wiring), mountPath, {
        secret: { secretName: name, ...(items && { items }) },
      });
    } else if (keys === undefined) wiring.envFrom.push({ secretRef: { name } });
    else {
      for (const { secretKey: key, envVar } of keys)
        wiring.env.push({ name: envVar ?? key, valueFrom: { secretKeyRef: { name, key } } });
    }
  }
  for (const { name, type, keys, mountPath = "" } of configMapRefs) {
    if (type === "volume") {
      const items = keys?.map(({ configMapKey, path }) => ({
        key: configMapKey,
        path: path ?? configMapKey,
      }));
      mount(wiring, volumeNameOf("configmap", name, wiring), mountPath, {
        configMap: { name, ...(items && { items }) },
      });
    } else if (keys === undefined) wiring.envFrom.push({ configMapRef: { name } });
    else {
      for (const { configMapKey: key, envVar } of keys)
        wiring.env.push({ name: envVar ?? key, valueFrom: { configMapKeyRef: { name, key } } });
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
