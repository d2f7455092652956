import assert from "node:assert/strict";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { type ProxyInput, proxyManifests, specWarnings } from "../../components/proxy/manifests.ts";
import type { Identity } from "../../components/workload/labels.ts";
import type { Container, EnvVar } from "../../components/workload/manifest.ts";
import type { Problem } from "../../components/workload/validation.ts";
import type { WorkloadManifests } from "../../components/workload/workload.ts";

/** A string that no message, digest or output may ever hold. */
export const CANARY = "c4n4ry-s3cr3t";

export const identity: Identity = { name: "dc-east", namespace: "proxies", component: "proxy" };

/** The labels of everything that belongs to `identity`, written out. */
export const LABELS = {
  "app.kubernetes.io/name": "dc-east",
  "app.kubernetes.io/component": "proxy",
  "otilm.com/proxy": "dc-east",
  "app.kubernetes.io/managed-by": "pulumi-proxies",
};

/** The labels by which its pods are found, written out. */
export const SELECTOR = {
  "app.kubernetes.io/name": "dc-east",
  "app.kubernetes.io/component": "proxy",
  "otilm.com/proxy": "dc-east",
};

/** How pods are replaced unless a spec says otherwise, written out. */
export const ROLLING = {
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
  minReadySeconds: 10,
};

/** The scratch space that a proxy has unless its spec says otherwise, written out. */
export const TMP = {
  volumes: [{ name: "writable-tmp", emptyDir: { sizeLimit: "64Mi" } }],
  volumeMounts: [{ name: "writable-tmp", mountPath: "/tmp" }],
};

/** What the smallest proxy is rendered from, with the given differences. */
export function proxyInput(spec: ProxySpec = {}, differences: Partial<ProxyInput> = {}): ProxyInput {
  return {
    identity,
    spec: { configTokenSecretRef: { name: "dc-east-config" }, ...spec },
    token: { name: "dc-east-config", tokenKey: "configToken", signingKeyKey: "tokenSigningKey" },
    zone: { clusterDomain: "cluster.local" },
    billOfMaterials: {
      registry: "hub.omnitrustregistry.com",
      repository: "ilm",
      name: "proxy",
      tag: "1.0.0",
    },
    checksum: undefined,
    guarded: {},
    annotations: {},
    ...differences,
  };
}

export function render(spec?: ProxySpec, differences?: Partial<ProxyInput>): WorkloadManifests {
  return proxyManifests(proxyInput(spec, differences));
}

/** The one container of a rendered proxy. */
export function container(spec?: ProxySpec, differences?: Partial<ProxyInput>): Container {
  const [main, ...others] = render(spec, differences).deployment.spec.template.spec.containers;
  assert.deepEqual(others, []);
  return main;
}

/** The variables of which a spec's warnings say that they were left out, in the order of the warnings. */
export function dropped(spec: ProxySpec): string[] {
  const named = /^the variable (\w+) is reserved for the token and was left out$/;
  return specWarnings({ spec, guarded: {} }).map((warning) => named.exec(warning)?.[1] ?? warning);
}

/** Its environment. */
export function env(spec?: ProxySpec, differences?: Partial<ProxyInput>): EnvVar[] {
  return container(spec, differences).env ?? [];
}

/** The one problem that is reported. */
export function only(problems: readonly Problem[]): Problem {
  const [first, ...others] = problems;
  assert.deepEqual(others, []);
  assert.ok(first, "a problem is reported");
  return first;
}
