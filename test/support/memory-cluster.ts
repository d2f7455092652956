// A cluster that keeps objects in memory, with resource versions as the API server counts them.
import { OWNER_ANNOTATION } from "../../components/children/owner.ts";
import type { Cluster, KubeObject, PatchOutcome } from "../../components/cluster/cluster.ts";

export interface MemoryCluster extends Cluster {
  objects: Map<string, KubeObject>;
  /** Writes, in order: `create ConfigMap/x`. */
  writes: string[];
  /** In place of an answer, for as long as it is set: what `<operation> <kind>/<name>` comes to. */
  fail: (what: string) => PatchOutcome | undefined;
}

const OWNER_PATH = "/metadata/annotations/pulumi-proxies.dev~1owner";

export function memoryCluster(): MemoryCluster {
  let version = 0;
  const objects = new Map<string, KubeObject>();
  const never = (): never => {
    throw new Error("nobody should ask for this");
  };
  const store = (key: string, object: KubeObject): PatchOutcome => {
    version += 1;
    const metadata = { uid: `u-${version}`, ...object.metadata, resourceVersion: String(version) };
    const stored = { ...object, metadata };
    objects.set(key, stored);
    return { outcome: "found", value: stored };
  };
  const cluster: MemoryCluster = {
    objects,
    writes: [],
    fail: () => undefined,
    get: (resource, _namespace, name) => {
      const key = `${resource.kind}/${name}`;
      const failure = cluster.fail(`get ${key}`);
      if (failure !== undefined && failure.outcome !== "conflict") return Promise.resolve(failure);
      const value = objects.get(key);
      return Promise.resolve(value === undefined ? { outcome: "missing" } : { outcome: "found", value });
    },
    create: (resource, namespace, manifest) => {
      const object = manifest as KubeObject;
      const key = `${resource.kind}/${object.metadata.name}`;
      const failure = cluster.fail(`create ${key}`);
      if (failure !== undefined) return Promise.resolve(failure);
      if (objects.has(key)) return Promise.resolve({ outcome: "conflict", detail: "exists" });
      cluster.writes.push(`create ${key}`);
      return Promise.resolve(store(key, { ...object, metadata: { ...object.metadata, namespace } }));
    },
    jsonPatch: (resource, _namespace, name, patch) => {
      const key = `${resource.kind}/${name}`;
      const failure = cluster.fail(`patch ${key}`);
      if (failure !== undefined) return Promise.resolve(failure);
      const object = objects.get(key);
      if (object === undefined) return Promise.resolve({ outcome: "missing" });
      const data = patch.find(({ path }) => path === "/data")?.value;
      const expected = patch.find(({ path }) => path === "/metadata/resourceVersion")?.value;
      if (expected !== object.metadata.resourceVersion)
        return Promise.resolve({ outcome: "conflict", detail: "changed" });
      cluster.writes.push(`patch ${key}`);
      const owner = patch.find(({ path }) => path === OWNER_PATH)?.value as string;
      const annotations = { ...object.metadata.annotations, [OWNER_ANNOTATION]: owner };
      return Promise.resolve(store(key, { ...object, metadata: { ...object.metadata, annotations }, data }));
    },
    remove: (resource, _namespace, name, { uid, resourceVersion }) => {
      const key = `${resource.kind}/${name}`;
      const failure = cluster.fail(`remove ${key}`);
      if (failure !== undefined) return Promise.resolve(failure);
      const value = objects.get(key);
      if (value === undefined) return Promise.resolve({ outcome: "missing" });
      if (value.metadata.uid !== uid || value.metadata.resourceVersion !== resourceVersion)
        return Promise.resolve({ outcome: "conflict", detail: "changed" });
      cluster.writes.push(`remove ${key}`);
      objects.delete(key);
      return Promise.resolve({ outcome: "found", value });
    },
    list: never,
    serves: never,
    dryRunCreate: never,
    openStream: never,
    ask: never,
  };
  return cluster;
}
