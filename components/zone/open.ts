import { Provider } from "@pulumi/kubernetes/provider.js";
import * as pulumi from "@pulumi/pulumi";
import { connect, insideCluster, KubeconfigError } from "../cluster/client.ts";
import {
  type Cluster,
  type KubeObject,
  NAMESPACES,
  type Outcome,
  type Resource,
  SECRETS,
  SERVICE_MONITORS,
} from "../cluster/cluster.ts";
import { FIELD_MANAGER } from "../cluster/ownership.ts";
import { allowList } from "./allow.ts";
import { DEFAULT_CLUSTER_DOMAIN, type ZoneConfig } from "./config.ts";
import { registerNamespace } from "./namespace.ts";
import { OWNED_KINDS } from "./owned-kinds.ts";
import { type Exported, readPrevious } from "./previous.ts";
import { type Observed, Zone } from "./zone.ts";

/** What the program that opens a zone has to say of itself. */
export interface Opening {
  /** Secrets that components will make (`configTokenSecretName`). Default: none. */
  ownedSecrets?: readonly string[];
  /** Key of the configuration checksums. Default: none, the checksums are plain SHA-256. */
  checksumKey?: pulumi.Output<string> | undefined;
  /**
   * What the stack exports of its components: output -> their kind, each a map by name that holds `conditions`. The
   * conditions of the run before are taken from there. Default: they are looked for in the whole state, which takes time
   * and memory in a large zone. Not for a program whose connectors register: of that the outputs tell too little.
   */
  exported?: Exported | undefined;
}

/**
 * Opens a zone: reads what its cluster serves and holds, and makes the provider for its objects. Call it once, before
 * anything is registered.
 *
 * A cluster that can't be read ends an update with one line. A preview goes on with one warning: it then plans no
 * deletion, and what depends on the cluster is Unknown.
 * @throws pulumi.RunError
 */
export async function openZone(config: ZoneConfig, opening: Opening = {}): Promise<Zone> {
  const { ownedSecrets = [], checksumKey, exported } = opening;
  const name = pulumi.getStack();
  const cluster = await connectTo(config, name);
  const dryRun = pulumi.runtime.isDryRun();
  const [namespace, observed] = await Promise.all([
    cluster.get(NAMESPACES, undefined, config.namespace),
    observe(cluster, config.namespace, ownedSecrets, dryRun),
  ]);
  const unreadable = [...problems(namespace, config), ...unreadableKinds(observed)];
  if (unreadable.length > 0) {
    const message = `the cluster of zone ${name} can't be read: ${[...new Set(unreadable)].join("; ")}`;
    if (!dryRun) throw new pulumi.RunError(`${message}. Nothing was changed.`);
    await pulumi.log.warn(`${message}. This preview plans as if nothing there had changed.`);
  }
  checkNamespace(namespace, config, name);
  const previous = await readPrevious(exported);
  const provider = makeProvider(config);
  const namespaceResource = registerNamespace(config, namespace, provider, name);
  if (config.cluster?.namespaceUid === undefined && isFirstRun(observed)) {
    const uid =
      namespace.outcome === "found" ? namespace.value.metadata.uid : namespaceResource?.metadata.uid;
    pulumi.output(uid).apply((known) => known && recommendPin(name, config.namespace, known));
  }
  return new Zone({
    name,
    project: pulumi.getProject(),
    formerStacks: (config.formerStacks ?? []).map((stack) =>
      stack.includes("/") ? stack : `${pulumi.getProject()}/${stack}`,
    ),
    namespace: config.namespace,
    clusterDomain: config.cluster?.domain ?? DEFAULT_CLUSTER_DOMAIN,
    provider,
    dependsOn: namespaceResource === undefined ? [] : [namespaceResource],
    defaults: config.defaults ?? {},
    drift: config.drift ?? "repair",
    allow: allowList(config.allowManagers ?? []),
    cluster,
    access: accessOf(config),
    observed: { ...observed, namespaceExists: namespace.outcome !== "missing" },
    dryRun,
    previous,
    now: new Date(),
    checksumKey,
  });
}

function accessOf({ cluster: { context, kubeconfig } = {} }: ZoneConfig): Zone["parts"]["access"] {
  return { ...(context !== undefined && { context }), ...(kubeconfig !== undefined && { kubeconfig }) };
}

async function connectTo(config: ZoneConfig, zone: string): Promise<Cluster> {
  if (config.cluster?.context === undefined && !insideCluster()) {
    throw new pulumi.RunError(
      `zone ${zone} names no cluster: pulumi config set --path zone.cluster.context <context of your kubeconfig>`,
    );
  }
  try {
    return await connect({
      ...accessOf(config),
      tell: (line) => void pulumi.log.info(`zone ${zone}: ${line}`),
    });
  } catch (error) {
    if (error instanceof KubeconfigError) throw new pulumi.RunError(`zone ${zone}: ${error.message}`);
    throw error;
  }
}

/** Selects by a label that nothing has. */
const NO_OBJECT = "pulumi-proxies.dev/no-object";

