// A zone whose cluster answers from memory.
import { Provider } from "@pulumi/kubernetes/provider.js";
import type * as pulumi from "@pulumi/pulumi";
import type {
  Cluster,
  HttpAnswer,
  JsonPatchOperation,
  KubeObject,
  ManagedFieldsEntry,
  Outcome,
} from "../../../components/cluster/cluster.ts";
import { allowList } from "../../../components/zone/allow.ts";
import { Zone, type ZoneParts } from "../../../components/zone/zone.ts";
import { PROJECT, STACK } from "./engine.ts";

export const OWNER = `${PROJECT}/${STACK}/Proxy/dc-east`;
export const NOW = new Date("2027-01-01T00:00:00Z");

export const found = <T>(value: T): Outcome<T> => ({ outcome: "found", value });
export const MISSING = { outcome: "missing" } as const;
export const FORBIDDEN = { outcome: "forbidden", detail: 'User "x" cannot do that' } as const;
export const UNREACHABLE = { outcome: "unreachable", detail: "connect ECONNREFUSED" } as const;

/** A JWT with this end, or none. */
export function jwt(exp?: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part(exp === undefined ? {} : { exp })}.c2ln`;
}

export function secret(name: string, data: Record<string, string>): KubeObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return {
    metadata: { name, namespace: "proxies" },
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
}

/** A live object of the proxy; ours unless told otherwise. */
export function ours(
  metadata: Partial<KubeObject["metadata"]> = {},
  more: Record<string, unknown> = {},
): KubeObject {
  const { annotations, ...rest } = metadata;
  return {
    apiVersion: "apps/v1",
    metadata: {
      name: "dc-east",
      namespace: "proxies",
      resourceVersion: "7",
      annotations: { "pulumi-proxies.dev/owner": OWNER, ...annotations },
      managedFields: [managedBy("pulumi-proxies", { "f:spec": { "f:ours": {} } })],
      ...rest,
    },
    ...more,
  };
}

export function managedBy(manager: string, fieldsV1: object): ManagedFieldsEntry {
  return {
    manager,
    operation: "Update",
    apiVersion: "apps/v1",
    fieldsType: "FieldsV1",
    fieldsV1: fieldsV1 as never,
  };
}

/** A live Deployment of ours, rolled out, with `ready` of `replicas` pods ready. */
export function deployment(
  ready: number,
  replicas: number,
  metadata: Partial<KubeObject["metadata"]> & { checksum?: string; progressing?: string } = {},
): KubeObject {
  const { checksum, progressing = "NewReplicaSetAvailable", ...rest } = metadata;
  return ours(
    { uid: "u", generation: 2, ...rest },
    {
      spec: {
        replicas,
        ...(checksum !== undefined && {
          template: { metadata: { annotations: { "otilm.com/config-checksum": checksum } } },
        }),
      },
      status: {
        observedGeneration: rest.generation ?? 2,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: ready,
        availableReplicas: ready,
        conditions: [
          { type: "Progressing", status: "True", reason: progressing, message: "m", lastUpdateTime: "t" },
        ],
      },
    },
  );
}

export interface World {
  /** Kind -> what openZone's list came to; empty where not named. */
  lists?: Record<string, Outcome<KubeObject[]>>;
  /** What openZone read of Secrets that components make. */
  secrets?: Record<string, Outcome<KubeObject>>;
  /** `kind/name` -> what a read gives, now or at the n-th time; missing where not named. */
  reads?: Record<string, Outcome<KubeObject> | Outcome<KubeObject>[]>;
  /** Pods of whatever selector. */
  pods?: Outcome<KubeObject[]>;
  /** What a request to a pod gives, by its path. */
  answers?: Record<string, HttpAnswer>;
  /** What a dry run gives; where not named, what was sent. */
  served?: Outcome<KubeObject>;
  parts?: Partial<ZoneParts>;
}

export interface FakeCluster extends Cluster {
  asked: string[];
  patched: { what: string; patch: readonly JsonPatchOperation[] }[];
  tried: { what: string; manifest: object }[];
}

export const DEFAULT_SECRET = found(secret("dc-east-config", { configToken: jwt(1830297600) }));

/** A cluster with the token's Secret, in which a Deployment is running once it was registered. */
function fakeCluster(world: World): FakeCluster {
  const reads: NonNullable<World["reads"]> = {
    "Secret/dc-east-config": DEFAULT_SECRET,
    "Deployment/dc-east": found(deployment(1, 1)),
    ...world.reads,
  };
  const counts = new Map<string, number>();
  const cluster: FakeCluster = {
    asked: [],
    patched: [],
    tried: [],
    get: (resource, namespace, name) => {
      const key = `${resource.kind}/${name}`;
      cluster.asked.push(key);
      if (namespace !== "proxies")
        return Promise.reject(new Error(`${key} was asked for in ${namespace ?? "no namespace"}`));
      const answer = reads[key] ?? MISSING;
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return Promise.resolve(
        Array.isArray(answer) ? (answer[Math.min(count, answer.length - 1)] ?? MISSING) : answer,
      );
    },
    list: (resource) =>
      resource.kind === "Pod"
        ? Promise.resolve(world.pods ?? found([]))
        : Promise.reject(new Error(`a list of ${resource.kind}`)),
    openStream: (_namespace, pod) => Promise.reject(new Error(`a stream to the pod ${pod}`)),
    ask: (_namespace, pod, port, { path }) => {
      cluster.asked.push(`${pod}:${port}${path}`);
      const answer = world.answers?.[path];
      return answer ? Promise.resolve(answer) : Promise.reject(new Error(`a request to the pod ${pod}`));
    },
    serves: (resource) => Promise.reject(new Error(`discovery of ${resource.kind}`)),
    dryRunCreate: (resource, namespace, manifest) => {
      cluster.tried.push({ what: `${resource.kind} in ${namespace}`, manifest });
      return Promise.resolve(world.served ?? found(manifest as KubeObject));
    },
    jsonPatch: (resource, namespace, name, patch) => {
      cluster.patched.push({ what: `${resource.kind} ${namespace}/${name}`, patch });
      return Promise.resolve(found(ours()));
    },
    create: (resource) => Promise.reject(new Error(`a new ${resource.kind}`)),
    remove: (resource) => Promise.reject(new Error(`a removed ${resource.kind}`)),
  };
  return cluster;
}

const OWNED = [
  "ServiceAccount",
  "Deployment",
  "Service",
  "HorizontalPodAutoscaler",
  "PodDisruptionBudget",
  "NetworkPolicy",
  "ServiceMonitor",
];

/** An open zone in this world. Call it inside `run`: it registers the provider. */
export function openZone(
  dryRun: boolean,
  world: World = {},
): { zone: Zone; cluster: FakeCluster; provider: pulumi.Resource } {
  const cluster = fakeCluster(world);
  const provider = new Provider("zone", { namespace: "proxies" });
  const lists = new Map<string, Outcome<KubeObject[]>>(OWNED.map((kind) => [kind, found([])]));
  for (const [kind, list] of Object.entries(world.lists ?? {})) lists.set(kind, list);
  const zone = new Zone({
    name: STACK,
    project: PROJECT,
    formerStacks: [],
    namespace: "proxies",
    clusterDomain: "cluster.local",
    provider,
    dependsOn: [],
    defaults: {},
    drift: "repair",
    allow: allowList([]),
    cluster,
    access: { context: "test" },
    observed: { namespaceExists: true, lists, secrets: new Map(Object.entries(world.secrets ?? {})) },
    dryRun,
    previous: new Map(),
    now: NOW,
    checksumKey: undefined,
    ...world.parts,
  });
  return { zone, cluster, provider };
}

/** A world in which the connector `dc-east` of this stack runs. */
export function connectorRunning(): World {
  const standing = deployment(1, 1, {
    annotations: { "pulumi-proxies.dev/owner": `${PROJECT}/${STACK}/Connector/dc-east` },
  });
  return { lists: { Deployment: found([standing]) }, reads: { "Deployment/dc-east": found(standing) } };
}
