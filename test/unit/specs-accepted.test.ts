import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import * as availability from "../../components/workload/availability-specs.ts";
import * as network from "../../components/workload/network-specs.ts";
import * as specs from "../../components/workload/specs.ts";
import { check } from "../../components/workload/validation.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

const good: [string, z.ZodType, unknown][] = [
  ["an empty image", specs.imageSpec, {}],
  [
    "a whole image",
    specs.imageSpec,
    {
      registry: "hub.example.com:5000",
      repository: "ilm/private",
      name: "proxy",
      tag: "v1.0_x-rc.1",
      digest: DIGEST,
      pullPolicy: "Never",
      pullSecrets: ["pull", "mirror.example"],
      command: ["/proxy"],
      args: [],
    },
  ],
  ["no variables", specs.envSpec, []],
  ["variables, one without value", specs.envSpec, [{ name: "A", value: "" }, { name: "B" }]],
  [
    "resources",
    specs.resourcesSpec,
    {
      requests: { cpu: "100m", "example.com/gpu": "1" },
      limits: { memory: "1Gi", "example.com/gpu": "1" },
    },
  ],
  ["no resources", specs.resourcesSpec, {}],
  [
    "tolerations",
    specs.tolerationsSpec,
    [
      { operator: "Exists" },
      { operator: "Exists", effect: "NoExecute", key: "" },
      { key: "a", operator: "Equal", value: "b", effect: "NoExecute", tolerationSeconds: 0 },
    ],
  ],
  ["a budget", availability.podDisruptionBudgetSpec, { enabled: true }],
  ["a budget with bounds", availability.podDisruptionBudgetSpec, { enabled: false, minAvailable: "50%" }],
  [
    "metrics",
    specs.metricsSpec,
    { enabled: true, path: "/m", serviceMonitor: { enabled: true, interval: "1m30s", labels: { a: "b" } } },
  ],
  ["a network policy block without switch", network.networkPolicySpec, {}],
  ["a rollout", specs.rolloutSpec, { wait: false, timeoutSeconds: 1, progressDeadlineSeconds: 1 }],
  ["no egress", network.egressSpec, {}],
  [
    "an egress proxy",
    network.egressSpec,
    { httpProxy: "http://p:3128", httpsProxy: "https://p.example:1/", noProxy: ["10.0.0.0/8", ".x", "*"] },
  ],
];

for (const [what, schema, value] of good) {
  test(`${what} is accepted as it is`, () => {
    assert.deepEqual(check(schema, value, "p"), { value, problems: [] });
  });
}
