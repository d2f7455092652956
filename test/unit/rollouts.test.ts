import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cluster, KubeObject, Outcome } from "../../components/cluster/cluster.ts";
import { Rollouts } from "../../components/cluster/rollout.ts";

/** Polls a Deployment that answers with these reads, the last one for ever. */
async function poll(reads: Outcome<KubeObject>[], seconds: number, settledAt?: string) {
  let asked = 0;
  const get: Cluster["get"] = (resource, namespace, name) => {
    assert.deepEqual([resource.kind, namespace, name], ["Deployment", "proxies", "a"]);
    return Promise.resolve(reads[Math.min(asked++, reads.length - 1)] ?? { outcome: "missing" });
  };
  const cluster = { get } as Partial<Cluster> as Cluster;
  const settled = ({ metadata }: KubeObject) => metadata.resourceVersion === settledAt;
  const live = await new Rollouts(cluster, "proxies").poll("a", seconds, settled);
  return { live, asked };
}

const version = (resourceVersion: string): Outcome<KubeObject> => ({
  outcome: "found",
  value: { metadata: { name: "a", resourceVersion } },
});

test("polling ends as soon as the rollout has settled", async () => {
  assert.deepEqual(await poll([version("1"), version("2"), version("3")], 30, "2"), {
    live: version("2"),
    asked: 2,
  });
});

test("polling with no time looks once", async () => {
  assert.deepEqual(await poll([version("1")], 0), { live: version("1"), asked: 1 });
});

test("polling ends when the time is up, with what was read last", async () => {
  const { live, asked } = await poll([version("1")], 0.5);
  assert.deepEqual(live, version("1"));
  assert.ok(asked > 1);
});

test("polling ends when the Deployment is gone, and when it stays unreadable", async () => {
  assert.deepEqual(await poll([version("1"), { outcome: "missing" }], 30), {
    live: { outcome: "missing" },
    asked: 2,
  });
  const forbidden = { outcome: "forbidden", detail: "x" } as const;
  assert.deepEqual((await poll([version("1"), forbidden], 1)).live, forbidden);
});

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`);

/** A cluster of Deployments, none of which has been written yet, and what it was asked. */
function writable(listed?: Outcome<KubeObject[]>) {
  const written = new Set<string>();
  const asked: { what: string; at: number }[] = [];
  const object = (name: string): KubeObject => ({
    metadata: { name, generation: written.has(name) ? 2 : 1 },
  });
  const note = (what: string): void => void asked.push({ what, at: performance.now() });
  const cluster: Partial<Cluster> = {
    get: (_resource, _namespace, name) => {
      note(name);
      return Promise.resolve({ outcome: "found", value: object(name) });
    },
    list: async (resource, namespace) => {
      note(`${resource.plural} of ${namespace}`);
      const value = names(500).map(object);
      await new Promise((resolve) => setTimeout(resolve, 100)); // what is written now is not in it
      return listed ?? { outcome: "found", value };
    },
  };
  return { rollouts: new Rollouts(cluster as Cluster, "proxies"), written, asked };
}

test("a few Deployments are asked for one by one", async () => {
  const { rollouts, asked } = writable();
  await Promise.all(names(8).map((name) => rollouts.poll(name, 30, () => true)));
  assert.deepEqual(
    asked.map(({ what }) => what),
    names(8),
  );
});

test("many Deployments are asked for by one list at a time, begun after the last of them was written", async () => {
  const { rollouts, written, asked } = writable();
  const wait = async (name: string, index: number) => {
    await new Promise((resolve) => setTimeout(resolve, index * 5));
    written.add(name);
    const seen: unknown[] = [];
    await rollouts.poll(name, 30, ({ metadata }) => seen.push([metadata.name, metadata.generation]) > 1);
    assert.deepEqual(seen, [
      [name, 2],
      [name, 2],
    ]);
  };
  await Promise.all(names(200).map(wait));
  const lists = asked.filter(({ what }) => what === "deployments of proxies");
  assert.ok(asked.length - lists.length < 30, "the first ones ask for themselves");
  assert.ok(lists.length > 1);
  for (const [index, { at }] of lists.entries()) {
    const before = lists[index - 1]?.at ?? -Infinity;
    assert.ok(at - before > 1_000, `a list ${at - before} ms after the one before`);
  }
});

test("a list tells everybody what is gone, and why it can't be had", async () => {
  const outcomes = async (listed: Outcome<KubeObject[]>) => {
    const { rollouts } = writable(listed);
    const polls = names(20).map((name) => rollouts.poll(name, 0, () => false));
    return new Set((await Promise.all(polls)).slice(8).map((live) => JSON.stringify(live)));
  };
  for (const listed of [
    { outcome: "forbidden", detail: "x" },
    { outcome: "unreachable", detail: "y" },
  ] as const)
    assert.deepEqual(await outcomes(listed), new Set([JSON.stringify(listed)]));
  assert.deepEqual(await outcomes({ outcome: "found", value: [] }), new Set(['{"outcome":"missing"}']));
});
