import assert from "node:assert/strict";
import { test } from "node:test";
import { volumesSpec } from "../../components/workload/config-specs.ts";
import { check } from "../../components/workload/validation.ts";
import { accepted, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const volume = (more: object): unknown => [{ name: "data", mountPath: "/data", ...more }];

accepted(volumesSpec, [
  ["no volume", []],
  ["a volume without source", volume({})],
  ["a volume with an empty emptyDir", volume({ emptyDir: {} })],
  ["a volume on the node's disk", volume({ emptyDir: { medium: "", sizeLimit: "1Gi" } })],
  ["a volume in memory", volume({ emptyDir: { medium: "Memory", sizeLimit: "64Mi" } })],
  ["a claim", volume({ persistentVolumeClaim: { claimName: "data.example" } })],
  ["a read-only claim", volume({ persistentVolumeClaim: { claimName: "d", readOnly: true } })],
  [
    "several volumes",
    [
      { name: "1", mountPath: "/" },
      { name: "x".repeat(63), mountPath: "/a b" },
    ],
  ],
]);

refused(volumesSpec, [
  ["a volume outside a list", { name: CANARY }, "p", /expected array/],
  ["a volume as text", [CANARY], "p[0]", /expected object/],
  ["a volume without name", [{ mountPath: "/a" }], "p[0].name", /expected string/],
  ["a volume with an empty name", volume({ name: "" }), "p[0].name", /must be lower-case letters/],
  [
    "a volume with a dot in its name",
    volume({ name: `${CANARY}.x` }),
    "p[0].name",
    /must be lower-case letters, digits and '-'/,
  ],
  ["a volume with a name of 64 characters", volume({ name: "x".repeat(64) }), "p[0].name", /at most 63/],
  ["a volume without path", [{ name: "a" }], "p[0].mountPath", /expected string/],
  ["a volume with an empty path", volume({ mountPath: "" }), "p[0].mountPath", /^must be an absolute path/],
  [
    "a volume with a relative path",
    volume({ mountPath: CANARY }),
    "p[0].mountPath",
    /^must be an absolute path without ':'$/,
  ],
  [
    "a volume with a colon in its path",
    volume({ mountPath: `/${CANARY}:x` }),
    "p[0].mountPath",
    /^must be an absolute path without ':'$/,
  ],
  ["an unknown field of a volume", volume({ hostPath: CANARY }), "p[0]", /unknown field "hostPath"/],
  [
    "a volume with both sources",
    volume({ emptyDir: {}, persistentVolumeClaim: { claimName: CANARY } }),
    "p[0]",
    /^has both emptyDir and persistentVolumeClaim: keep one$/,
  ],
  ["another medium", volume({ emptyDir: { medium: CANARY } }), "p[0].emptyDir.medium", /""\|"Memory"/],
  [
    "a bad size",
    volume({ emptyDir: { sizeLimit: CANARY } }),
    "p[0].emptyDir.sizeLimit",
    /^must be a quantity such as 100m/,
  ],
  [
    "an unknown field of an emptyDir",
    volume({ emptyDir: { size: CANARY } }),
    "p[0].emptyDir",
    /unknown field "size"/,
  ],
  [
    "a claim without name",
    volume({ persistentVolumeClaim: {} }),
    "p[0].persistentVolumeClaim.claimName",
    /expected string/,
  ],
  [
    "a claim with an empty name",
    volume({ persistentVolumeClaim: { claimName: "" } }),
    "p[0].persistentVolumeClaim.claimName",
    /must be lower-case letters/,
  ],
  [
    "a claim with a bad name",
    volume({ persistentVolumeClaim: { claimName: `${CANARY}_` } }),
    "p[0].persistentVolumeClaim.claimName",
    /must be lower-case letters/,
  ],
  [
    "readOnly as text",
    volume({ persistentVolumeClaim: { claimName: "a", readOnly: CANARY } }),
    "p[0].persistentVolumeClaim.readOnly",
    /expected boolean/,
  ],
  [
    "an unknown field of a claim",
    volume({ persistentVolumeClaim: { claimName: "a", name: CANARY } }),
    "p[0].persistentVolumeClaim",
    /unknown field "name"/,
  ],
]);

test("a size that is a number becomes the text that Kubernetes takes", () => {
  assert.deepEqual(check(volumesSpec, volume({ emptyDir: { sizeLimit: 1024 } }), "p"), {
    value: [{ name: "data", mountPath: "/data", emptyDir: { sizeLimit: "1024" } }],
    problems: [],
  });
});
