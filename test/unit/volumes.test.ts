import assert from "node:assert/strict";
import { test } from "node:test";
import { wireConfig } from "../../components/workload/config-refs.ts";
import type { SecretRefSpec, VolumeSpec } from "../../components/workload/config-specs.ts";
import { volumeName } from "../../components/workload/validation.ts";

const sources: [string, Omit<VolumeSpec, "name" | "mountPath">, source: object, mount: object][] = [
  ["without source is scratch space", {}, { emptyDir: {} }, {}],
  ["with an empty emptyDir is scratch space", { emptyDir: {} }, { emptyDir: {} }, {}],
  [
    "in memory says so, and how much",
    { emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
    { emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
    {},
  ],
  ["with the default medium says nothing of it", { emptyDir: { medium: "" } }, { emptyDir: {} }, {}],
  ["with a size alone says it", { emptyDir: { sizeLimit: "1Gi" } }, { emptyDir: { sizeLimit: "1Gi" } }, {}],
  [
    "of a claim is no emptyDir and may be written",
    { persistentVolumeClaim: { claimName: "data" } },
    { persistentVolumeClaim: { claimName: "data" } },
    {},
  ],
  [
    "of a claim that may be written says nothing of it",
    { persistentVolumeClaim: { claimName: "data", readOnly: false } },
    { persistentVolumeClaim: { claimName: "data" } },
    {},
  ],
  [
    "of a claim that may only be read says so on volume and mount",
    { persistentVolumeClaim: { claimName: "data", readOnly: true } },
    { persistentVolumeClaim: { claimName: "data", readOnly: true } },
    { readOnly: true },
  ],
];

for (const [what, given, source, mount] of sources) {
  test(`a volume ${what}`, () => {
    assert.deepEqual(wireConfig({ volumes: [{ name: "data", mountPath: "/data", ...given }] }), {
      env: [],
      envFrom: [],
      volumes: [{ name: "data", ...source }],
      volumeMounts: [{ name: "data", mountPath: "/data", ...mount }],
    });
  });
}

const secretVolume = (name: string, mountPath = "/a"): SecretRefSpec => ({ name, type: "volume", mountPath });

/** Names of the volumes of these Secrets, which their mounts must repeat. */
function namesOf(...names: string[]): string[] {
  const wired = wireConfig({ secretRefs: names.map((name, index) => secretVolume(name, `/${index}`)) });
  const volumes = wired.volumes.map(({ name }) => name);
  assert.deepEqual(
    wired.volumeMounts.map(({ name }) => name),
    volumes,
  );
  return volumes;
}

// The last 8 digits are SHA-256 of the object's name, a space and the number of volumes before it.
const names: [string, string[], string[]][] = [
  ["is the operator's where it can be", ["tls-secret"], ["secret-tls-secret"]],
  ["holds no dot, which no volume's name may", ["tls.example.com"], ["secret-tls-example-com-f2a8d807"]],
  ["has 63 characters at most", ["x".repeat(56)], [`secret-${"x".repeat(56)}`]],
  ["is cut where it would be longer", ["x".repeat(57)], [`secret-${"x".repeat(47)}-02a3a526`]],
  ["differs for an object that is mounted twice", ["tls", "tls"], ["secret-tls", "secret-tls-83eb6aaf"]],
  [
    "differs for each of three mounts",
    ["tls", "tls", "tls"],
    ["secret-tls", "secret-tls-83eb6aaf", "secret-tls-5d0df542"],
  ],
];

for (const [does, given, expected] of names) {
  test(`the name of a reference's volume ${does}`, () => {
    assert.deepEqual(namesOf(...given), expected);
  });
}

test("names that become alike are still told apart, and each is one that Kubernetes takes", () => {
  const long = "y".repeat(60);
  const all = namesOf("a.b", "a-b", "a.b", `${long}1`, `${long}2`, `${"z".repeat(45)}.-${"z".repeat(20)}`);
  assert.equal(new Set(all).size, 6);
  for (const name of all) assert.equal(volumeName.safeParse(name).success, true, name);
});

test("a Secret and a ConfigMap of one name have two volumes", () => {
  const wired = wireConfig({
    secretRefs: [secretVolume("app.config", "/s")],
    configMapRefs: [{ name: "app.config", type: "volume", mountPath: "/c" }],
  });
  assert.deepEqual(wired.volumes, [
    { name: "secret-app-config-d3d97698", secret: { secretName: "app.config" } },
    { name: "configmap-app-config-275c6a8b", configMap: { name: "app.config" } },
  ]);
});
