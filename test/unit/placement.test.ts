import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { proxySpecSchema } from "../../components/proxy/checks.ts";
import { topologySpreadConstraintsSpec } from "../../components/workload/availability-specs.ts";
import { tolerationsSpec } from "../../components/workload/specs.ts";
import { CANARY, render, SELECTOR } from "./support.ts";
import { accepted, refused } from "./spec-rows.ts";

const pod = (spec: ProxySpec) => render(spec).deployment.spec.template.spec;

const HOST = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: "DoNotSchedule" as const,
};
const OWN = { labelSelector: { matchLabels: SELECTOR } };

test("a spread constraint counts the component's own pods unless it says otherwise", () => {
  const other = { labelSelector: { matchLabels: { app: "other" } } };
  const full = {
    ...HOST,
    minDomains: 2,
    nodeAffinityPolicy: "Ignore" as const,
    nodeTaintsPolicy: "Honor" as const,
    matchLabelKeys: ["pod-template-hash"],
  };
  assert.deepEqual(
    pod({ topologySpreadConstraints: [full, { ...HOST, ...other }, { ...HOST, labelSelector: {} }] })
      .topologySpreadConstraints,
    [
      { ...full, ...OWN },
      { ...HOST, ...other },
      { ...HOST, labelSelector: {} },
    ],
  );
});

test("a selector that is there without a value is none", () => {
  assert.deepEqual(
    pod({ topologySpreadConstraints: [{ ...HOST, labelSelector: undefined }] }).topologySpreadConstraints,
    [{ ...HOST, ...OWN }],
  );
});

test("no constraints, and no priority class, leave no key behind", () => {
  const keys = Object.keys(pod({ topologySpreadConstraints: [] }));
  assert.deepEqual(keys, Object.keys(pod({})));
  assert.equal(keys.includes("topologySpreadConstraints") || keys.includes("priorityClassName"), false);
});

test("a priority class is named on the pods", () => {
  assert.equal(pod({ priorityClassName: "edge" }).priorityClassName, "edge");
});

for (const [given, mounted] of [
  [undefined, false],
  [false, false],
  [true, true],
] as const) {
  test(`the account's token is ${mounted ? "" : "not "}mounted with automountServiceAccountToken ${given}`, () => {
    const spec = given === undefined ? {} : { automountServiceAccountToken: given };
    assert.equal(pod(spec).automountServiceAccountToken, mounted);
  });
}

accepted(topologySpreadConstraintsSpec, [
  ["no constraint", []],
  [
    "one topology with both effects",
    [HOST, { ...HOST, whenUnsatisfiable: "ScheduleAnyway", labelSelector: {} }],
  ],
]);
refused(topologySpreadConstraintsSpec, [
  ["a skew of 0", [{ ...HOST, maxSkew: 0 }], "p[0].maxSkew", />=1/],
  ["no topology", [{ ...HOST, topologyKey: undefined }], "p[0].topologyKey", /expected string/],
  ["a topology that is no label", [{ ...HOST, topologyKey: `${CANARY}/` }], "p[0].topologyKey", /DNS prefix/],
  ["another effect", [{ ...HOST, whenUnsatisfiable: CANARY }], "p[0].whenUnsatisfiable", /"DoNotSchedule"/],
  [
    "a least of topologies that nothing enforces",
    [{ ...HOST, whenUnsatisfiable: "ScheduleAnyway", minDomains: 2 }],
    "p[0].minDomains",
    /^has no meaning with whenUnsatisfiable ScheduleAnyway$/,
  ],
  [
    "one topology twice with one effect",
    [HOST, { ...HOST, maxSkew: 2 }],
    "p[1].topologyKey",
    /^is given twice with the same whenUnsatisfiable; keep one$/,
  ],
  [
    "a label of the pod that is none",
    [{ ...HOST, matchLabelKeys: [`${CANARY}!`] }],
    "p[0].matchLabelKeys[0]",
    /at most 63 letters/,
  ],
]);

refused(tolerationsSpec, [
  ["a toleration of nothing", [{}], "p[0].key", /^is required unless operator is Exists$/],
  ["an empty key with Equal", [{ key: "", operator: "Equal" }], "p[0].key", /^is required unless/],
  [
    "a value that nothing compares with",
    [{ key: "a", operator: "Exists", value: CANARY }],
    "p[0].value",
    /^has no meaning with operator Exists$/,
  ],
  [
    "seconds without NoExecute",
    [{ key: "a", effect: "NoSchedule", tolerationSeconds: 1 }],
    "p[0].tolerationSeconds",
    /^has a meaning with effect NoExecute only$/,
  ],
  ["an effect that Kubernetes lacks", [{ key: "a", effect: CANARY }], "p[0].effect", /"NoSchedule"\|/],
]);

refused(proxySpecSchema, [
  [
    "a priority class that is no name",
    { priorityClassName: `${CANARY}_` },
    "p.priorityClassName",
    /lower-case/,
  ],
  ["negative ready seconds", { minReadySeconds: -1 }, "p.minReadySeconds", />=0/],
  ["a switch as text", { automountServiceAccountToken: CANARY }, "p.automountServiceAccountToken", /boolean/],
]);
