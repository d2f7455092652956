// The way to a platform that is a Service of the zone's own cluster: through the API server, to one of its pods.
import { type Cluster, type KubeObject, type Outcome, SERVICES } from "../../cluster/cluster.ts";
import { labelSelector, readyPods } from "../../cluster/pods.ts";
import { StreamFailure } from "../../cluster/port-forward.ts";
import { NoWay, type Route } from "./http.ts";
import { inClusterService } from "./request.ts";

/** What a Service says of where its traffic goes. */
interface ServiceSpec {
  clusterIP?: string;
  selector?: Record<string, string>;
  ports?: { port: number; protocol?: string; targetPort?: number | string }[];
}

interface ContainerSpec {
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  restartPolicy?: string;
}

interface PodSpec {
  containers?: ContainerSpec[];
  initContainers?: ContainerSpec[];
}

/** Opens streams to the Service that an address names; undefined where it names none of this cluster. */
export function connectInCluster(cluster: Cluster, address: string, clusterDomain: string): Route["connect"] {
  const service = inClusterService(address, clusterDomain);
  if (service === undefined) return undefined;
  const { namespace } = service;
  const { protocol, port } = new URL(address);
  const wanted = Number(port || (protocol === "https:" ? "443" : "80"));
  return async (end) => {
    const target = await podPort(cluster, service, wanted);
    try {
      return await cluster.openStream(namespace, target.pod, target.port, end);
    } catch (error) {
      if (!(error instanceof StreamFailure) || error.outcome !== "forbidden") throw error;
      throw new NoWay(
        `the identity may not get and create pods/portforward in namespace ${namespace}`,
        false,
      );
    }
  };
}

/**
 * The pod, and the port of it, that a port of a Service leads to: of the ready ones the first by name.
 * @throws NoWay
 */
async function podPort(
  cluster: Cluster,
  { name, namespace }: { name: string; namespace: string },
  port: number,
): Promise<{ pod: string; port: number }> {
  const what = `Service ${namespace}/${name} of platformUrl`;
  const service = valueOf(await cluster.get(SERVICES, namespace, name), {
    missing: `${what} does not exist`,
    forbidden: `${what} may not be read: the identity may not get services in namespace ${namespace}`,
    unreachable: `${what} can't be read`,
  });
  const { clusterIP, selector = {}, ports = [] } = (service["spec"] ?? {}) as ServiceSpec;
  if (Object.keys(selector).length === 0) throw new NoWay(`${what} has no selector`, false);
  const found = ports.find((each) => each.port === port && isTcp(each));
  // The name of a headless Service stands for its pods themselves, and no port is translated.
  const target = clusterIP === "None" ? port : found && (found.targetPort ?? port);
  if (target === undefined) throw new NoWay(`${what} has no port ${port}`, false);
  const pods = valueOf(await readyPods(cluster, namespace, labelSelector(selector)), {
    missing: `${what} has no ready pod`,
    forbidden: `the pods of ${what} may not be read: the identity may not list pods in namespace ${namespace}`,
    unreachable: `the pods of ${what} can't be read`,
  });
  if (pods.length === 0) throw new NoWay(`${what} has no ready pod`, true);
  for (const pod of pods) {
    const number = typeof target === "number" ? target : portNamed(target, pod);
    if (number !== undefined) return { pod: pod.metadata.name, port: number };
  }
  throw new NoWay(`${what} has no ready pod with the target of its port ${port}`, false);
}

/** What was found, or a phrase for why not; trying again at once helps only an API server that did not answer. */
function valueOf<T>(
  outcome: Outcome<T>,
  phrases: Record<Exclude<Outcome<T>["outcome"], "found">, string>,
): T {
  if (outcome.outcome === "found") return outcome.value;
  throw new NoWay(phrases[outcome.outcome], outcome.outcome === "unreachable");
}

function portNamed(name: string, pod: KubeObject): number | undefined {
  const { containers = [], initContainers = [] } = (pod["spec"] ?? {}) as PodSpec;
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === "Always");
  const ports = [...containers, ...sidecars].flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === name && isTcp(port))?.containerPort;
}

function isTcp({ protocol = "TCP" }: { protocol?: string }): boolean {
  return protocol === "TCP";
}
