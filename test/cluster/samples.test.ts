// Custom resources of the replaced operator, which nobody here wrote: their `spec` is pasted as it is.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadAllYaml } from "@kubernetes/client-node";
import { at, TestZone } from "./support/zone.ts";

/** Kind of a custom resource -> where its specs stand in a stack file. */
const KEYS: Record<string, string> = { Proxy: "proxies", Connector: "connectors" };

/** Blocks of a Connector that this project does not carry out yet: it refuses them. */
const NOT_YET = ["healthCheck", "registration"];

interface Sample {
  file: string;
  kind: string;
  name: string;
  spec: Record<string, unknown>;
}

const folder = fileURLToPath(new URL("../../../shared/samples/ilm", import.meta.url));

/** Samples stand beside the project where it is developed, and are no part of it. */
function samples(): Sample[] {
  if (!existsSync(folder)) {
    assert.notEqual(process.env["CI"], "true", `${folder} is missing`);
    return [];
  }
  return globSync("*.yaml", { cwd: folder })
    .sort()
    .flatMap((file) =>
      loadAllYaml(readFileSync(`${folder}/${file}`, "utf8")).map((document) => ({
        file,
        document: document as unknown,
      })),
    )
    .filter(({ document }) => Object.hasOwn(KEYS, String(at(document, "kind"))))
    .map(({ file, document }) => ({
      file,
      kind: String(at(document, "kind")),
      name: String(at(document, "metadata", "name")),
      spec: Object.fromEntries(
        Object.entries(at(document, "spec") as object).filter(([block]) => !NOT_YET.includes(block)),
      ),
    }));
}

interface Ref {
  name: string;
  keys?: { secretKey?: string; configMapKey?: string }[];
}

/** What a sample expects to find, and a namespace that admits only hardened pods. */
async function prepare(zone: TestZone, { kind, spec }: Sample): Promise<void> {
  await zone.kubectl(["label", "namespace", zone.namespace, "pod-security.kubernetes.io/enforce=restricted"]);
  if (kind === "Proxy") await zone.putToken(String(at(spec, "configTokenSecretRef", "name")), "30d");
  const values = ({ keys = [] }: Ref): Record<string, string> =>
    Object.fromEntries([
      ["ca.crt", "x"],
      ...keys.map(({ secretKey, configMapKey }) => [secretKey ?? configMapKey, "x"]),
    ]) as Record<string, string>;
  const refs = (field: string): Ref[] => (spec[field] ?? []) as Ref[];
  const volumes = (spec["volumes"] ?? []) as { persistentVolumeClaim?: { claimName: string } }[];
  const claims = volumes.flatMap(({ persistentVolumeClaim: claim }) =>
    claim === undefined ? [] : claimed(zone.namespace, claim.claimName),
  );
  const objects = [
    ...refs("secretRefs").map((ref) => ({ kind: "Secret", name: ref.name, stringData: values(ref) })),
    ...refs("configMapRefs").map((ref) => ({ kind: "ConfigMap", name: ref.name, data: values(ref) })),
  ].map(({ kind, name, ...data }) => ({ apiVersion: "v1", kind, metadata: { name }, ...data }));
  if (objects.length + claims.length > 0) await zone.apply(...objects, ...claims);
}

/** A claim that has its volume. */
function claimed(namespace: string, name: string): object[] {
  const capacity = { storage: "1Gi" };
  const accessModes = ["ReadWriteMany"];
  const volumeName = `${namespace}-${name}`;
  const common = { accessModes, storageClassName: "" };
  return [
    {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: volumeName },
      spec: { ...common, capacity, claimRef: { namespace, name }, hostPath: { path: "/nowhere" } },
    },
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name },
      spec: { ...common, volumeName, resources: { requests: capacity } },
    },
  ];
}

for (const sample of samples()) {
  const { file, kind, name, spec } = sample;
  test(`${file}: ${name} is accepted as it is and comes up Running`, async (t) => {
    const zone = await TestZone.open(t, { [KEYS[kind] ?? ""]: { [name]: spec } });
    await prepare(zone, sample);
    const nodeSelector = (spec["nodeSelector"] ?? {}) as Record<string, string>;
    for (const [label, value] of Object.entries(nodeSelector)) {
      await zone.kubectl(["label", "node", "--all", "--overwrite", `${label}=${value}`]);
    }
    const run = await zone.up();
    assert.equal(run.code, 0, run.output);
    assert.equal((await zone.outputs(KEYS[kind]))[name]?.phase, "Running");
    const again = await zone.up("--expect-no-changes");
    assert.equal(again.code, 0, again.output);
  });
}
