// Asks one of a connector's pods for its health.
import type { Cluster } from "../cluster/cluster.ts";
import { labelSelector, readyPods } from "../cluster/pods.ts";
import type { Judgement, PreviousCondition } from "../workload/conditions.ts";
import { type Identity, selectorLabels } from "../workload/labels.ts";
import type { Zone } from "../zone/zone.ts";
import type { ConnectorSpec } from "./args.ts";
import { type Ask, askHealth, NOT_ASKED } from "./health.ts";
import { connectorPort } from "./manifests.ts";

/** Of a connector, what its health depends on. */
export interface Asked {
  zone: Zone;
  identity: Identity;
  spec: Pick<ConnectorSpec, "healthCheck" | "service">;
  /** Whether its phase is Running. */
  running: boolean;
  /** What the run before said of it. */
  previous: readonly PreviousCondition[];
}

/** The condition Healthy of a connector. A preview asks nobody: it repeats what the run before was told. */
export async function connectorHealth(asked: Asked): Promise<Judgement | undefined> {
  const { zone, identity, spec, running, previous } = asked;
  const { healthCheck = {} } = spec;
  if (zone.parts.dryRun && running && healthCheck.enabled !== false) return repeated(previous);
  return askHealth(healthCheck, running, askPod(zone.parts.cluster, identity, connectorPort(spec)));
}

function repeated(previous: readonly PreviousCondition[]): Judgement {
  const before = previous.find(({ type }) => type === "Healthy");
  if (before?.reason === undefined || before.reason === "NotRunning") return NOT_ASKED;
  const { status, reason, message = "" } = before;
  return { type: "Healthy", status: status as Judgement["status"], reason, message };
}

/** Asks the first of the ready pods: the same for every path. */
function askPod(cluster: Cluster, identity: Identity, port: number): Ask {
  const { namespace } = identity;
  let pods: ReturnType<typeof readyPods> | undefined;
  return async (request) => {
    pods ??= readyPods(cluster, namespace, labelSelector(selectorLabels(identity)));
    const ready = await pods;
    if (ready.outcome === "forbidden" || ready.outcome === "unreachable") return ready;
    const pod = ready.outcome === "found" ? ready.value[0] : undefined;
    if (pod === undefined) return { outcome: "missing", detail: "none of its pods is ready" };
    return cluster.ask(namespace, pod.metadata.name, port, request);
  };
}
