// Custom resources of the replaced operator, which nobody here wrote: their `spec` is pasted as it is.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadAllYaml } from "@kubernetes/client-node";
import { deployPlatform, passes } from "./support/registering.ts";
import { openStub, replyJson } from "./support/stub.ts";
import type { ProxyOutput } from "./support/outputs.ts";
import { at, TestZone } from "./support/zone.ts";

/** Kind of a custom resource -> where its specs stand in a stack file. */
const KEYS: Record<string, string> = { Proxy: "proxies", Connector: "connectors" };

const CREATED = { uuid: "3f0b9c1e-7a52-4a44-9d1c-5c8c0b7f8a11", status: "waitingForApproval" };

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
      spec: at(document, "spec") as Record<string, unknown>,
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

/** Brings a sample up as it is, and runs once more, which changes nothing. */
async function bringUp(t: TestContext, sample: Sample): Promise<ProxyOutput> {
  const { kind, name, spec } = sample;
  const zone = await TestZone.open(t, { [KEYS[kind] ?? ""]: { [name]: spec } });
  await prepare(zone, sample);
  const nodeSelector = (spec["nodeSelector"] ?? {}) as Record<string, string>;
  for (const [label, value] of Object.entries(nodeSelector)) {
    await zone.kubectl(["label", "node", "--all", "--overwrite", `${label}=${value}`]);
  }
  passes(await zone.up());
  const output = (await zone.outputs(KEYS[kind]))[name];
  passes(await zone.up("--expect-no-changes"));
  assert.ok(output);
  return output;
}

const registers = ({ spec }: Sample): boolean => Object.hasOwn(spec, "registration");

for (const sample of samples().filter((each) => !registers(each))) {
  test(`${sample.file}: ${sample.name} is accepted as it is and comes up Running`, async (t) => {
    assert.equal((await bringUp(t, sample)).phase, "Running");
  });
}

test("samples that register with the platform of their cluster do so once", async (t) => {
  const registering = samples().filter(registers);
  const platform = await openStub(t, { "/api/v2/connector/register": replyJson(200, CREATED) });
  const zone = await TestZone.open(t, {});
  // Their platformUrl is http://core.ilm.svc.cluster.local:8080/api.
  await zone.makeNamespace("ilm");
  await deployPlatform(zone, "ilm", platform, 8080);
  for (const sample of registering) {
    await t.test(`${sample.file}: ${sample.name}`, async (own) => {
      const { phase, registration } = await bringUp(own, sample);
      assert.equal(phase, "Running");
      assert.equal(registration?.uuid, CREATED.uuid);
      assert.equal(registration.status, CREATED.status);
    });
  }
  assert.deepEqual(
    platform.requests.map(({ method, body }) => [method, (JSON.parse(body) as { name: string }).name]),
    registering.map(({ spec }) => ["POST", at(spec, "registration", "name")]),
  );
});
