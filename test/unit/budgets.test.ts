import assert from "node:assert/strict";
import { test } from "node:test";
import {
  podDisruptionBudgetSpec,
  type PodDisruptionBudgetSpec,
} from "../../components/workload/availability-specs.ts";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { specWarnings } from "../../components/proxy/manifests.ts";
import { blocksDrains } from "../../components/workload/poddisruptionbudget.ts";
import { CANARY, render, SELECTOR } from "./support.ts";
import { accepted, refused } from "./spec-rows.ts";

const BUDGET = { podDisruptionBudget: { enabled: true } };
const scaled = (minReplicas?: number): ProxySpec => ({
  autoscaling: { enabled: true, maxReplicas: 9, ...(minReplicas !== undefined && { minReplicas }) },
});

const defaults: [string, ProxySpec, object][] = [
  ["no replicas given", {}, { maxUnavailable: 1 }],
  ["0 replicas", { replicas: 0 }, { maxUnavailable: 1 }],
  ["1 replica", { replicas: 1 }, { maxUnavailable: 1 }],
  ["2 replicas", { replicas: 2 }, { minAvailable: 1 }],
  ["9 replicas", { replicas: 9 }, { minAvailable: 1 }],
  ["an autoscaler from 1 on", scaled(), { maxUnavailable: 1 }],
  ["an autoscaler from 2 on", scaled(2), { minAvailable: 1 }],
  [
    "an autoscaler that is off beside 1 replica",
    { replicas: 1, autoscaling: { enabled: false, minReplicas: 3, maxReplicas: 5 } },
    { maxUnavailable: 1 },
  ],
];

for (const [what, spec, bound] of defaults) {
  test(`the bound with ${what} is ${JSON.stringify(bound)}, and no node is held up`, () => {
    const given = { ...BUDGET, ...spec };
    assert.deepEqual(render(given).podDisruptionBudget.spec, {
      selector: { matchLabels: SELECTOR },
      ...bound,
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    });
    assert.deepEqual(specWarnings({ spec: given, guarded: {} }), []);
  });
}

type Bound = Partial<PodDisruptionBudgetSpec>;

// Kubernetes rounds both bounds up.
const blocking: [Bound, replicas: number, blocks: boolean][] = [
  [{ minAvailable: 1 }, 1, true],
  [{ minAvailable: 1 }, 2, false],
  [{ minAvailable: 2 }, 2, true],
  [{ minAvailable: 3 }, 2, true],
  [{ minAvailable: 0 }, 1, false],
  [{ minAvailable: "0%" }, 1, false],
  [{ minAvailable: "1%" }, 1, true],
  [{ minAvailable: "50%" }, 1, true],
  [{ minAvailable: "50%" }, 2, false],
  [{ minAvailable: "51%" }, 2, true],
  [{ minAvailable: "67%" }, 3, true],
  [{ minAvailable: "66%" }, 3, false],
  [{ minAvailable: "90%" }, 9, true],
  [{ minAvailable: "90%" }, 10, false],
  [{ minAvailable: "100%" }, 10, true],
  [{ maxUnavailable: 0 }, 3, true],
  [{ maxUnavailable: "0%" }, 3, true],
  [{ maxUnavailable: "00%" }, 3, true],
  [{ maxUnavailable: "1%" }, 1, false],
  [{ maxUnavailable: 1 }, 1, false],
  [{ minAvailable: 1 }, 0, false],
  [{ maxUnavailable: 0 }, 0, false],
  [{ minAvailable: "100%" }, 0, false],
  [{ enabled: false, maxUnavailable: 0 }, 3, false],
];

for (const [bound, replicas, blocks] of blocking) {
  test(`${JSON.stringify(bound)} of ${replicas} replicas ${blocks ? "holds up" : "does not hold up"} a drain`, () => {
    assert.equal(blocksDrains({ enabled: true, ...bound }, replicas), blocks);
  });
}

test("without a budget nothing is held up", () => {
  assert.equal(blocksDrains(undefined, 1), false);
});

test("what holds up every drain is a warning, once, by the fewest pods that there may be", () => {
  const warnings = (spec: ProxySpec): string[] => specWarnings({ spec, guarded: {} });
  const tight = { podDisruptionBudget: { enabled: true, minAvailable: 2 } };
  const [warning, ...others] = warnings({ ...tight, replicas: 2 });
  assert.match(warning ?? "", /^podDisruptionBudget lets no pod go: .*can't be drained/);
  assert.deepEqual(others, []);
  assert.equal(warnings({ ...tight, ...scaled(2) }).length, 1);
  assert.deepEqual(warnings({ ...tight, ...scaled(3) }), []);
  assert.deepEqual(warnings({ ...tight, replicas: 3 }), []);
  assert.deepEqual(warnings({ ...tight, replicas: 0 }), []);
});

accepted(podDisruptionBudgetSpec, [
  ["all pods", { enabled: true, minAvailable: "100%" }],
  ["no pod", { enabled: true, maxUnavailable: 0 }],
]);
refused(podDisruptionBudgetSpec, [
  [
    "both bounds",
    { enabled: true, minAvailable: 1, maxUnavailable: 1 },
    "p",
    /^has both minAvailable and maxUnavailable: keep one$/,
  ],
  ["more than all", { enabled: true, minAvailable: "101%" }, "p.minAvailable", /^must be at most 100%$/],
  ["a bound as text", { enabled: true, maxUnavailable: CANARY }, "p.maxUnavailable", /percentage such as/],
  ["no switch", { minAvailable: 1 }, "p.enabled", /expected boolean/],
]);
