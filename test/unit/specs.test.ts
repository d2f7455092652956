import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import * as availability from "../../components/workload/availability-specs.ts";
import * as network from "../../components/workload/network-specs.ts";
import * as specs from "../../components/workload/specs.ts";
import { check } from "../../components/workload/validation.ts";
import { CANARY, only } from "./support.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

const bad: [string, z.ZodType, unknown, path: string, message: RegExp][] = [
  [
    "a registry with a scheme's space",
    specs.imageSpec,
    { registry: `${CANARY} x` },
    "p.registry",
    /part of an image reference/,
  ],
  [
    "a repository that starts with /",
    specs.imageSpec,
    { repository: `/${CANARY}` },
    "p.repository",
    /part of an image reference/,
  ],
  [
    "a name with a digest",
    specs.imageSpec,
    { name: `${CANARY}@sha256` },
    "p.name",
    /part of an image reference/,
  ],
  ["an empty registry", specs.imageSpec, { registry: "" }, "p.registry", /part of an image reference/],
  ["a tag with a colon", specs.imageSpec, { tag: `:${CANARY}` }, "p.tag", /image tag: letters, digits/],
  ["a tag of 129 characters", specs.imageSpec, { tag: "x".repeat(129) }, "p.tag", /at most 128 characters/],
  ["an empty tag", specs.imageSpec, { tag: "" }, "p.tag", /image tag/],
  [
    "a short digest",
    specs.imageSpec,
    { digest: `sha256:${CANARY}` },
    "p.digest",
    /sha256: and 64 hex digits/,
  ],
  [
    "an upper-case digest",
    specs.imageSpec,
    { digest: DIGEST.toUpperCase() },
    "p.digest",
    /sha256: and 64 hex digits/,
  ],
  [
    "a pull policy that Kubernetes lacks",
    specs.imageSpec,
    { pullPolicy: CANARY },
    "p.pullPolicy",
    /"Always"\|"IfNotPresent"\|"Never"/,
  ],
  [
    "a pull secret that is no name",
    specs.imageSpec,
    { pullSecrets: [`${CANARY}_`] },
    "p.pullSecrets[0]",
    /lower-case letters/,
  ],
  ["a command that is one string", specs.imageSpec, { command: CANARY }, "p.command", /expected array/],
  ["args that are numbers", specs.imageSpec, { args: [1] }, "p.args[0]", /expected string/],
  [
    "an unknown image field",
    specs.imageSpec,
    { tags: CANARY },
    "p",
    /unknown field "tags"; did you mean "tag"\?/,
  ],
  [
    "a variable that starts with a digit",
    specs.envSpec,
    [{ name: `1${CANARY}` }],
    "p[0].name",
    /not starting with a digit/,
  ],
  [
    "a variable's value that is a number",
    specs.envSpec,
    [{ name: "A", value: 1 }],
    "p[0].value",
    /expected string/,
  ],
  [
    "a variable from elsewhere",
    specs.envSpec,
    [{ name: "A", valueFrom: { x: CANARY } }],
    "p[0]",
    /unknown field "valueFrom"/,
  ],
  [
    "a variable given twice",
    specs.envSpec,
    [{ name: "A" }, { name: "B" }, { name: "A", value: CANARY }],
    "p[2].name",
    /twice/,
  ],
  ["variables as a map", specs.envSpec, { A: CANARY }, "p", /expected array/],
  [
    "a bad request",
    specs.resourcesSpec,
    { requests: { memory: CANARY } },
    "p.requests.memory",
    /quantity such as/,
  ],
  ["a bad limit", specs.resourcesSpec, { limits: { cpu: [CANARY] } }, "p.limits.cpu", /quantity such as/],
  [
    "an operator that Deployments lack",
    specs.tolerationsSpec,
    [{ operator: CANARY }],
    "p[0].operator",
    /"Exists"\|"Equal"/,
  ],
  [
    "an unknown effect",
    specs.tolerationsSpec,
    [{ operator: "Exists", effect: CANARY }],
    "p[0].effect",
    /"NoSchedule"\|"PreferNoSchedule"\|"NoExecute"/,
  ],
  [
    "a fraction of a second",
    specs.tolerationsSpec,
    [{ operator: "Exists", effect: "NoExecute", tolerationSeconds: 1.5 }],
    "p[0].tolerationSeconds",
    /expected int/,
  ],
  ["a budget without switch", availability.podDisruptionBudgetSpec, {}, "p.enabled", /expected boolean/],
  [
    "a bound that is no percentage",
    availability.podDisruptionBudgetSpec,
    { enabled: true, minAvailable: CANARY },
    "p.minAvailable",
    /whole number from 0 on, or a percentage/,
  ],
  [
    "a negative bound",
    availability.podDisruptionBudgetSpec,
    { enabled: true, maxUnavailable: -1 },
    "p.maxUnavailable",
    /whole number from 0 on|>=0/,
  ],
  ["metrics without switch", specs.metricsSpec, { path: "/m" }, "p.enabled", /expected boolean/],
  ["a relative metrics path", specs.metricsSpec, { enabled: true, path: CANARY }, "p.path", /starts with \//],
  [
    "a monitor without switch",
    specs.metricsSpec,
    { enabled: true, serviceMonitor: {} },
    "p.serviceMonitor.enabled",
    /expected boolean/,
  ],
  [
    "an interval without unit",
    specs.metricsSpec,
    { enabled: true, serviceMonitor: { enabled: true, interval: CANARY } },
    "p.serviceMonitor.interval",
    /Prometheus duration such as 30s/,
  ],
  [
    "a bad monitor label",
    specs.metricsSpec,
    { enabled: true, serviceMonitor: { enabled: true, labels: { a: `${CANARY} ` } } },
    "p.serviceMonitor.labels.a",
    /letters, digits/,
  ],
  ["a metrics port", specs.metricsSpec, { enabled: true, port: CANARY }, "p", /unknown field "port"/],
  [
    "a network policy switched by text",
    network.networkPolicySpec,
    { enabled: CANARY },
    "p.enabled",
    /expected boolean/,
  ],
  ["a rollout of no time", specs.rolloutSpec, { timeoutSeconds: 0 }, "p.timeoutSeconds", />=1/],
  [
    "a deadline of no time",
    specs.rolloutSpec,
    { progressDeadlineSeconds: 0 },
    "p.progressDeadlineSeconds",
    />=1/,
  ],
  ["a rollout with wait as text", specs.rolloutSpec, { wait: CANARY }, "p.wait", /expected boolean/],
  [
    "an egress proxy that is no URL",
    network.egressSpec,
    { httpProxy: CANARY },
    "p.httpProxy",
    /http:\/\/ or https:\/\/ URL/,
  ],
  [
    "an egress proxy without scheme",
    network.egressSpec,
    { httpsProxy: `${CANARY}.example.com:3128` },
    "p.httpsProxy",
    /http:\/\/ or https:\/\/ URL/,
  ],
  [
    "an egress proxy of another scheme",
    network.egressSpec,
    { httpProxy: `socks5://${CANARY}` },
    "p.httpProxy",
    /http:\/\/ or https:\/\/ URL/,
  ],
  [
    "an empty egress proxy",
    network.egressSpec,
    { httpProxy: "" },
    "p.httpProxy",
    /http:\/\/ or https:\/\/ URL/,
  ],
  [
    "credentials in an egress proxy",
    network.egressSpec,
    { httpsProxy: `http://u:${CANARY}@p` },
    "p.httpsProxy",
    /must not hold credentials/,
  ],
  [
    "a comma in noProxy",
    network.egressSpec,
    { noProxy: [`a,${CANARY}`] },
    "p.noProxy[0]",
    /without comma or space/,
  ],
  ["noProxy as one string", network.egressSpec, { noProxy: CANARY }, "p.noProxy", /expected array/],
];

for (const [what, schema, value, path, message] of bad) {
  test(`${what} is refused by path and allowed form, without the value`, () => {
    const { problems } = check(schema, value, "p");
    const problem = only(problems);
    assert.equal(problem.path, path);
    assert.match(problem.message, message);
    assert.equal(JSON.stringify(problems).includes(CANARY), false);
  });
}

test("the message of a variable given twice does not repeat what stands in its name", () => {
  const { problems } = check(specs.envSpec, [{ name: "c4n4ry" }, { name: "c4n4ry" }], "p");
  const problem = only(problems);
  assert.equal(problem.message.includes("c4n4ry"), false);
});
