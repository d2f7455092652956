// Custom resources of the replaced operator, which nobody here wrote: their `spec` is pasted as it is.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadAllYaml } from "@kubernetes/client-node";
import { at, TestZone } from "./support/zone.ts";

interface Sample {
  file: string;
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
    .filter(({ document }) => at(document, "kind") === "Proxy")
    .map(({ file, document }) => ({
      file,
      name: String(at(document, "metadata", "name")),
      spec: at(document, "spec") as Record<string, unknown>,
    }));
}

/** What a sample expects to find, and a namespace that admits only hardened pods. */
async function prepare(zone: TestZone, spec: Record<string, unknown>): Promise<void> {
  await zone.kubectl(["label", "namespace", zone.namespace, "pod-security.kubernetes.io/enforce=restricted"]);
  await zone.putToken(String(at(spec, "configTokenSecretRef", "name")), "30d");
  const refs = (field: string): string[] =>
    ((spec[field] ?? []) as { name: string }[]).map(({ name }) => name);
  const objects = [
    ...refs("secretRefs").map((name) => ({ kind: "Secret", name, stringData: { "ca.crt": "x" } })),
    ...refs("configMapRefs").map((name) => ({ kind: "ConfigMap", name, data: { "ca.crt": "x" } })),
  ].map(({ kind, name, ...data }) => ({ apiVersion: "v1", kind, metadata: { name }, ...data }));
  if (objects.length > 0) await zone.apply(...objects);
}

for (const { file, name, spec } of samples()) {
  test(`${file}: ${name} is accepted as it is and comes up Running`, async (t) => {
    const zone = await TestZone.open(t, { proxies: { [name]: spec } });
    await prepare(zone, spec);
    const nodeSelector = (spec["nodeSelector"] ?? {}) as Record<string, string>;
    for (const [label, value] of Object.entries(nodeSelector)) {
      await zone.kubectl(["label", "node", "--all", "--overwrite", `${label}=${value}`]);
    }
    const run = await zone.up();
    assert.equal(run.code, 0, run.output);
    assert.equal((await zone.outputs())[name]?.phase, "Running");
    const again = await zone.up("--expect-no-changes");
    assert.equal(again.code, 0, again.output);
  });
}
