import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cluster, KubeObject, Outcome } from "../../components/cluster/cluster.ts";
import { readyPods } from "../../components/cluster/pods.ts";
import { podProblems } from "../../components/cluster/rollout.ts";

/** A cluster whose pods have these states. */
function withPods(pods: Outcome<object[]>, queries: (string | undefined)[] = []): Cluster {
  const list: Cluster["list"] = (resource, namespace, query) => {
    assert.deepEqual([resource.kind, namespace], ["Pod", "proxies"]);
    queries.push(query);
    if (pods.outcome !== "found") return Promise.resolve(pods);
    const value = pods.value.map((status): KubeObject => ({ metadata: { name: "p" }, status }));
    return Promise.resolve({ outcome: "found", value });
  };
  return { list } as Partial<Cluster> as Cluster;
}

const SELECTOR = { "app.kubernetes.io/name": "a", "otilm.com/proxy": "a" };
const problemsOf = (...statuses: object[]) =>
  podProblems(withPods({ outcome: "found", value: statuses }), "proxies", SELECTOR);
const waiting = (reason: string, message?: string) => ({
  containerStatuses: [{ name: "proxy", ready: false, state: { waiting: { reason, message } } }],
});

const rows: [string, object, string[]][] = [
  [
    "an image that can't be pulled",
    waiting("ImagePullBackOff", "Back-off pulling image"),
    ["container proxy: ImagePullBackOff (Back-off pulling image)"],
  ],
  ["a crash loop", waiting("CrashLoopBackOff"), ["container proxy: CrashLoopBackOff"]],
  [
    "a missing key",
    waiting("CreateContainerConfigError", "couldn't find key"),
    ["container proxy: CreateContainerConfigError (couldn't find key)"],
  ],
  ["a container that is just being made", waiting("ContainerCreating"), []],
  ["a pod that is just starting", waiting("PodInitializing"), []],
  [
    "a running container that is not ready",
    { containerStatuses: [{ name: "proxy", ready: false, state: {} }] },
    ["container proxy: not ready"],
  ],
  ["a ready container", { containerStatuses: [{ name: "proxy", ready: true, state: {} }] }, []],
  [
    "a failing init container",
    { initContainerStatuses: [{ name: "init", state: { waiting: { reason: "CrashLoopBackOff" } } }] },
    ["container init: CrashLoopBackOff"],
  ],
  [
    "a pod without a node",
    {
      conditions: [
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message: "0/1 nodes are available",
        },
      ],
    },
    ["Unschedulable: 0/1 nodes are available"],
  ],
  ["a scheduled pod without news", { conditions: [{ type: "PodScheduled", status: "True" }] }, []],
  ["a pod without status", {}, []],
];

for (const [what, status, problems] of rows) {
  test(`${what} ${problems.length === 0 ? "is no problem" : "is told in Kubernetes' own words"}`, async () => {
    assert.deepEqual(await problemsOf(status), { outcome: "found", value: problems });
  });
}

test("one cause of many pods is told once", async () => {
  assert.deepEqual(
    await problemsOf(waiting("CrashLoopBackOff"), waiting("CrashLoopBackOff"), waiting("ErrImagePull")),
    { outcome: "found", value: ["container proxy: CrashLoopBackOff", "container proxy: ErrImagePull"] },
  );
});

test("only the workload's own pods are asked for", async () => {
  const queries: (string | undefined)[] = [];
  await podProblems(withPods({ outcome: "found", value: [] }, queries), "proxies", SELECTOR);
  assert.deepEqual(queries, ["app.kubernetes.io/name=a,otilm.com/proxy=a"]);
});

test("pods that may not be listed, or can't be, are not taken for pods that say nothing", async () => {
  for (const outcome of ["forbidden", "unreachable"] as const) {
    const unread = { outcome, detail: "x" };
    assert.deepEqual(await podProblems(withPods(unread), "proxies", SELECTOR), unread);
  }
});

test("of a selector's pods those are taken that are ready and stay, by name", async () => {
  const pod = (name: string, ready: string, more: object = {}): KubeObject => ({
    metadata: { name, ...more },
    status: {
      conditions: [
        { type: "PodScheduled", status: "True" },
        { type: "Ready", status: ready },
      ],
    },
  });
  const pods: KubeObject[] = [
    pod("c", "True"),
    pod("b", "False"),
    pod("d", "True", { deletionTimestamp: "2027-01-01T00:00:00Z" }),
    { metadata: { name: "new" } },
    pod("e", "Unknown"),
    pod("a", "True"),
  ];
  const asked: unknown[] = [];
  const answer = (value: Outcome<KubeObject[]>): Cluster => {
    const list: Cluster["list"] = (resource, namespace, selector) => {
      asked.push([resource.kind, namespace, selector]);
      return Promise.resolve(value);
    };
    return { list } as Partial<Cluster> as Cluster;
  };
  const ready = await readyPods(answer({ outcome: "found", value: pods }), "ilm", "app=core,tier=api");
  assert.ok(ready.outcome === "found");
  assert.deepEqual(
    ready.value.map(({ metadata }) => metadata.name),
    ["a", "c"],
  );
  assert.deepEqual(asked, [["Pod", "ilm", "app=core,tier=api"]]);
  const denied = { outcome: "forbidden", detail: "x" } as const;
  assert.deepEqual(await readyPods(answer(denied), "ilm", "app=core"), denied);
});
