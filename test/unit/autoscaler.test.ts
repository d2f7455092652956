import assert from "node:assert/strict";
import { test } from "node:test";
import { autoscalingSpec, type AutoscalingSpec } from "../../components/workload/availability-specs.ts";
import { renderHorizontalPodAutoscaler } from "../../components/workload/horizontalpodautoscaler.ts";
import { CANARY, identity, LABELS, render } from "./support.ts";
import { accepted, refused } from "./spec-rows.ts";

const metric = (name: string, averageUtilization: number): object => ({
  type: "ContainerResource",
  containerResource: { name, container: "proxy", target: { type: "Utilization", averageUtilization } },
});

const rows: [string, Partial<AutoscalingSpec>, object][] = [
  ["nothing but a most", {}, { minReplicas: 1, maxReplicas: 5, metrics: [metric("cpu", 80)] }],
  ["a least", { minReplicas: 2 }, { minReplicas: 2, maxReplicas: 5, metrics: [metric("cpu", 80)] }],
  [
    "a target for CPU",
    { targetCPUUtilizationPercentage: 150 },
    { minReplicas: 1, maxReplicas: 5, metrics: [metric("cpu", 150)] },
  ],
  [
    "a target for memory, which then stands alone",
    { targetMemoryUtilizationPercentage: 70 },
    { minReplicas: 1, maxReplicas: 5, metrics: [metric("memory", 70)] },
  ],
  [
    "both targets, CPU first",
    { targetMemoryUtilizationPercentage: 70, targetCPUUtilizationPercentage: 60 },
    { minReplicas: 1, maxReplicas: 5, metrics: [metric("cpu", 60), metric("memory", 70)] },
  ],
  [
    "a behaviour, verbatim",
    {
      behavior: {
        scaleDown: { stabilizationWindowSeconds: 600, selectPolicy: "Disabled" },
        scaleUp: { policies: [{ type: "Pods", value: 2, periodSeconds: 60 }] },
      },
    },
    {
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [metric("cpu", 80)],
      behavior: {
        scaleDown: { stabilizationWindowSeconds: 600, selectPolicy: "Disabled" },
        scaleUp: { policies: [{ type: "Pods", value: 2, periodSeconds: 60 }] },
      },
    },
  ],
];

for (const [what, spec, expected] of rows) {
  test(`an autoscaler with ${what}`, () => {
    assert.deepEqual(renderHorizontalPodAutoscaler(identity, { enabled: true, maxReplicas: 5, ...spec }), {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "dc-east", namespace: "proxies", labels: LABELS },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "dc-east" }, ...expected },
    });
  });
}

test("it measures a container that the pods have", () => {
  const { deployment, horizontalPodAutoscaler } = render({ autoscaling: { enabled: true, maxReplicas: 2 } });
  const containers = deployment.spec.template.spec.containers.map(({ name }) => name);
  for (const { containerResource } of horizontalPodAutoscaler.spec.metrics)
    assert.ok(containers.includes(containerResource.container));
});

test("replicas are left out with an autoscaler, whatever its least is, and only then", () => {
  const replicas = (autoscaling: AutoscalingSpec): unknown =>
    render({ autoscaling }).deployment.spec.replicas;
  assert.equal(replicas({ enabled: true, minReplicas: 3, maxReplicas: 5 }), undefined);
  assert.equal(
    "replicas" in render({ autoscaling: { enabled: true, maxReplicas: 5 } }).deployment.spec,
    false,
  );
  assert.equal(replicas({ enabled: false, minReplicas: 3, maxReplicas: 5 }), 1);
});

test("an autoscaler does not touch the pods", () => {
  const { template } = render({ autoscaling: { enabled: true, maxReplicas: 5 } }).deployment.spec;
  assert.deepEqual(template, render().deployment.spec.template);
});

const scaling = (more: object): object => ({ enabled: true, maxReplicas: 5, ...more });
const policy = (more: object): object =>
  scaling({
    behavior: { scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 1, ...more }] } },
  });
const AT = "p.behavior.scaleUp.policies[0]";

accepted(autoscalingSpec, [
  ["the least", scaling({})],
  ["one that is off", { enabled: false, maxReplicas: 1 }],
  ["equal bounds", scaling({ minReplicas: 5 })],
  ["targets above 100", scaling({ targetCPUUtilizationPercentage: 400 })],
  ["an empty behaviour", scaling({ behavior: {} })],
  ["the largest windows", policy({ periodSeconds: 1800 })],
  ["the largest window", scaling({ behavior: { scaleDown: { stabilizationWindowSeconds: 3600 } } })],
]);
refused(autoscalingSpec, [
  ["no most", { enabled: true }, "p.maxReplicas", /expected number/],
  ["no switch", { maxReplicas: 2 }, "p.enabled", /expected boolean/],
  ["a least of 0", scaling({ minReplicas: 0 }), "p.minReplicas", />=1/],
  ["a least above the most", scaling({ minReplicas: 6 }), "p.maxReplicas", /^must be at least minReplicas$/],
  ["a least that is text", scaling({ minReplicas: CANARY }), "p.minReplicas", /expected number/],
  [
    "a target of 0",
    scaling({ targetCPUUtilizationPercentage: 0 }),
    "p.targetCPUUtilizationPercentage",
    />=1/,
  ],
  [
    "a misspelt target",
    scaling({ targetCPUUtilization: CANARY }),
    "p",
    /unknown field "targetCPUUtilization"; known: /,
  ],
  ["a policy of nothing", policy({ value: 0 }), `${AT}.value`, />=1/],
  ["a policy for too long", policy({ periodSeconds: 1801 }), `${AT}.periodSeconds`, /<=1800/],
  ["a policy of another type", policy({ type: CANARY }), `${AT}.type`, /"Pods"\|"Percent"/],
  [
    "no policies at all",
    scaling({ behavior: { scaleUp: { policies: [] } } }),
    "p.behavior.scaleUp.policies",
    />=1/,
  ],
  [
    "a window that is too long",
    scaling({ behavior: { scaleDown: { stabilizationWindowSeconds: 3601 } } }),
    "p.behavior.scaleDown.stabilizationWindowSeconds",
    /<=3600/,
  ],
]);
