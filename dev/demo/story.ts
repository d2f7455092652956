// The life of a network zone, step by step.

import { CONTROL_PLANE_TOOLS } from "../control-plane.ts";
import type { ControlPlaneOptions } from "../control-plane.ts";
import { ensureTools } from "../tools.ts";
import { WORKSPACE_TOOLS } from "../workspace.ts";
import type { WorkspaceOptions } from "../workspace.ts";
import type { Kubectl, Rollout } from "./kubectl.ts";
import type { Place } from "./place.ts";
import { say, sayCommand, table } from "./screen.ts";
import { PROXIES } from "./zone.ts";
import type { DemoZone } from "./zone.ts";

/** The Secret whose token is replaced. */
const REPLACED = "edge-token";
const SECRETS = [...new Set(Object.values(PROXIES).map(({ secret }) => secret))];

/** The CLI would else print every condition of every proxy, which the tables sum up. */
const QUIET = "--suppress-outputs";
const UP = ["up", "--yes", "--skip-preview", QUIET];

export type DemoTools = WorkspaceOptions["tools"] & {
  readonly kubectl: string;
  readonly controlPlane?: ControlPlaneOptions["tools"];
};

/** Makes sure of the tools; those of a control plane only where one is wanted. */
export async function findTools(withControlPlane: boolean): Promise<DemoTools> {
  const names = [...WORKSPACE_TOOLS, "kubectl"] as const;
  if (!withControlPlane) return ensureTools(names, say);
  const tools = await ensureTools([...names, ...CONTROL_PLANE_TOOLS], say);
  return { ...tools, controlPlane: tools };
}

export class Story {
  readonly #zone: DemoZone;
  readonly #kubectl: Kubectl;
  readonly #place: Place;

  constructor(zone: DemoZone, kubectl: Kubectl) {
    this.#zone = zone;
    this.#kubectl = kubectl;
    this.#place = zone.place;
  }

  async tokens(): Promise<void> {
    for (const secret of SECRETS) {
      await this.#zone.putToken("create", secret, "30d");
      say(
        `Secret ${secret}: a token as the platform issues it, valid for 30 days (for ${users(secret).join(" and ")})`,
      );
    }
  }

  async firstRun(): Promise<void> {
    const file = await this.#zone.makeStack();
    say("The stack file, all that a person writes:\n");
    say(file);
    await this.#zone.show(UP, { thin: true });
    await this.#showProxies();
  }

  async replaceToken(): Promise<void> {
    await this.#zone.putToken("replace", REPLACED, "90d");
    say(
      `Secret ${REPLACED} holds a new token now, valid for 90 days. Nothing has rolled: nobody has run Pulumi.`,
    );
    await this.#zone.show(["preview", "--diff", "--refresh=false", QUIET], { thin: false });
    say(`
Of the pods only a checksum changes; the expiry and a digest of the Secret stand beside it. The Secret was
read from the cluster: --refresh=false only leaves out the status of the Deployments, some 700 lines.`);
  }

  async apply(): Promise<void> {
    const { namespace } = this.#place;
    const before = await this.#kubectl.rollouts(namespace);
    await this.#zone.show(UP, { thin: true });
    const rolled = this.#compare(before, await this.#kubectl.rollouts(namespace));
    await this.#showProxies();
    const expected = users(REPLACED);
    if (rolled.join() !== expected.join())
      throw new Error(
        `expected ${expected.join(" and ")} to roll, but it was ${rolled.join(" and ") || "none"}`,
      );
    say(`Exactly the proxies that use ${REPLACED} were rolled: ${rolled.join(" and ")}.`);
  }

  async runAgain(): Promise<void> {
    const { namespace } = this.#place;
    const before = await this.#kubectl.rollouts(namespace);
    await this.#zone.show([...UP, "--expect-no-changes"], { thin: true });
    const rolled = this.#compare(before, await this.#kubectl.rollouts(namespace));
    if (rolled.length > 0) throw new Error(`nothing should have rolled, but ${rolled.join(" and ")} did`);
    say("No changes.");
  }

  async destroy(): Promise<void> {
    const { namespace } = this.#place;
    const uids = async (): Promise<string> =>
      this.#kubectl.run([
        "--namespace",
        namespace,
        "get",
        "secrets",
        ...SECRETS,
        "-o",
        "jsonpath={.items[*].metadata.uid}",
      ]);
    const before = await uids();
    await this.#zone.show(["destroy", "--yes", "--skip-preview", QUIET], { thin: true });
    // Fails when one of them is gone.
    if ((await uids()) !== before) throw new Error("the Secrets are not the ones that were there before");
    const args = ["--namespace", namespace, "get", "secrets"];
    sayCommand(`kubectl --context ${this.#place.context} ${args.join(" ")}`);
    say((await this.#kubectl.run(args)).trimEnd());
    say("\nThe Secrets are still there: they were never the stack's.");
  }

  async #showProxies(): Promise<void> {
    const rows = Object.entries(await this.#zone.outputs()).map(([name, proxy]) => [
      name,
      proxy.phase,
      proxy.version,
      `${proxy.ready}/${PROXIES[name]?.replicas ?? "?"}`,
      proxy.tokenExpiresAt ?? "unknown",
    ]);
    say(`\n${table([["NAME", "PHASE", "VERSION", "READY", "TOKEN-EXPIRES"], ...rows])}\n`);
  }

  /** Says of each proxy whether it rolled, and returns those that did. */
  #compare(before: ReadonlyMap<string, Rollout>, after: ReadonlyMap<string, Rollout>): string[] {
    const rolled: string[] = [];
    const rows = Object.keys(PROXIES).map((name) => {
      const [was, is] = [before.get(name), after.get(name)];
      if (was?.replicaSet !== is?.replicaSet) {
        rolled.push(name);
        return [name, "rolled", `ReplicaSet ${was?.replicaSet ?? "none"} -> ${is?.replicaSet ?? "none"}`];
      }
      const same = was?.generation === is?.generation;
      return [name, same ? "untouched" : "not rolled", `ReplicaSet ${is?.replicaSet ?? "none"}`];
    });
    say(`\n${table(rows)}`);
    return rolled;
  }
}

/** The proxies that use a Secret. */
function users(secret: string): string[] {
  return Object.entries(PROXIES).flatMap(([name, proxy]) => (proxy.secret === secret ? [name] : []));
}
