import assert from "node:assert/strict";
import { test } from "node:test";
import { containersSpec } from "../../components/workload/container-specs.ts";
import { milliUnits } from "../../components/workload/quantities.ts";
import { resourcesSpec } from "../../components/workload/specs.ts";
import { quantity } from "../../components/workload/validation.ts";
import { accepted, container, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const MAX = (2n ** 63n - 1n) * 1000n;
const quantities: [string, bigint][] = [
  ["0", 0n],
  ["1", 1000n],
  ["+1.50", 1500n],
  ["1.", 1000n],
  [".5", 500n],
  ["100m", 100n],
  ["1500u", 2n],
  ["3n", 1n],
  ["0.1n", 1n],
  ["1.0000000001", 1001n],
  ["2k", 2_000_000n],
  ["1M", 10n ** 9n],
  ["1E", 10n ** 21n],
  ["1Ki", 1_024_000n],
  ["0.5Mi", 524_288_000n],
  ["1Ei", 2n ** 60n * 1000n],
  ["1e3", 1_000_000n],
  ["1E3", 1_000_000n],
  ["1e+3", 1_000_000n],
  ["5e-1", 500n],
  ["1e-99", 1n],
  ["0e99", 0n],
  ["1e99", MAX],
  ["100Ei", MAX],
];

for (const [text, milli] of quantities) {
  test(`the quantity ${text} is one, and worth what Kubernetes says`, () => {
    assert.equal(quantity.safeParse(text).success, true);
    assert.equal(milliUnits(text), milli);
  });
}

for (const text of [
  "",
  ".",
  "+",
  "m",
  "1K",
  "1 Mi",
  "1ki",
  "1mm",
  "1e",
  "1e1.5",
  "1e999",
  "-1",
  "0x1",
  CANARY,
]) {
  test(`${JSON.stringify(text)} is no quantity`, () => {
    assert.equal(quantity.safeParse(text).success, false);
    assert.equal(milliUnits(text), undefined);
  });
}

const rows: [what: string, resources: object][] = [
  ["no resources", {}],
  ["empty resources", { requests: {}, limits: {} }],
  ["requests alone", { requests: { cpu: "100m", memory: "1Gi", "ephemeral-storage": "1" } }],
  ["limits alone", { limits: { cpu: "1" } }],
  ["requests that are the limits in other words", { requests: { cpu: "1000m" }, limits: { cpu: "1" } }],
  ["requests below the limits", { requests: { memory: "999M" }, limits: { memory: "1Gi" } }],
  ["no request", { requests: { cpu: "0" }, limits: { cpu: "0" } }],
  ["a device", { requests: { "example.com/gpu": "2" }, limits: { "example.com/gpu": "2" } }],
  ["a device of the longest domain", { limits: { [`${"a.".repeat(121)}bc/c`]: "1" } }],
  [
    "a request above the limit by less than a thousandth",
    { requests: { cpu: "1.2m" }, limits: { cpu: "1.1m" } },
  ],
  ["a device with a limit alone", { limits: { "example.com/gpu": "1k" } }],
  [
    "huge pages",
    {
      requests: { memory: "1Gi", "hugepages-2Mi": "4Mi" },
      limits: { memory: "1Gi", "hugepages-2Mi": "4Mi", "hugepages-1Gi": "2Gi" },
    },
  ],
  ["a resource of Kubernetes' own domain", { requests: { "kubernetes.io/a": "1500m" } }],
];

accepted(resourcesSpec, rows);
accepted(
  containersSpec,
  rows.map(([what, resources]) => [`a container with ${what}`, container({ resources })]),
);

const bad: [what: string, resources: unknown, path: string, message: RegExp][] = [
  ["resources as text", CANARY, "", /expected object/],
  ["a misspelt list", { request: { cpu: CANARY } }, "", /unknown field "request"; did you mean "requests"\?/],
  ["claims, of which the pods have none", { claims: [{ name: CANARY }] }, "", /unknown field "claims"/],
  [
    "a misspelt resource",
    { limits: { memroy: "1Gi" } },
    ".limits.memroy",
    /must be cpu, memory, ephemeral-storage/,
  ],
  ["a resource in capitals", { limits: { CPU: "1" } }, ".limits.CPU", /must be cpu, memory/],
  ["a resource of pods", { limits: { pods: "1" } }, ".limits.pods", /must be cpu, memory/],
  ["a resource that is no name", { limits: { "a b": "1" } }, '.limits["a b"]', /must be a name/],
  [
    "a resource of a quota",
    { limits: { "requests.a.com/b": "1" } },
    '.limits["requests.a.com/b"]',
    /must be cpu/,
  ],
  [
    "a domain too long",
    { limits: { [`${"a.".repeat(122)}b/c`]: "1" } },
    `.limits["${"a.".repeat(122)}b/c"]`,
    /must be cpu/,
  ],
  ["no quantity", { limits: { cpu: CANARY } }, ".limits.cpu", /must be a quantity such as/],
  ["a negative quantity", { requests: { cpu: "-1" } }, ".requests.cpu", /must be a quantity such as/],
  [
    "a request above the limit",
    { requests: { cpu: "2" }, limits: { cpu: "1999m" } },
    ".requests.cpu",
    /at most the limit/,
  ],
  [
    "a request above the limit in other units",
    { requests: { memory: "1Gi" }, limits: { memory: "1G" } },
    ".requests.memory",
    /at most the limit/,
  ],
  [
    "a request for devices without limit",
    { requests: { "example.com/gpu": "1" } },
    '.requests["example.com/gpu"]',
    /same in requests and limits/,
  ],
  [
    "a request for fewer devices than the limit",
    { requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "2" } },
    '.requests["example.com/gpu"]',
    /same in requests and limits/,
  ],
  ["half a device", { limits: { "example.com/gpu": "500m" } }, '.limits["example.com/gpu"]', /whole number/],
  [
    "more devices than the API server can count",
    { limits: { "example.com/gpu": "9223372036854776" } },
    '.limits["example.com/gpu"]',
    /whole number below/,
  ],
  ["huge pages alone", { limits: { "hugepages-2Mi": "4Mi" } }, "", /they need an amount of cpu or memory/],
  [
    "half a page",
    { limits: { cpu: "1", "hugepages-2Mi": "3Mi" } },
    ".limits.hugepages-2Mi",
    /multiple of the page/,
  ],
  [
    "pages of no size",
    { limits: { cpu: "1", "hugepages-0": "1" } },
    ".limits.hugepages-0",
    /hugepages-<size>/,
  ],
  [
    "pages of half a byte",
    { limits: { cpu: "1", "hugepages-1m": "1" } },
    ".limits.hugepages-1m",
    /hugepages-<size>/,
  ],
  [
    "pages that are overcommitted",
    { requests: { cpu: "1", "hugepages-2Mi": "2Mi" }, limits: { "hugepages-2Mi": "4Mi" } },
    ".requests.hugepages-2Mi",
    /same in requests and limits/,
  ],
];

refused(
  resourcesSpec,
  bad.map(([what, resources, path, message]) => [what, resources, `p${path}`, message]),
);
refused(
  containersSpec,
  bad.map(([what, resources, path, message]) => [
    `a container with ${what}`,
    container({ resources }),
    `p[0].resources${path}`,
    message,
  ]),
);
