import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, DEPLOYMENTS, type KubeObject, type Outcome, PODS } from "./cluster.ts";
import { labelSelector } from "./pods.ts";

/** Milliseconds between two looks at a Deployment: quick at first, since most rollouts are. */
const FIRST_POLL = 200;
const SLOWEST_POLL = 2_000;
/** Milliseconds for which an API server may be away in the middle: it is upgraded, or has lost its etcd for a while. */
const AWAY = 60_000;
/** One that has just started refuses everybody, until it has read who may do what. */
const FORGETFUL = 10_000;
/** So many Deployments are asked for one by one; where more are waited for, one list tells of all. */
const ONE_BY_ONE = 8;
/** Milliseconds between the end of a list and the next one. */
const LIST_PAUSE = 1_000;

/** Waits for the Deployments of a namespace, each for its own caller. */
export class Rollouts {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  #waiting = 0;
  /** The list that has not begun: it tells how things stand to everybody who asks until then. */
  #next: Promise<Outcome<KubeObject[]>> | undefined;
  /** When the last list ended or will have ended; milliseconds of `performance.now`. */
  #ended = Promise.resolve(-Infinity);

  constructor(cluster: Cluster, namespace: string) {
    this.#cluster = cluster;
    this.#namespace = namespace;
  }

  /**
   * Polls a Deployment until `settled` says that the rollout has come to an end, it is gone, it may not be read, the
   * API server stays away, or the time is up; returns what was read last.
   */
  async poll(
    name: string,
    timeoutSeconds: number,
    settled: (deployment: KubeObject) => boolean,
  ): Promise<Outcome<KubeObject>> {
    this.#waiting += 1;
    try {
      return await pollUntil(() => this.#read(name), timeoutSeconds, settled);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #read(name: string): Promise<Outcome<KubeObject>> {
    if (this.#waiting <= ONE_BY_ONE) return this.#cluster.get(DEPLOYMENTS, this.#namespace, name);
    const listed = await (this.#next ??= this.#list());
    if (listed.outcome !== "found") return listed;
    const value = listed.value.find(({ metadata }) => metadata.name === name);
    return value === undefined ? { outcome: "missing" } : { outcome: "found", value };
  }

  async #list(): Promise<Outcome<KubeObject[]>> {
    const earliest = (await this.#ended) + LIST_PAUSE;
    await sleep(Math.max(0, earliest - performance.now()));
    this.#next = undefined;
    const list = this.#cluster.list(DEPLOYMENTS, this.#namespace);
    this.#ended = list.then(() => performance.now());
    return list;
  }
}

async function pollUntil(
  read: () => Promise<Outcome<KubeObject>>,
  timeoutSeconds: number,
  settled: (deployment: KubeObject) => boolean,
): Promise<Outcome<KubeObject>> {
  const end = Date.now() + timeoutSeconds * 1000;
  let answered = Date.now();
  let refusing = Infinity;
  for (let pause = FIRST_POLL; ; pause = Math.min(pause * 1.3, SLOWEST_POLL)) {
    const live = await read();
    if (live.outcome === "found") answered = Date.now();
    refusing = live.outcome === "forbidden" ? Math.min(refusing, Date.now()) : Infinity;
    const isAway = live.outcome === "unreachable" && Date.now() < answered + AWAY;
    const isForgetful = live.outcome === "forbidden" && Date.now() < refusing + FORGETFUL;
    const over = live.outcome === "found" ? settled(live.value) : !isAway && !isForgetful;
    if (over || Date.now() + pause > end) return live;
    await sleep(pause);
  }
}

interface PodStatus {
  conditions?: { type: string; status: string; reason?: string; message?: string }[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

interface ContainerStatus {
  name: string;
  ready?: boolean;
  state?: { waiting?: { reason?: string; message?: string } };
}

/**
 * Why the pods of a workload do not come up, in the words of the kubelet and the scheduler: image pull, crash loop,
 * missing key, unschedulable. One line per cause; none when the pods say nothing.
 */
export async function podProblems(
  cluster: Cluster,
  namespace: string,
  selector: Readonly<Record<string, string>>,
): Promise<Outcome<string[]>> {
  const pods = await cluster.list(PODS, namespace, labelSelector(selector));
  if (pods.outcome !== "found") return pods;
  const said = pods.value.flatMap((pod) => problemsOf((pod["status"] ?? {}) as PodStatus));
  return { outcome: "found", value: [...new Set(said.map((problem) => problem.replace(/\.$/, "")))] };
}

function problemsOf(status: PodStatus): string[] {
  const unschedulable = status.conditions?.find(
    ({ type, status: value }) => type === "PodScheduled" && value === "False",
  );
  if (unschedulable) return [`${unschedulable.reason ?? "Unschedulable"}: ${unschedulable.message ?? ""}`];
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].flatMap(
    (container) => {
      const { reason, message } = container.state?.waiting ?? {};
      if (reason !== undefined && reason !== "ContainerCreating" && reason !== "PodInitializing") {
        return [`container ${container.name}: ${reason}${message ? ` (${message})` : ""}`];
      }
      return container.ready === false && reason === undefined
        ? [`container ${container.name}: not ready`]
        : [];
    },
  );
}
