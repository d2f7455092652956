import * as pulumi from "@pulumi/pulumi";
import { DEPLOYMENTS, type KubeObject, type Outcome } from "../cluster/cluster.ts";
import { lastOtherManager } from "../cluster/ownership.ts";
import { podProblems } from "../cluster/rollout.ts";
import { isStale, type LiveDeployment, readDeployment, rolloutState } from "../workload/conditions.ts";
import type { RolloutSpec } from "../workload/specs.ts";
import type { Zone } from "../zone/zone.ts";
import { failRun } from "./failing.ts";

/**
 * Seconds that a run waits for a rollout; longer than Kubernetes' own deadline for progress, so that its reason is
 * what people see.
 */
const DEFAULT_ROLLOUT_TIMEOUT_SECONDS = 420;

/** Seconds to wait for a rollout; 0 where it can't complete, or where nobody wants to wait. */
export function patience(rollout: RolloutSpec | undefined, hopeless: boolean): number {
  if (hopeless || rollout?.wait === false) return 0;
  return rollout?.timeoutSeconds ?? DEFAULT_ROLLOUT_TIMEOUT_SECONDS;
}

export interface RolloutWait {
  component: pulumi.ComponentResource;
  zone: Zone;
  /** Name of the Deployment. */
  name: string;
  selector: Readonly<Record<string, string>>;
  /** Whether this run makes something that pods need and that was gone. */
  mended: boolean;
}

/** The Deployment as it stands when there is nothing left to wait for. */
export type DeploymentState =
  { state: "found"; deployment: LiveDeployment } | { state: "absent" } | { state: "unknown"; detail: string };

/**
 * The Deployment after its registration. A preview knows it as it was when the zone was opened. An update waits until
 * the rollout of the current template has ended, and fails when that has not completed, whoever started it. Pods that
 * turn unready later are a phase, not a failure; pods that this run has added are waited for all the same.
 * `timeoutSeconds` 0 looks once and never fails.
 */
export function deploymentState(
  wait: RolloutWait,
  registered: pulumi.CustomResource,
  timeoutSeconds: pulumi.Output<number>,
): pulumi.Output<DeploymentState> {
  if (wait.zone.parts.dryRun) {
    const live = wait.zone.live(DEPLOYMENTS, wait.name);
    return pulumi.output(
      live.state === "found" ? { state: "found", deployment: readDeployment(live.object) } : live,
    );
  }
  // What the API server answered, or the engine knew when there was nothing to write.
  const { metadata } = registered as unknown as { metadata: pulumi.Output<Version | undefined> };
  return pulumi
    .all([timeoutSeconds, metadata, registered.id])
    .apply(([seconds, written]) => settle(wait, seconds, written ?? {}));
}

/** Tells whether two states of an object have the same spec. */
interface Version {
  uid?: string;
  generation?: number;
}

async function settle(wait: RolloutWait, timeoutSeconds: number, written: Version): Promise<DeploymentState> {
  const { zone, name, component, mended } = wait;
  const { namespace } = zone.parts;
  const opened = zone.live(DEPLOYMENTS, name);
  const before = opened.state === "found" ? readDeployment(opened.object) : undefined;
  // Nothing has happened since the zone was opened: a request for each Deployment would tell nothing more.
  const isSame = before?.uid === written.uid && before?.generation === written.generation;
  if (before !== undefined && isSame && rolloutState(before).state === "complete")
    return { state: "found", deployment: before };
  let shown = "";
  const settled = (object: KubeObject): boolean => {
    const deployment = readDeployment(object);
    const rollout = rolloutState(deployment);
    if (rollout.state === "failed" && !isStale(deployment, before, mended)) return true;
    const untouched = deployment.uid === before?.uid && deployment.generation === before.generation;
    const enough = untouched || deployment.available >= deployment.desired;
    if (rollout.state === "complete" && enough) return true;
    const detail = `${deployment.updated}/${deployment.desired} updated, ${deployment.available} available`;
    if (timeoutSeconds > 0 && detail !== shown)
      void pulumi.log.info(`waiting for pods: ${detail}`, component, undefined, true);
    shown = detail;
    return false;
  };
  const live = await zone.rollouts.poll(name, timeoutSeconds, settled);
  if (live.outcome === "missing") return { state: "absent" };
  if (live.outcome !== "found") {
    await failRun(
      `Deployment ${namespace}/${name} can't be read, so its rollout is not known: ${live.detail}`,
      component,
    );
    return { state: "unknown", detail: live.detail };
  }
  const deployment = readDeployment(live.value);
  if (timeoutSeconds > 0)
    await failUnlessComplete(wait, deployment, timeoutSeconds, changesSince(written, live.value));
  return { state: "found", deployment };
}

async function failUnlessComplete(
  wait: RolloutWait,
  deployment: LiveDeployment,
  timeoutSeconds: number,
  changes: string,
): Promise<void> {
  const rollout = rolloutState(deployment);
  if (rollout.state === "complete") return;
  const { zone, name, selector, component } = wait;
  const { cluster, namespace } = zone.parts;
  const why =
    rollout.state === "failed"
      ? `failed: ${rollout.reason} (${rollout.detail})`
      : `did not complete within ${timeoutSeconds} s (${rollout.detail})${changes}`;
  const causes = causesOf(await podProblems(cluster, namespace, selector));
  await failRun(
    `rollout of Deployment ${namespace}/${name} ${why}${causes}. ` +
      "Everything else of this run was applied, but nothing was deleted; the next run looks again.",
    component,
  );
}

/** That others have changed the spec during the wait, each of which may begin the rollout anew. */
function changesSince(written: Version, live: KubeObject): string {
  const { uid, generation = 0 } = live.metadata;
  const changes = uid === written.uid ? generation - (written.generation ?? generation) : 0;
  if (changes <= 0) return "";
  const manager = lastOtherManager(live);
  const times = changes === 1 ? "once" : `${changes} times`;
  return `; its spec was changed ${times} meanwhile${manager === undefined ? "" : `, last by ${manager}`}`;
}

/** What the pods say, or why they can't be asked. */
function causesOf(pods: Outcome<string[]>): string {
  if (pods.outcome === "missing") return "";
  if (pods.outcome !== "found") return `; its pods can't be read: ${pods.detail}`;
  return pods.value.length > 0 ? `; pods say: ${pods.value.join("; ")}` : "";
}
