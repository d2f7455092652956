// Where the demo runs: a control plane of its own on this machine, or a person's cluster when they name a context.

import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { startControlPlane } from "../control-plane.ts";
import type { ControlPlaneOptions } from "../control-plane.ts";
import { KubectlError } from "./kubectl.ts";
import type { Kubectl } from "./kubectl.ts";
import { say } from "./screen.ts";
import type { Session } from "./session.ts";

export interface Place {
  readonly kubeconfig: string;
  readonly context: string;
  /** The demo's own namespace: it makes it, and everything that it makes lies there. */
  readonly namespace: string;
  /** Whether the cluster is a person's own. */
  readonly theirs: boolean;
  readonly logsDir?: string;
}

/** A control plane, which ends with the session; the session ends when it breaks down. */
export async function localPlace(tools: ControlPlaneOptions["tools"], session: Session): Promise<Place> {
  const controlPlane = await startControlPlane({ tools, report: say, signal: session.signal });
  session.atEnd((end) => controlPlane.stop({ keepFiles: end === "failed" }));
  void controlPlane.broken.then((reason) => {
    session.stop(reason);
  });
  const { version, kubeconfig, context, logsDir } = controlPlane;
  session.logs.push(logsDir);
  say(`Kubernetes ${version} with one node; no container runs: pods only look as if they did`);
  return { kubeconfig, context, namespace: "demo", theirs: false, logsDir };
}

/** A person's own cluster: where kubectl would look, but with the context that they have named. */
export function theirPlace(context: string, env: NodeJS.ProcessEnv): Place {
  const paths = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (paths.length === 0) paths.push(join(homedir(), ".kube", "config"));
  return {
    // Pulumi runs in another folder, where relative paths would lead elsewhere.
    kubeconfig: paths.map((path) => resolve(path)).join(delimiter),
    context,
    namespace: `pulumi-proxies-demo-${randomBytes(4).toString("hex")}`,
    theirs: true,
  };
}

/** Says which cluster a context leads to, once it answers. */
export async function greet({ context, kubeconfig, namespace }: Place, kubectl: Kubectl): Promise<void> {
  const server = await kubectl
    .run(["config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"])
    .catch((error: unknown) => {
      if (!(error instanceof KubectlError)) throw error;
      throw new Error(`there is no context ${context} in ${kubeconfig}`);
    });
  const version = await kubectl.run(["get", "--raw", "/version", "--request-timeout=15s"]);
  const { gitVersion } = JSON.parse(version) as { gitVersion: string };
  say(`context ${context} leads to ${server}, Kubernetes ${gitVersion}
everything goes into a namespace of its own, ${namespace}, which is removed at the end
no platform answers the proxies there, and their image may be out of reach, so they need not become
ready: the stack file says rollout.wait: false, and the demo looks at what is rolled, not at what is ready`);
}

/** Makes the demo's namespace; in a person's cluster it goes with the session. */
export async function makeNamespace(
  { namespace, context, theirs }: Place,
  kubectl: Kubectl,
  session: Session,
): Promise<void> {
  let refused = false;
  if (theirs) {
    const remains = `if it is left: kubectl --context ${context} delete namespace ${namespace}`;
    session.remains.add(remains);
    session.atEnd(async (end) => {
      // A command that was interrupted may have made it all the same.
      if (!refused)
        await removeNamespace(namespace, kubectl, end === "done").catch((error: unknown) => {
          throw new Error(`${error instanceof Error ? error.message : String(error)}; ${remains}`);
        });
      session.remains.delete(remains);
    });
  }
  try {
    await kubectl.run(["create", "namespace", namespace]);
  } catch (error) {
    // After any other answer, such as a time-out, it may have been made.
    refused = error instanceof KubectlError && /\((AlreadyExists|Forbidden|Invalid)\)/.test(error.message);
    throw error;
  }
}

async function removeNamespace(namespace: string, kubectl: Kubectl, wait: boolean): Promise<void> {
  await kubectl.run(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"], {
    whatever: true,
  });
  say(`the cluster is removing namespace ${namespace}`);
  if (!wait) return;
  await kubectl.run(["wait", "--for=delete", `namespace/${namespace}`, "--timeout=120s"], {
    timeoutMs: 130_000,
  });
  say("it is gone");
}
