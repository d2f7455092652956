// What the engine's provider process runs for a Registration; the program never imports this file.
import { setTimeout as sleep } from "node:timers/promises";
import type { OperationsModule } from "../../children/operations.ts";
import { connect, KubeconfigError } from "../../cluster/client.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import { decide } from "./decide.ts";
import { sendOver } from "./http.ts";
import { connectInCluster } from "./in-cluster.ts";
import {
  type DeletionSpec,
  deregister,
  type Outside,
  owesRecord,
  register,
  type Registered,
  type RegistrationSpec,
  wantedOf,
} from "./register.ts";
import { canonical } from "./request.ts";

/** The inputs of a Registration, as the engine hands them over. */
export interface Inputs extends RegistrationSpec, DeletionSpec {
  /** Where this module is. */
  operations: OperationsModule;
  cluster: { context?: string; kubeconfig?: string };
  /** By which an address of the cluster is known. */
  clusterDomain: string;
}

/** What the state holds of a Registration: what became of it, and what deleting it takes. */
export interface State extends DeletionSpec {
  operations: OperationsModule;
  cluster: Inputs["cluster"];
  clusterDomain: string;
  registration: Registered;
}

/** Whether there is anything to do, in a preview as in an update. */
export function diff(_id: string, state: State, inputs: Inputs): { changes: boolean } {
  const decision = decide(state.registration, wantedOf(inputs));
  if (decision === "give" || decision === "post" || owesRecord(state.registration)) return { changes: true };
  // What a deletion takes is read from the state alone: there may be no program then.
  return { changes: canonical(deletionOf(inputs)) !== canonical(deletionOf(state)) };
}

export async function create(inputs: Inputs): Promise<{ id: string; outs: State }> {
  return { id: `${inputs.place.namespace}/${inputs.connector}`, outs: await run(inputs, undefined) };
}

export async function update(_id: string, state: State, inputs: Inputs): Promise<{ outs: State }> {
  return { outs: await run(inputs, state.registration) };
}

async function remove(_id: string, state: State): Promise<void> {
  try {
    await deregister(await outside(state), state, state.registration);
  } catch (error) {
    // The engine shows the message; the provider process would print the stack beside it.
    if (error instanceof Error) error.stack = "";
    throw error;
  }
}
export { remove as delete };

async function run(inputs: Inputs, before: Registered | undefined): Promise<State> {
  const registration = await register(await outside(inputs), inputs, before);
  // The engine takes JSON alone: undefined is none.
  return JSON.parse(JSON.stringify({ ...deletionOf(inputs), registration })) as State;
}

async function connectTo({ connector, cluster }: Pick<Inputs, "connector" | "cluster">): Promise<Cluster> {
  try {
    return await connect(cluster);
  } catch (error) {
    if (error instanceof KubeconfigError) throw new Error(`connector ${connector}: ${error.message}`);
    throw error;
  }
}

async function outside(from: Inputs | State): Promise<Outside> {
  const cluster = await connectTo(from);
  return {
    cluster,
    sendTo: (url, route) =>
      sendOver({ ...route, connect: connectInCluster(cluster, url, from.clusterDomain) }),
    now: () => new Date(),
    sleep: (seconds) => sleep(seconds * 1000),
  };
}

/** What deleting takes; how the platform is called only where it will be. */
function deletionOf(from: Inputs | State): Omit<State, "registration"> {
  const { operations, connector, cluster, clusterDomain, deregisterOnDelete } = from;
  const { namespace, name, owner } = from.place;
  const place = { namespace, name, owner };
  const { credentials, caBundle, egress, limits } = from;
  const call = { credentials, caBundle, egress, limits };
  const always = { operations, connector, cluster, clusterDomain, place, deregisterOnDelete };
  return { ...always, ...(deregisterOnDelete && call) };
}
