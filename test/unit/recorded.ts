// Proxies whose manifests are recorded in test/fixtures/manifests: `<case>/spec.yaml` and one file for each child.
import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { loadYaml } from "@kubernetes/client-node";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { checkProxy } from "../../components/proxy/checks.ts";
import { tokenSource } from "../../components/proxy/token.ts";
import type { Manifest } from "../../components/workload/manifest.ts";
import { registeredManifests } from "./registered.ts";
import { proxyInput } from "./support.ts";

const folder = fileURLToPath(new URL("../fixtures/manifests", import.meta.url));
const sample = fileURLToPath(new URL("../../../shared/samples/ilm/proxy_full.yaml", import.meta.url));

export const RECORDED = ["minimal", "full", "openshift", "autoscaled", "paused"] as const;
export type Recorded = (typeof RECORDED)[number];

/**
 * Why a case can't be tried here, or undefined: that with everything is a sample of the replaced operator, which stands
 * beside the project where it is developed.
 */
export function untried(name: Recorded): string | undefined {
  if (name !== "full" || existsSync(sample)) return undefined;
  assert.notEqual(process.env["CI"], "true", `${sample} is missing`);
  return "the sample is not here";
}

/** The manifests of a case, rendered: file name -> JSON. */
export function renderCase(name: Recorded): Record<string, string> {
  const given = readCase(name);
  const { spec, problems } = checkProxy(given.name, given.spec, false, name);
  assert.deepEqual(problems, []);
  const identity = { name: given.name, namespace: "proxies", component: "proxy", labels: { team: "edge" } };
  const input = proxyInput(spec, {
    identity,
    token: tokenSource(given.name, spec as ProxySpec),
    checksum: "0f".repeat(32),
    annotations: { "pulumi-proxies.dev/token-expires-at": "2027-01-01T00:00:00Z" },
  });
  // As JSON: the YAML writer of the Kubernetes client drops what its classes name otherwise.
  const children = Object.entries(registeredManifests(input)).map(([child, manifest]) => [
    `${child}.json`,
    `${JSON.stringify(manifest, null, 2)}\n`,
  ]);
  return Object.fromEntries(children) as Record<string, string>;
}

/** The manifests of a case as they were recorded: file name -> JSON. */
export function recordedCase(name: Recorded): Record<string, string> {
  const files = globSync(`${folder}/${name}/*.json`);
  return Object.fromEntries(files.sort().map((file) => [basename(file), readFileSync(file, "utf8")]));
}

/** The same, parsed. */
export function recordedManifests(name: Recorded): Manifest[] {
  return Object.values(recordedCase(name)).map((text) => JSON.parse(text) as Manifest);
}

/** Writes down what a case renders to now. */
export function record(name: Recorded): void {
  mkdirSync(`${folder}/${name}`, { recursive: true });
  for (const file of Object.keys(recordedCase(name))) rmSync(`${folder}/${name}/${file}`);
  for (const [file, text] of Object.entries(renderCase(name)))
    writeFileSync(`${folder}/${name}/${file}`, text);
}

function readCase(name: Recorded): { name: string; spec: unknown } {
  if (name !== "full") {
    return { name: "dc-east", spec: loadYaml<unknown>(readFileSync(`${folder}/${name}/spec.yaml`, "utf8")) };
  }
  const { metadata, spec } = loadYaml<{ metadata: { name: string }; spec: unknown }>(
    readFileSync(sample, "utf8"),
  );
  return { name: metadata.name, spec };
}