async function observe(
  cluster: Cluster,
  namespace: string,
  ownedSecrets: readonly string[],
  dryRun: boolean,
): Promise<Pick<Observed, "lists" | "secrets">> {
  const list = async (resource: Resource): Promise<[string, Outcome<KubeObject[]>]> => [
    resource.kind,
    await cluster.list(resource, namespace),
  ];
  const listIfServed = async (resource: Resource): Promise<[string, Outcome<KubeObject[]>]> => {
    const served = await cluster.serves(resource);
    return served.outcome === "found" ? list(resource) : [resource.kind, served];
  };
  const secret = async (name: string): Promise<[string, Outcome<KubeObject>]> => [
    name,
    await cluster.get(SECRETS, namespace, name),
  ];
  // Only whether they may be listed: the provider does so when it deletes one, and hangs where it may not.
  const noSecrets = async (): Promise<[string, Outcome<KubeObject[]>]> => [
    SECRETS.kind,
    await cluster.list(SECRETS, namespace, NO_OBJECT),
  ];
  const deletesSecrets = ownedSecrets.length > 0 && !dryRun;
  const [lists, secrets] = await Promise.all([
    Promise.all([
      ...OWNED_KINDS.map(list),
      listIfServed(SERVICE_MONITORS),
      ...(deletesSecrets ? [noSecrets()] : []),
    ]),
    Promise.all(ownedSecrets.map(secret)),
  ]);
  return { lists: new Map(lists), secrets: new Map(secrets) };
}

function recommendPin(zone: string, namespace: string, uid: string): Promise<void> {
  return pulumi.log.info(
    `zone ${zone} is namespace ${namespace} with UID ${uid}; pin it: ` +
      `pulumi config set --path zone.cluster.namespaceUid ${uid}`,
  );
}

/** Whether nothing in the namespace is ours yet; what can't be read may be ours. */
function isFirstRun({ lists }: Pick<Observed, "lists">): boolean {
  const isOurs = ({ metadata }: KubeObject): boolean =>
    metadata.managedFields?.some(({ manager }) => manager === FIELD_MANAGER) === true;
  return [...lists.values()].every(
    (list) => list.outcome === "missing" || (list.outcome === "found" && !list.value.some(isOurs)),
  );
}

/** What could not be found out of the namespace. Not to be allowed to read it is a problem where something follows from it. */
function problems(namespace: Outcome<KubeObject>, config: ZoneConfig): string[] {
  if (namespace.outcome === "unreachable") return [namespace.detail];
  if (namespace.outcome !== "forbidden") return [];
  if (config.cluster?.namespaceUid !== undefined)
    return [`zone.cluster.namespaceUid can't be compared: ${namespace.detail}`];
  return config.createNamespace === true
    ? [`zone.createNamespace can't tell whether it is there: ${namespace.detail}`]
    : [];
}

function unreadableKinds({ lists, secrets }: Pick<Observed, "lists" | "secrets">): string[] {
  return [...lists.values(), ...secrets.values()].flatMap((outcome) =>
    outcome.outcome === "forbidden" || outcome.outcome === "unreachable" ? [outcome.detail] : [],
  );
}

/** Refuses a namespace that is not there, is going away, or is another one than the zone was made in. */
function checkNamespace(namespace: Outcome<KubeObject>, config: ZoneConfig, zone: string): void {
  const pinned = config.cluster?.namespaceUid;
  const where = `namespace ${config.namespace} of zone ${zone}`;
  if (namespace.outcome === "missing") {
    if (pinned !== undefined) {
      throw new pulumi.RunError(
        `${where} does not exist, but zone.cluster.namespaceUid says it was made before: is this the right cluster? ` +
          `If the zone starts anew here: pulumi config rm --path zone.cluster.namespaceUid`,
      );
    }
    if (config.createNamespace !== true) {
      throw new pulumi.RunError(
        `${where} does not exist: create it, or: pulumi config set --path zone.createNamespace true`,
      );
    }
    return;
  }
  if (namespace.outcome !== "found") return;
  const { uid, deletionTimestamp } = namespace.value.metadata;
  if (deletionTimestamp !== undefined)
    throw new pulumi.RunError(`${where} is being deleted: run again when it is gone`);
  if (pinned !== undefined && pinned !== uid) {
    throw new pulumi.RunError(
      `${where} has UID ${uid}, but zone.cluster.namespaceUid is ${pinned}: this is another cluster, or the namespace ` +
        `was made anew. If it is right: pulumi config set --path zone.cluster.namespaceUid ${uid}`,
    );
  }
}

function makeProvider(config: ZoneConfig): Provider {
  // The SDK would copy the path in KUBECONFIG into the state, where it would change with each person who runs it.
  const ambient = process.env["KUBECONFIG"];
  delete process.env["KUBECONFIG"];
  try {
    return new Provider("zone", {
      namespace: config.namespace,
      // Only a change of this one replaces the provider and, with it, every object: so it never changes.
      clusterIdentifier: "zone",
      enableServerSideApply: true,
      enableConfigMapMutable: true,
      enableSecretMutable: true,
      // By itself it would wait for ever for an API server that takes a request and never answers.
      kubeClientSettings: { qps: 200, burst: 400, timeout: 60 },
      ...accessOf(config),
    });
  } finally {
    if (ambient !== undefined) process.env["KUBECONFIG"] = ambient;
  }
}
