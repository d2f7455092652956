import type { Provider } from "@pulumi/kubernetes/provider.js";
import type * as pulumi from "@pulumi/pulumi";
import {
  type Cluster,
  CONFIG_MAPS,
  type KubeObject,
  type Outcome,
  type Resource,
  SECRETS,
} from "../cluster/cluster.ts";
import type { Allow } from "../cluster/ownership.ts";
import { Rollouts } from "../cluster/rollout.ts";
import type { BomImage } from "../workload/specs.ts";
import bundledImages from "./bill-of-materials.json" with { type: "json" };
import type { ZoneDefaults } from "./config.ts";
import type { Previous } from "./previous.ts";

/** What is known of one object. Unknown is not absent: nothing follows from it. */
export type Live =
  { state: "found"; object: KubeObject } | { state: "absent" } | { state: "unknown"; detail: string };

/** What the cluster said when the zone was opened. Kinds are the keys of `lists`. */
export interface Observed {
  /** Whether the namespace was there. */
  namespaceExists: boolean;
  /** One list per owned kind; `missing` when the cluster does not serve the kind. */
  lists: ReadonlyMap<string, Outcome<KubeObject[]>>;
  /** The Secrets that components of this program own, by name. */
  secrets: ReadonlyMap<string, Outcome<KubeObject>>;
}

/** What a zone is made of; `openZone` does that. */
export interface ZoneParts {
  /** Name of the stack. */
  name: string;
  /** Name of the Pulumi project. */
  project: string;
  /** Names of this stack before: `<project>/<stack>`. */
  formerStacks: readonly string[];
  namespace: string;
  clusterDomain: string;
  provider: Provider;
  /** What must be there before any object of the zone. */
  dependsOn: pulumi.Resource[];
  defaults: ZoneDefaults;
  drift: "repair" | "warn";
  allow: Allow;
  cluster: Cluster;
  /** How an operation that runs outside the program gets at the cluster: never with a credential. */
  access: { context?: string; kubeconfig?: string };
  observed: Observed;
  /** Whether this run only previews. */
  dryRun: boolean;
  /** URN of each component of this stack -> what the run before left of it. */
  previous: ReadonlyMap<string, Previous>;
  /** The moment of this run; the only clock that status knows. */
  now: Date;
  /** Key of the configuration checksums; plain SHA-256 without one. */
  checksumKey: pulumi.Output<string> | undefined;
}

/** A network zone, opened: where its objects go, what its cluster serves and holds. */
export class Zone {
  readonly parts: Readonly<ZoneParts>;
  /** How a run waits for its Deployments. */
  readonly rollouts: Rollouts;
  readonly #reads = new Map<string, Promise<Outcome<KubeObject>>>();
  readonly #rendered = new Map<string, string>();

  constructor(parts: ZoneParts) {
    this.parts = parts;
    this.rollouts = new Rollouts(parts.cluster, parts.namespace);
  }

  /** The live object of an owned kind, as it was when the zone was opened. */
  live(resource: Resource, name: string): Live {
    const { lists, secrets } = this.parts.observed;
    if (resource.kind === SECRETS.kind) {
      const secret = secrets.get(name) ?? {
        outcome: "unreachable",
        detail: `openZone was not told to look at it: openZone(config, { ownedSecrets: ["${name}"] })`,
      };
      if (secret.outcome === "found") return { state: "found", object: secret.value };
      return secret.outcome === "missing" ? { state: "absent" } : { state: "unknown", detail: secret.detail };
    }
    const list = lists.get(resource.kind) ?? { outcome: "missing" };
    if (list.outcome === "missing") return { state: "absent" };
    if (list.outcome !== "found") return { state: "unknown", detail: list.detail };
    const object = list.value.find(({ metadata }) => metadata.name === name);
    return object === undefined ? { state: "absent" } : { state: "found", object };
  }

  /** Whether the cluster serves an owned kind. */
  serves(resource: Resource): "yes" | "no" | "unknown" {
    const list = this.parts.observed.lists.get(resource.kind);
    if (list === undefined || list.outcome === "missing") return "no";
    return list.outcome === "found" ? "yes" : "unknown";
  }

  /** The image that the bill of materials names for a component; the zone's own list goes field by field before it. */
  image(component: "proxy"): BomImage {
    return { ...bundledImages[component], ...this.parts.defaults.billOfMaterials?.[component] };
  }

  /** The owner annotation of what a component owns: no two components of any stack share one. */
  owner(kind: string, name: string): string {
    return `${this.parts.project}/${this.parts.name}/${kind}/${name}`;
  }

  /** The owner annotations that what a component owned may carry from a former name of the stack. */
  formerOwners(kind: string, name: string): string[] {
    return this.parts.formerStacks.map((stack) => `${stack}/${kind}/${name}`);
  }

  /** Whether an owner annotation names a component of this stack, under whichever name. */
  owns(owner: string): boolean {
    const { project, name, formerStacks } = this.parts;
    return [`${project}/${name}`, ...formerStacks].some((stack) => owner.startsWith(`${stack}/`));
  }

  /** Notes that a component renders an object. Returns the other component when one does already. */
  reserve(resource: Resource, name: string, component: string): string | undefined {
    const key = `${resource.kind}/${name}`;
    const taken = this.#rendered.get(key);
    if (taken === undefined) this.#rendered.set(key, component);
    return taken;
  }

  /**
   * Reads a Secret or ConfigMap of somebody else, once per run and without the engine: its data must not enter the
   * state. While `isReady` says no, an update looks again for as long as `timeoutSeconds` says.
   */
  async readReference(
    kind: "Secret" | "ConfigMap",
    name: string,
    timeoutSeconds: number,
    isReady: (object: KubeObject) => boolean,
  ): Promise<Outcome<KubeObject>> {
    const { cluster, namespace, dryRun, observed } = this.parts;
    const patience = dryRun || !observed.namespaceExists ? 0 : timeoutSeconds;
    const end = Date.now() + patience * 1000;
    const resource = kind === "Secret" ? SECRETS : CONFIG_MAPS;
    const key = `${kind}/${name}`;
    for (;;) {
      const read = this.#reads.get(key) ?? cluster.get(resource, namespace, name);
      this.#reads.set(key, read);
      const outcome = await read;
      const waitFor =
        outcome.outcome === "missing" || (outcome.outcome === "found" && !isReady(outcome.value));
      if (!waitFor || Date.now() + 1000 > end) return outcome;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    }
  }
}
