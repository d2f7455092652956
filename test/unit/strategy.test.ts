import assert from "node:assert/strict";
import { test } from "node:test";
import { strategySpec, type StrategySpec } from "../../components/workload/availability-specs.ts";
import { deploymentStrategy } from "../../components/workload/strategy.ts";
import { render } from "./support.ts";
import { accepted, refused } from "./spec-rows.ts";

type Bounds = NonNullable<StrategySpec["rollingUpdate"]>;

const rolling: [string, Bounds | undefined, Bounds][] = [
  ["no bounds", undefined, { maxSurge: "25%", maxUnavailable: 0 }],
  ["empty bounds", {}, { maxSurge: "25%", maxUnavailable: 0 }],
  ["both bounds", { maxSurge: 3, maxUnavailable: "10%" }, { maxSurge: 3, maxUnavailable: "10%" }],
  ["both bounds, one 0", { maxSurge: 0, maxUnavailable: 1 }, { maxSurge: 0, maxUnavailable: 1 }],
  ["maxSurge 0 alone", { maxSurge: 0 }, { maxSurge: 0, maxUnavailable: 1 }],
  ["maxSurge 0% alone", { maxSurge: "0%" }, { maxSurge: "0%", maxUnavailable: 1 }],
  ["maxSurge 00% alone", { maxSurge: "00%" }, { maxSurge: "00%", maxUnavailable: 1 }],
  ["maxSurge 000% alone", { maxSurge: "000%" }, { maxSurge: "000%", maxUnavailable: 1 }],
  ["maxSurge 025% alone", { maxSurge: "025%" }, { maxSurge: "025%", maxUnavailable: 0 }],
  ["maxSurge 10% alone", { maxSurge: "10%" }, { maxSurge: "10%", maxUnavailable: 0 }],
  ["maxSurge 100 alone", { maxSurge: 100 }, { maxSurge: 100, maxUnavailable: 0 }],
  ["maxUnavailable 2 alone", { maxUnavailable: 2 }, { maxSurge: "25%", maxUnavailable: 2 }],
  ["maxUnavailable 0 alone", { maxUnavailable: 0 }, { maxSurge: "25%", maxUnavailable: 0 }],
  [
    "bounds that are there without a value",
    { maxSurge: undefined, maxUnavailable: undefined },
    { maxSurge: "25%", maxUnavailable: 0 },
  ],
];

for (const [what, rollingUpdate, expected] of rolling) {
  test(`a rolling update with ${what}: surge ${expected.maxSurge}, unavailable ${expected.maxUnavailable}`, () => {
    assert.deepEqual(deploymentStrategy({ type: "RollingUpdate", rollingUpdate }), {
      type: "RollingUpdate",
      rollingUpdate: expected,
    });
  });
}

test("nothing at all is a rolling update in which no pod goes before a new one is available", () => {
  assert.deepEqual(deploymentStrategy(undefined), {
    type: "RollingUpdate",
    rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 },
  });
});

test("Recreate has no bounds", () => {
  assert.deepEqual(deploymentStrategy({ type: "Recreate" }), { type: "Recreate" });
});

test("strategy and ready seconds of a proxy stand on its Deployment, not in its pods", () => {
  const { spec } = render({ strategy: { type: "Recreate" }, minReadySeconds: 0 }).deployment;
  assert.deepEqual([spec.strategy, spec.minReadySeconds], [{ type: "Recreate" }, 0]);
  assert.deepEqual(spec.template, render().deployment.spec.template);
});

const BOTH_ZERO = /^maxSurge and maxUnavailable are both 0: no pod could ever be replaced$/;

accepted(strategySpec, [
  ["Recreate", { type: "Recreate" }],
  ["a rolling update", { type: "RollingUpdate" }],
  ["a rolling update with bounds", { type: "RollingUpdate", rollingUpdate: { maxSurge: "200%" } }],
  ["a surge of 0 alone", { type: "RollingUpdate", rollingUpdate: { maxSurge: "0%" } }],
  ["all pods at once", { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "100%" } }],
]);
const bounded = (rollingUpdate: object): object => ({ type: "RollingUpdate", rollingUpdate });
refused(strategySpec, [
  ["a strategy without type", {}, "p.type", /expected one of "RollingUpdate"\|"Recreate"/],
  ["a strategy that Kubernetes lacks", { type: "c4n4ry-s3cr3t" }, "p.type", /expected one of/],
  ["bounds of 0", bounded({ maxSurge: 0, maxUnavailable: 0 }), "p.rollingUpdate", BOTH_ZERO],
  ["bounds of 0%", bounded({ maxSurge: "00%", maxUnavailable: "0%" }), "p.rollingUpdate", BOTH_ZERO],
  [
    "bounds of Recreate",
    { type: "Recreate", rollingUpdate: { maxSurge: 1 } },
    "p",
    /^rollingUpdate has no meaning with type Recreate: keep one$/,
  ],
  [
    "a negative surge",
    bounded({ maxSurge: -1 }),
    "p.rollingUpdate.maxSurge",
    /whole number from 0 on, or a percentage/,
  ],
  ["a surge as text", bounded({ maxSurge: "1" }), "p.rollingUpdate.maxSurge", /percentage such as 50%/],
  ["half a pod", bounded({ maxUnavailable: 0.5 }), "p.rollingUpdate.maxUnavailable", /whole number/],
  ["a percent sign alone", bounded({ maxSurge: "%" }), "p.rollingUpdate.maxSurge", /percentage such as 50%/],
  [
    "more than all pods",
    bounded({ maxUnavailable: "101%" }),
    "p.rollingUpdate.maxUnavailable",
    /^must be at most 100%$/,
  ],
]);
