import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxyArgs } from "../../components/index.ts";
import type { KubeObject, Outcome } from "../../components/cluster/cluster.ts";
import { the } from "./support/engine.ts";
import { REF, runProxy } from "./support/proxy.ts";
import { FORBIDDEN, found, MISSING, UNREACHABLE } from "./support/zone.ts";

const ALWAYS = ["Deployment", "Service", "ServiceAccount"];
const monitored = { metrics: { enabled: true, serviceMonitor: { enabled: true } } };

type List = Outcome<KubeObject[]>;
const SERVED: List = found([]);

const rows: { what: string; args?: Omit<ProxyArgs, "zone">; monitors?: List; more: string[] }[] = [
  { what: "the smallest proxy", more: ["NetworkPolicy"] },
  { what: "networkPolicy off", args: { networkPolicy: { enabled: false } }, more: [] },
  { what: "networkPolicy on", args: { networkPolicy: { enabled: true } }, more: ["NetworkPolicy"] },
  { what: "an empty networkPolicy block", args: { networkPolicy: {} }, more: ["NetworkPolicy"] },
  {
    what: "podDisruptionBudget on",
    args: { podDisruptionBudget: { enabled: true } },
    more: ["NetworkPolicy", "PodDisruptionBudget"],
  },
  {
    what: "podDisruptionBudget off",
    args: { podDisruptionBudget: { enabled: false, minAvailable: 1 } },
    more: ["NetworkPolicy"],
  },
  {
    what: "a served ServiceMonitor",
    args: monitored,
    monitors: SERVED,
    more: ["NetworkPolicy", "ServiceMonitor"],
  },
  {
    what: "a ServiceMonitor that is not served",
    args: monitored,
    monitors: MISSING,
    more: ["NetworkPolicy"],
  },
  {
    what: "metrics without a monitor",
    args: { metrics: { enabled: true } },
    monitors: SERVED,
    more: ["NetworkPolicy"],
  },
  {
    what: "a monitor that is off",
    args: { metrics: { enabled: true, serviceMonitor: { enabled: false } } },
    monitors: SERVED,
    more: ["NetworkPolicy"],
  },
  {
    what: "a monitor without metrics",
    args: { metrics: { enabled: false, serviceMonitor: { enabled: true } } },
    monitors: SERVED,
    more: ["NetworkPolicy"],
  },
];

for (const { what, args, monitors, more } of rows) {
  for (const preview of [true, false]) {
    test(`${what}: ${[...ALWAYS, ...more].join(", ")} and nothing else, in ${preview ? "a preview" : "an update"}`, async () => {
      const { registrations } = await runProxy({
        preview,
        args: { ...REF, ...args },
        world: { lists: { ServiceMonitor: monitors ?? MISSING } },
      });
      const kinds = registrations.map(({ type }) => type).filter((type) => type.startsWith("kubernetes:"));
      assert.deepEqual(kinds.map((type) => type.split(":").at(-1)).sort(), [...ALWAYS, ...more].sort());
    });
  }
}

test("no deleted child is waited for longer than five minutes", async () => {
  const every = { ...monitored, podDisruptionBudget: { enabled: true } };
  const { registrations } = await runProxy({
    args: { ...REF, ...every },
    world: { lists: { ServiceMonitor: SERVED } },
  });
  const children = registrations.filter(({ parent }) => parent.includes("proxies:index:Proxy"));
  assert.equal(children.length, 6);
  for (const { type, deletionBound } of children)
    assert.equal(deletionBound, type === "kubernetes:core/v1:Service" ? "5m" : "2m", type);
});

for (const monitors of [FORBIDDEN, UNREACHABLE]) {
  test(`a preview keeps a wanted ServiceMonitor as recorded when it is ${monitors.outcome} whether it is served`, async () => {
    const recorded = await runProxy({
      preview: true,
      args: { ...REF, ...monitored },
      world: { lists: { ServiceMonitor: monitors } },
    });
    assert.ok(the(recorded, "ServiceMonitor").ignoreChanges.length > 0);
    const condition = recorded.outputs.conditions.find(({ type }) => type === "ServiceMonitorReady");
    assert.deepEqual([condition?.status, condition?.reason], ["Unknown", "ClusterUnreadable"]);
  });
}

const conditions: [string, List, string, string, number][] = [
  ["served", SERVED, "True", "ServiceMonitorCreated", 0],
  ["not served", MISSING, "False", "ServiceMonitorCRDNotInstalled", 1],
];

for (const [what, monitors, status, reason, warnings] of conditions) {
  test(`a wanted ServiceMonitor that is ${what} is told in a condition, and changes nothing else`, async () => {
    const { outputs, logs, exitCode } = await runProxy({
      args: { ...REF, ...monitored },
      world: { lists: { ServiceMonitor: monitors } },
    });
    assert.equal(outputs.phase, "Running");
    const condition = outputs.conditions.find(({ type }) => type === "ServiceMonitorReady");
    assert.deepEqual([condition?.status, condition?.reason], [status, reason]);
    assert.equal(logs.filter(({ severity }) => severity === "warning").length, warnings);
    assert.equal(exitCode, undefined);
  });
}

test("a ServiceMonitor that nobody wants is no condition", async () => {
  const { outputs } = await runProxy({ world: { lists: { ServiceMonitor: MISSING } } });
  assert.deepEqual(
    outputs.conditions.map(({ type }) => type),
    ["Progressing", "Available", "Degraded", "TokenExpiring"],
  );
});
