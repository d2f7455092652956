import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { renderDeployment } from "../../components/workload/deployment.ts";
import { identity, LABELS, render, ROLLING, SELECTOR } from "./support.ts";

const RESTRICTED = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

test("a workload with the least that there can be has no key more", () => {
  const deployment = renderDeployment({
    identity,
    replicas: 1,
    serviceAccountName: "dc-east",
    image: { reference: "i:1", version: "1", pullPolicy: "IfNotPresent", pullSecrets: [] },
    ports: [],
    env: [],
    probes: { liveness: undefined, readiness: undefined, startup: undefined },
    config: { env: [], envFrom: [], volumes: [], volumeMounts: [] },
    security: {},
    initContainers: [],
    sidecars: [],
    tolerations: [],
    podLabels: {},
    podAnnotations: {},
    annotations: {},
  });
  assert.deepEqual(deployment, {
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
              image: "i:1",
              imagePullPolicy: "IfNotPresent",
              ports: [],
              securityContext: { ...RESTRICTED, readOnlyRootFilesystem: true },
            },
          ],
        },
      },
    },
  });
});

const AFFINITY = {
  podAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 1, podAffinityTerm: { topologyKey: "kubernetes.io/hostname" } },
    ],
  },
};

const FULL: ProxySpec = {
  secretRefs: [
    { name: "ca", type: "volume", mountPath: "/etc/ca", keys: [{ secretKey: "ca.crt" }] },
    { name: "db", type: "env", keys: [{ secretKey: "pw", envVar: "DB_PASSWORD" }] },
    { name: "all", type: "env" },
  ],
  configMapRefs: [
    { name: "settings", type: "volume", mountPath: "/etc/settings" },
    { name: "levels", type: "env", keys: [{ configMapKey: "LEVEL" }] },
    { name: "more", type: "env" },
  ],
  volumes: [
    { name: "tmp", mountPath: "/tmp", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
    {
      name: "data",
      mountPath: "/data",
      persistentVolumeClaim: { claimName: "data", readOnly: true },
    },
  ],
  securityContext: { runAsNonRoot: false, readOnlyRootFilesystem: false, fsGroup: 10001 },
  terminationGracePeriodSeconds: 120,
  nodeSelector: { "kubernetes.io/os": "linux" },
  affinity: AFFINITY,
  initContainers: [
    { name: "init", image: "i:1", command: ["true"] },
    { name: "user", image: "i:2", securityContext: { runAsUser: 1001 } },
  ],
  sidecars: [{ name: "log", image: "s:1", securityContext: { privileged: true } }],
  probes: { liveness: { path: "/alive" }, readiness: {}, startup: {} },
  serviceAccount: { name: "shared", annotations: { "example.com/role": "r" } },
};

test("each field of a proxy stands in its place, and nothing else is there", () => {
  const { deployment } = render(FULL);
  assert.deepEqual(deployment.spec.template.spec, {
    serviceAccountName: "shared",
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
      fsGroup: 10001,
    },
    terminationGracePeriodSeconds: 120,
    nodeSelector: { "kubernetes.io/os": "linux" },
    affinity: AFFINITY,
    initContainers: [
      { name: "init", image: "i:1", command: ["true"], securityContext: RESTRICTED },
      {
        name: "user",
        image: "i:2",
        securityContext: { runAsUser: 1001, ...RESTRICTED, privileged: false },
      },
    ],
    containers: [
      {
        name: "proxy",
        image: "hub.omnitrustregistry.com/ilm/proxy:1.0.0",
        imagePullPolicy: "IfNotPresent",
        ports: [
          { name: "http", containerPort: 8080 },
          { name: "api", containerPort: 8081 },
        ],
        env: [
          {
            name: "PROXY_CONFIG_TOKEN",
            valueFrom: { secretKeyRef: { name: "dc-east-config", key: "configToken" } },
          },
          {
            name: "PROXY_TOKEN_SIGNING_KEY",
            valueFrom: { secretKeyRef: { name: "dc-east-config", key: "tokenSigningKey", optional: true } },
          },
          { name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "pw" } } },
          { name: "LEVEL", valueFrom: { configMapKeyRef: { name: "levels", key: "LEVEL" } } },
        ],
        envFrom: [{ secretRef: { name: "all" } }, { configMapRef: { name: "more" } }],
        livenessProbe: { httpGet: { path: "/alive", port: 8080 } },
        securityContext: { ...RESTRICTED, readOnlyRootFilesystem: false },
        volumeMounts: [
          { name: "secret-ca", mountPath: "/etc/ca", readOnly: true },
          { name: "configmap-settings", mountPath: "/etc/settings", readOnly: true },
          { name: "tmp", mountPath: "/tmp" },
          { name: "data", mountPath: "/data", readOnly: true },
        ],
      },
      { name: "log", image: "s:1", securityContext: { ...RESTRICTED, privileged: false } },
    ],
    volumes: [
      {
        name: "secret-ca",
        secret: { secretName: "ca", items: [{ key: "ca.crt", path: "ca.crt" }] },
      },
      { name: "configmap-settings", configMap: { name: "settings" } },
      { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
      { name: "data", persistentVolumeClaim: { claimName: "data", readOnly: true } },
    ],
  });
});

test("none of the fields touches the Deployment beside its pods, or the selector", () => {
  const { deployment } = render(FULL);
  const { template, ...rest } = deployment.spec;
  assert.deepEqual(deployment.metadata, render().deployment.metadata);
  assert.deepEqual(template.metadata, { labels: LABELS });
  assert.deepEqual(rest, {
    replicas: 1,
    ...ROLLING,
    progressDeadlineSeconds: 300,
    selector: { matchLabels: SELECTOR },
  });
});

const nothing: [string, ProxySpec][] = [
  ["empty lists", { secretRefs: [], configMapRefs: [], volumes: [], initContainers: [], sidecars: [] }],
  ["an empty security context", { securityContext: {} }],
  ["runAsNonRoot false, which is accepted and has no effect", { securityContext: { runAsNonRoot: false } }],
  ["an empty account", { serviceAccount: {} }],
  ["annotations of the account", { serviceAccount: { annotations: { a: "b" } } }],
  ["empty probes", { probes: {} }],
];

for (const [what, spec] of nothing) {
  test(`${what} leaves the Deployment as it is`, () => {
    assert.deepEqual(render(spec).deployment, render().deployment);
  });
}

test("a grace period of 0 is one", () => {
  assert.equal(
    render({ terminationGracePeriodSeconds: 0 }).deployment.spec.template.spec.terminationGracePeriodSeconds,
    0,
  );
});

test("two init containers and a sidecar without context are all hardened, in their order", () => {
  const { spec } = render({
    initContainers: [
      { name: "b", image: "i:1" },
      { name: "a", image: "i:2" },
    ],
    sidecars: [{ name: "c", image: "i:3" }],
  }).deployment.spec.template;
  assert.deepEqual(spec.initContainers, [
    { name: "b", image: "i:1", securityContext: RESTRICTED },
    { name: "a", image: "i:2", securityContext: RESTRICTED },
  ]);
  assert.deepEqual(spec.containers.slice(1), [{ name: "c", image: "i:3", securityContext: RESTRICTED }]);
});

test("no key of a proxy with every field is there with the value undefined", () => {
  const all = render(FULL);
  assert.deepEqual(JSON.parse(JSON.stringify(all)), all);
});
