// Others who work in a zone while runs go on, each at a pace and in an order by chance.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import type { TestZone } from "../../cluster/support/zone.ts";
import { draw } from "./form.ts";

/** A thing that somebody does: the arguments of kubectl in the zone's namespace; `n` differs each time. */
export interface Deed {
  name: string;
  args: (n: number) => string[];
}

/** What somebody has done: name of the deed -> how often, and how often the object was not there or changed under it. */
export type Done = Map<string, { did: number; missed: number }>;

/** Milliseconds between two deeds of one actor. */
const pauses = fc.integer({ min: 20, max: 500 });

const deedsByChance = fc.record({ choice: fc.nat(), pause: pauses });

/** An actor goes on until it is told to stop: with this many deeds it never comes to its end. */
const ENOUGH = 2000;

/** What is no failure of a deed: the object is just not there, somebody else was faster, or it is the same once more. */
const MISSED =
  /NotFound|not found|Conflict|the object has been modified|testing path|jsonpatch|within the past second/i;

/** Begins; the returned function stops it and tells what was done. */
export function startActor(zone: TestZone, actor: string, deeds: readonly Deed[]): () => Promise<Done> {
  const done: Done = new Map();
  const stopped = new AbortController();
  const act = async (): Promise<void> => {
    for (const [n, { choice, pause }] of draw(actor, deedsByChance, ENOUGH).entries()) {
      const deed = deeds[choice % deeds.length];
      if (stopped.signal.aborted || deed === undefined) return;
      const count = done.get(deed.name) ?? { did: 0, missed: 0 };
      done.set(deed.name, count);
      try {
        await zone.kube(...deed.args(n));
        count.did += 1;
      } catch (error) {
        if (!MISSED.test(String(error))) throw error;
        count.missed += 1;
      }
      await sleep(pause);
    }
  };
  const acting = act();
  // Looked at when it is stopped.
  acting.catch(() => undefined);
  return async () => {
    stopped.abort();
    await acting;
    return done;
  };
}

const patched = (
  kind: string,
  name: string,
  type: "json" | "merge" | "strategic",
  patch: unknown,
): string[] => ["patch", kind, name, `--type=${type}`, "-p", JSON.stringify(patch)];

const onTemplate = (annotation: string, value: string): object => ({
  spec: { template: { metadata: { annotations: { [annotation]: value } } } },
});

/** What people do with kubectl to the proxy `west`; of `north` they delete things. */
export const KUBECTL: readonly Deed[] = [
  { name: "set env", args: (n) => ["set", "env", "deployment/west", `BY_HAND_${n % 5}=${n}`] },
  {
    name: "set image",
    args: (n) => ["set", "image", "deployment/west", `proxy=registry.example/other:${n}`],
  },
  { name: "scale", args: (n) => ["scale", "deployment/west", `--replicas=${1 + (n % 4)}`] },
  { name: "label", args: (n) => ["label", "service/west", "team=other", `n=${n}`, "--overwrite"] },
  { name: "annotate", args: (n) => ["annotate", "networkpolicy/west", `note=${n}`, "--overwrite"] },
  {
    name: "change a port of the Service",
    args: (n) =>
      patched("service", "west", "json", [{ op: "replace", path: "/spec/ports/0/port", value: 9000 + n }]),
  },
  {
    name: "open the NetworkPolicy",
    args: () => patched("networkpolicy", "west", "json", [{ op: "add", path: "/spec/ingress/-", value: {} }]),
  },
  {
    name: "add a sidecar",
    args: (n) =>
      patched("deployment", "west", "strategic", {
        spec: {
          template: { spec: { containers: [{ name: "debug", image: `registry.example/debug:${n}` }] } },
        },
      }),
  },
  {
    name: "lower the PodDisruptionBudget",
    args: () => patched("poddisruptionbudget", "west", "merge", { spec: { minAvailable: 0 } }),
  },
  { name: "delete the Service", args: () => ["delete", "service", "west"] },
  { name: "delete the NetworkPolicy", args: () => ["delete", "networkpolicy", "north"] },
  { name: "delete the ServiceAccount", args: () => ["delete", "serviceaccount", "north"] },
  { name: "delete the Deployment", args: () => ["delete", "deployment", "west"] },
];

/** What an autoscaler's controller does to `north`, under its name. */
export const AUTOSCALER: readonly Deed[] = [
  {
    name: "scale",
    args: (n) => [
      ...patched("deployment", "north", "merge", { spec: { replicas: 1 + (n % 3) } }),
      "--subresource=scale",
      "--field-manager=kube-controller-manager",
    ],
  },
];

/** As Reloader writes it: https://github.com/stakater/Reloader */
export const RELOADED = "reloader.stakater.com/last-reloaded-from";
export const RELOADER_MANAGER = "Reloader";
export const RESTARTED = "kubectl.kubernetes.io/restartedAt";

export const RELOADER: readonly Deed[] = ["west", "north", "east"].map((name) => ({
  name: "reload",
  args: (n) => [
    ...patched("deployment", name, "strategic", onTemplate(RELOADED, JSON.stringify({ name, n }))),
    `--field-manager=${RELOADER_MANAGER}`,
  ],
}));

export const RESTARTER: readonly Deed[] = [
  { name: "rollout restart", args: () => ["rollout", "restart", "deployment/east"] },
];
