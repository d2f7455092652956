import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProxy } from "../../components/proxy/checks.ts";
import { type ScalingParts, scalingProblems } from "../../components/workload/scaling-checks.ts";

const ON = { enabled: true, maxReplicas: 5 };
const CPU = { requests: { cpu: "100m" } };
const HOST = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: "ScheduleAnyway" as const,
};
const IS_LABEL = "is a label of labelSelector already: keep one";

const rows: [string, ScalingParts, [path: string, message: string][]][] = [
  ["nothing at all", {}, []],
  ["replicas alone", { replicas: 3 }, []],
  ["replicas beside an autoscaler that is off", { replicas: 3, autoscaling: { ...ON, enabled: false } }, []],
  [
    "replicas beside an autoscaler",
    { replicas: 3, autoscaling: ON, resources: CPU },
    [["p.replicas", "has no meaning beside autoscaling: keep one"]],
  ],
  [
    "replicas 0 beside an autoscaler",
    { replicas: 0, autoscaling: ON, resources: CPU },
    [["p.replicas", "has no meaning beside autoscaling: keep one"]],
  ],
  ["an autoscaler with a request", { autoscaling: ON, resources: CPU }, []],
  ["an autoscaler with a limit alone", { autoscaling: ON, resources: { limits: { cpu: "1" } } }, []],
  [
    "an autoscaler without a request",
    { autoscaling: ON },
    [["p.autoscaling", "needs resources.requests.cpu, of which it is a share"]],
  ],
  [
    "an autoscaler for memory beside a request for CPU",
    { autoscaling: { ...ON, targetMemoryUtilizationPercentage: 70 }, resources: CPU },
    [["p.autoscaling", "needs resources.requests.memory, of which it is a share"]],
  ],
  [
    "an autoscaler for memory with a request for it",
    {
      autoscaling: { ...ON, targetMemoryUtilizationPercentage: 70 },
      resources: { requests: { memory: "64Mi" } },
    },
    [],
  ],
  [
    "an autoscaler for both without either",
    {
      autoscaling: {
        ...ON,
        targetCPUUtilizationPercentage: 50,
        targetMemoryUtilizationPercentage: 70,
      },
      resources: {},
    },
    [
      ["p.autoscaling", "needs resources.requests.cpu, of which it is a share"],
      ["p.autoscaling", "needs resources.requests.memory, of which it is a share"],
    ],
  ],
  ["an autoscaler that is off, without a request", { autoscaling: { ...ON, enabled: false } }, []],
  ["ready seconds just below the deadline", { minReadySeconds: 299 }, []],
  [
    "ready seconds that reach the default deadline",
    { minReadySeconds: 300 },
    [["p.minReadySeconds", "must be below rollout.progressDeadlineSeconds (300); it is 300"]],
  ],
  [
    "a deadline that the default of ready seconds reaches",
    { rollout: { progressDeadlineSeconds: 10 } },
    [["p.minReadySeconds", "must be below rollout.progressDeadlineSeconds (10); it is 10"]],
  ],
  [
    "a short deadline without ready seconds",
    { minReadySeconds: 0, rollout: { progressDeadlineSeconds: 1 } },
    [],
  ],
  [
    "a wait that ends before a pod can count",
    { rollout: { timeoutSeconds: 10 } },
    [["p.rollout.timeoutSeconds", "must be above minReadySeconds (10): no run could see a rollout complete"]],
  ],
  ["a short wait that nobody waits for", { rollout: { timeoutSeconds: 1, wait: false } }, []],
  [
    "a label of the template beside the default selector",
    { topologySpreadConstraints: [{ ...HOST, matchLabelKeys: ["pod-template-hash"] }] },
    [],
  ],
  [
    "a label of the default selector",
    { topologySpreadConstraints: [HOST, { ...HOST, matchLabelKeys: ["a", "otilm.com/proxy"] }] },
    [["p.topologySpreadConstraints[1].matchLabelKeys[1]", IS_LABEL]],
  ],
  [
    "labels of a selector of one's own",
    {
      topologySpreadConstraints: [
        {
          ...HOST,
          labelSelector: { matchLabels: { a: "1" }, matchExpressions: [{ key: "b", operator: "Exists" }] },
          matchLabelKeys: ["otilm.com/proxy", "b", "a"],
        },
      ],
    },
    [
      ["p.topologySpreadConstraints[0].matchLabelKeys[1]", IS_LABEL],
      ["p.topologySpreadConstraints[0].matchLabelKeys[2]", IS_LABEL],
    ],
  ],
];

for (const [what, parts, expected] of rows) {
  test(`${what}: ${expected.length === 0 ? "no problem" : expected.map(([path]) => path).join(", ")}`, () => {
    assert.deepEqual(
      scalingProblems(parts, { name: "dc-east", component: "proxy" }, "p"),
      expected.map(([path, message]) => ({ path, message })),
    );
  });
}

test("they are part of the check of a proxy", () => {
  const { problems } = checkProxy(
    "dc-east",
    { configTokenSecretRef: { name: "s" }, replicas: 2, autoscaling: ON, minReadySeconds: 400 },
    false,
    "proxies.dc-east",
  );
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["proxies.dc-east.replicas", "proxies.dc-east.autoscaling", "proxies.dc-east.minReadySeconds"],
  );
});
