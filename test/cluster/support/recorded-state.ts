// States that stacks had with versions of the package, one file each in test/fixtures/states: what a run of that version
// left, in which namespace, stack, context and platform have been replaced by what stands for them.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { type OwnRepository, root } from "./own-repository.ts";
import type { StackFile, TestZone } from "./zone.ts";

const FOLDER = `${root}test/fixtures/states`;

/** What stands in a recorded state for what each zone has its own of. */
export type Names = Record<"<namespace>" | "<stack>" | "<context>" | "<platform>", string>;

/** The token of a recorded zone: its checksum is in the state. It never runs out. */
export const RECORDED_TOKEN = `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.${Buffer.from('{"v":1}').toString("base64url")}.recorded`;

/** What is in a recorded zone: an object of every kind that a cluster serves of itself, but no secret. */
export function recordedZone(platformUrl: string): StackFile {
  const image = { repository: "hub.example.com/ilm/x509", tag: "2.13.0" };
  const configTokenSecretRef = { name: "dc-west-config" };
  return {
    proxies: {
      "dc-west": { configTokenSecretRef, podDisruptionBudget: { enabled: true }, replicas: 2 },
      scaled: {
        configTokenSecretRef,
        resources: { requests: { cpu: "100m" } },
        autoscaling: { enabled: true, minReplicas: 1, maxReplicas: 3 },
      },
    },
    connectors: {
      x509: {
        image,
        healthCheck: { enabled: false },
        registration: { platformUrl, name: "X.509", authType: "none" },
      },
    },
  };
}

export interface RecordedState {
  /** The stack file's configuration. */
  config: object;
  /** What `pulumi stack export` gave. */
  state: { deployment: { resources: Resource[] } };
}

interface Resource {
  type: string;
  inputs?: object;
}

/** The version that is worked on. */
export const currentVersion = (JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string })
  .version;

/** The versions of which there is a state. */
export function recordedVersions(): string[] {
  return globSync("*.json", { cwd: FOLDER })
    .map((file) => basename(file, ".json"))
    .sort();
}

/** Keeps what a run of the current version has left; a state that is there stays, for released ones never change. */
export async function recordState(repository: OwnRepository, config: object, names: Names): Promise<void> {
  const { output } = await repository.passes("pulumi stack export");
  const { version, deployment } = JSON.parse(output) as { version: number; deployment: object };
  const state = { version, deployment: { ...deployment, secrets_providers: undefined } };
  let text = JSON.stringify({ config, state }, withoutPlaces, 2);
  for (const [placeholder, name] of Object.entries(names)) text = text.replaceAll(name, placeholder);
  assert.doesNotMatch(text, /ciphertext|\/(tmp|home|root)\//, "it holds a secret or a path of this machine");
  const file = `${FOLDER}/${currentVersion}.json`;
  if (!existsSync(file)) writeFileSync(file, `${text}\n`);
}

/** Where in the code a resource was made is no part of what it is. */
function withoutPlaces(key: string, value: unknown): unknown {
  return ["sourcePosition", "stackTrace"].includes(key) ? undefined : value;
}

export function readState(version: string, names: Names): RecordedState {
  let text = readFileSync(`${FOLDER}/${version}.json`, "utf8");
  for (const [placeholder, name] of Object.entries(names)) text = text.replaceAll(placeholder, name);
  return JSON.parse(text) as RecordedState;
}

/** Makes the objects of a state, as the provider did. */
export async function makeObjects(zone: TestZone, { state }: RecordedState): Promise<void> {
  const objects = state.deployment.resources.filter(({ type }) => type.startsWith("kubernetes:"));
  const list = { apiVersion: "v1", kind: "List", items: objects.map(({ inputs }) => inputs) };
  const apply = ["apply", "--server-side", "--field-manager=pulumi-proxies", "-f", "-"];
  await zone.kubectl(["--namespace", zone.namespace, ...apply], JSON.stringify(list));
  await zone.kube("rollout", "status", "deployment", "--timeout=120s");
}
