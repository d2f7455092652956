import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { container, identity, LABELS, render, SELECTOR, ROLLING, TMP } from "./support.ts";

const HARDENED = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
  readOnlyRootFilesystem: true,
};

const PROBES = {
  livenessProbe: {
    httpGet: { path: "/health", port: 8080 },
    initialDelaySeconds: 10,
    periodSeconds: 30,
    failureThreshold: 3,
  },
  readinessProbe: {
    httpGet: { path: "/ready", port: 8080 },
    initialDelaySeconds: 5,
    periodSeconds: 10,
    failureThreshold: 3,
  },
  startupProbe: {
    httpGet: { path: "/health", port: 8080 },
    initialDelaySeconds: 0,
    periodSeconds: 10,
    failureThreshold: 30,
  },
};

const TOKEN_ENV = [
  { name: "PROXY_CONFIG_TOKEN", valueFrom: { secretKeyRef: { name: "dc-east-config", key: "configToken" } } },
  {
    name: "PROXY_TOKEN_SIGNING_KEY",
    valueFrom: { secretKeyRef: { name: "dc-east-config", key: "tokenSigningKey", optional: true } },
  },
];

test("the smallest proxy's Deployment holds what the operator's does, and no key more", () => {
  assert.deepEqual(render().deployment, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "dc-east", namespace: "proxies", labels: LABELS, annotations: {} },
    spec: {
      replicas: 1,
      ...ROLLING,
      progressDeadlineSeconds: 300,
      selector: { matchLabels: SELECTOR },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: "dc-east",
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          containers: [
            {
              name: "proxy",
              image: "hub.omnitrustregistry.com/ilm/proxy:1.0.0",
              imagePullPolicy: "IfNotPresent",
              ports: [
                { name: "http", containerPort: 8080 },
                { name: "api", containerPort: 8081 },
              ],
              env: TOKEN_ENV,
              ...PROBES,
              securityContext: HARDENED,
              volumeMounts: TMP.volumeMounts,
            },
          ],
          volumes: TMP.volumes,
        },
      },
    },
  });
});

const FULL: ProxySpec = {
  replicas: 3,
  image: {
    registry: "example.com",
    repository: "custom",
    tag: "9.9.9",
    pullPolicy: "Always",
    pullSecrets: ["pull"],
    command: ["/proxy"],
    args: ["--verbose"],
  },
  resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
  env: [{ name: "LOG_LEVEL", value: "debug" }, { name: "EMPTY" }],
  tolerations: [{ key: "egress", operator: "Exists" }],
  podLabels: { team: "network" },
  podAnnotations: { "example.com/note": "x" },
  rollout: { progressDeadlineSeconds: 60 },
};

test("a proxy with every option renders each in its place", () => {
  const { deployment } = render(FULL, {
    identity: { ...identity, labels: { "app.kubernetes.io/part-of": "network-zones" } },
    zone: {
      clusterDomain: "cluster.local",
      image: { pullSecrets: ["mirror"] },
      tolerations: [{ key: "zone", operator: "Exists" }],
    },
    checksum: "f".repeat(64),
    annotations: { "pulumi-proxies.dev/token-expires-at": "2027-01-01T00:00:00Z" },
  });
  const labels = { ...LABELS, "app.kubernetes.io/part-of": "network-zones" };
  assert.deepEqual(deployment, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "dc-east",
      namespace: "proxies",
      labels,
      annotations: { "pulumi-proxies.dev/token-expires-at": "2027-01-01T00:00:00Z" },
    },
    spec: {
      replicas: 3,
      ...ROLLING,
      progressDeadlineSeconds: 60,
      selector: { matchLabels: SELECTOR },
      template: {
        metadata: {
          labels: { ...labels, team: "network" },
          annotations: { "example.com/note": "x", "otilm.com/config-checksum": "f".repeat(64) },
        },
        spec: {
          serviceAccountName: "dc-east",
          automountServiceAccountToken: false,
          imagePullSecrets: [{ name: "pull" }, { name: "mirror" }],
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          tolerations: [
            { key: "zone", operator: "Exists" },
            { key: "egress", operator: "Exists" },
          ],
          containers: [
            {
              name: "proxy",
              image: "example.com/custom/proxy:9.9.9",
              imagePullPolicy: "Always",
              command: ["/proxy"],
              args: ["--verbose"],
              ports: [
                { name: "http", containerPort: 8080 },
                { name: "api", containerPort: 8081 },
              ],
              env: [{ name: "LOG_LEVEL", value: "debug" }, { name: "EMPTY", value: "" }, ...TOKEN_ENV],
              resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
              ...PROBES,
              securityContext: HARDENED,
              volumeMounts: TMP.volumeMounts,
            },
          ],
          volumes: TMP.volumes,
        },
      },
    },
  });
});

test("replicas 0 stays 0", () => {
  assert.equal(render({ replicas: 0 }).deployment.spec.replicas, 0);
});

test("podLabels cannot replace the workload's labels", () => {
  const { labels } = render({ podLabels: { team: "a", "app.kubernetes.io/name": "spoofed" } }).deployment.spec
    .template.metadata;
  assert.deepEqual(labels, { ...LABELS, team: "a" });
});

test("podLabels win over the zone's labels, as a component's args do over all defaults", () => {
  const zoned = { ...identity, labels: { team: "zone" } };
  const { deployment } = render({ podLabels: { team: "own" } }, { identity: zoned });
  assert.equal(deployment.spec.template.metadata.labels["team"], "own");
  assert.equal(deployment.metadata.labels["team"], "zone");
});

test("podAnnotations cannot replace the checksum", () => {
  const { deployment } = render(
    { podAnnotations: { "otilm.com/config-checksum": "mine", note: "kept" } },
    { checksum: "a".repeat(64) },
  );
  assert.deepEqual(deployment.spec.template.metadata.annotations, {
    note: "kept",
    "otilm.com/config-checksum": "a".repeat(64),
  });
});

test("checksum and expiry of the template's config do not touch the Deployment's other fields", () => {
  const before = render(
    {},
    { annotations: { "pulumi-proxies.dev/token-expires-at": "2027-01-01T00:00:00Z" } },
  );
  const after = render(
    {},
    { annotations: { "pulumi-proxies.dev/token-expires-at": "2028-01-01T00:00:00Z" } },
  );
  assert.deepEqual(before.deployment.spec, after.deployment.spec);
});

test("a side of resources that is not given is absent", () => {
  assert.deepEqual(container({ resources: { requests: { cpu: "1" } } }).resources, {
    requests: { cpu: "1" },
  });
  assert.deepEqual(container({ resources: { limits: { cpu: "1" } } }).resources, { limits: { cpu: "1" } });
});

test("no key of any manifest is there with the value undefined", () => {
  const undefinedPaths = (value: unknown, path: string): string[] => {
    if (value === undefined) return [path];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, child]) => undefinedPaths(child, `${path}.${key}`));
  };
  assert.deepEqual(undefinedPaths(render(), "smallest"), []);
  assert.deepEqual(undefinedPaths(render(FULL), "full"), []);
});
