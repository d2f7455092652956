// Rows 92 to 108 of the facts on the operator, and what is better here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectorImage, specWarnings } from "../../components/connector/manifests.ts";
import { connectorInput, IMAGE, renderConnector } from "./connector-support.ts";

const pod = (...given: Parameters<typeof renderConnector>) =>
  renderConnector(...given).deployment.spec.template.spec;

test("replicas, pull policy, names, labels and the one port", () => {
  const { deployment, service, serviceAccount, networkPolicy } = renderConnector({
    replicas: 3,
    image: { ...IMAGE, pullPolicy: "Always" },
  });
  const [container] = deployment.spec.template.spec.containers;
  assert.equal(deployment.spec.replicas, 3);
  assert.equal(container.name, "connector");
  assert.equal(container.imagePullPolicy, "Always");
  assert.deepEqual(container.ports, [{ name: "http", containerPort: 8080 }]);
  assert.deepEqual(service.spec.ports, [{ name: "http", port: 8080, targetPort: 8080, protocol: "TCP" }]);
  assert.equal(service.spec.type, "ClusterIP");
  const selector = {
    "app.kubernetes.io/name": "x509",
    "app.kubernetes.io/component": "connector",
    "otilm.com/connector": "x509",
  };
  assert.deepEqual(deployment.spec.selector.matchLabels, selector);
  assert.deepEqual(service.spec.selector, selector);
  assert.deepEqual(serviceAccount.metadata.labels, {
    ...selector,
    "app.kubernetes.io/managed-by": "pulumi-proxies",
  });
  assert.deepEqual(networkPolicy.spec.ingress[0]?.ports, [{ port: 8080, protocol: "TCP" }]);
});

test("another port and type: the container, the probes, the Service and the policy follow", () => {
  const { deployment, service, networkPolicy } = renderConnector({
    service: { port: 8443, type: "LoadBalancer" },
  });
  const [container] = deployment.spec.template.spec.containers;
  assert.deepEqual(container.ports, [{ name: "http", containerPort: 8443 }]);
  assert.equal(container.livenessProbe?.httpGet.port, 8443);
  assert.equal(service.spec.type, "LoadBalancer");
  assert.equal(service.spec.ports[0]?.port, 8443);
  assert.deepEqual(networkPolicy.spec.ingress[0]?.ports, [{ port: 8443, protocol: "TCP" }]);
});

test("the probes of the health interface, version 2", () => {
  const [container] = pod().containers;
  assert.deepEqual(container.livenessProbe, {
    httpGet: { path: "/v2/health/liveness", port: 8080 },
    initialDelaySeconds: 15,
    periodSeconds: 10,
    failureThreshold: 3,
  });
  assert.deepEqual(container.readinessProbe, {
    httpGet: { path: "/v2/health/readiness", port: 8080 },
    initialDelaySeconds: 5,
    periodSeconds: 10,
    failureThreshold: 3,
  });
  assert.deepEqual(container.startupProbe, {
    httpGet: { path: "/v2/health/liveness", port: 8080 },
    initialDelaySeconds: 0,
    periodSeconds: 10,
    failureThreshold: 45,
  });
});

test("a probe is overridden as a whole, and is off without a path", () => {
  const [container] = pod({
    probes: { liveness: { periodSeconds: 5 }, startup: { path: "/up" } },
  }).containers;
  assert.equal(container.livenessProbe, undefined);
  assert.deepEqual(container.startupProbe, { httpGet: { path: "/up", port: 8080 } });
  assert.equal(container.readinessProbe?.httpGet.path, "/v2/health/readiness");
});

test("Secrets and ConfigMaps as variables and files", () => {
  const { containers, volumes } = pod({
    secretRefs: [
      { name: "db", type: "env", keys: [{ secretKey: "user", envVar: "DB_USER" }] },
      { name: "all", type: "env" },
      {
        name: "tls",
        type: "volume",
        mountPath: "/etc/tls",
        keys: [{ secretKey: "tls.crt", path: "cert.pem" }],
      },
    ],
    configMapRefs: [
      { name: "settings", type: "env" },
      { name: "files", type: "volume", mountPath: "/etc/files" },
    ],
  });
  assert.deepEqual(containers[0].env, [
    { name: "DB_USER", valueFrom: { secretKeyRef: { name: "db", key: "user" } } },
  ]);
  assert.deepEqual(containers[0].envFrom, [
    { secretRef: { name: "all" } },
    { configMapRef: { name: "settings" } },
  ]);
  const named = (volumes ?? []).filter(({ name }) => !name.startsWith("writable-"));
  assert.deepEqual(named, [
    { name: "secret-tls", secret: { secretName: "tls", items: [{ key: "tls.crt", path: "cert.pem" }] } },
    { name: "configmap-files", configMap: { name: "files" } },
  ]);
});

test("hardening holds whatever the spec says, for further containers, too", () => {
  const { securityContext, containers, initContainers } = pod({
    securityContext: { runAsNonRoot: false, readOnlyRootFilesystem: false, fsGroup: 10001 },
    sidecars: [{ name: "side", image: "side:1", securityContext: { privileged: true } }],
    initContainers: [{ name: "init", image: "init:1" }],
  });
  assert.equal(securityContext.runAsNonRoot, true);
  assert.equal(securityContext.fsGroup, 10001);
  assert.equal(containers[0].securityContext.readOnlyRootFilesystem, false);
  assert.equal(containers[0].securityContext.runAsNonRoot, true);
  for (const container of [containers[1], initContainers?.[0]]) {
    assert.equal(container?.securityContext.allowPrivilegeEscalation, false);
    assert.deepEqual(container.securityContext.capabilities, { drop: ["ALL"] });
  }
});

test("lifecycle: grace, and a budget", () => {
  const { deployment, podDisruptionBudget } = renderConnector({
    replicas: 3,
    lifecycle: {
      terminationGracePeriodSeconds: 60,
      podDisruptionBudget: { enabled: true, minAvailable: 2 },
    },
  });
  assert.equal(deployment.spec.template.spec.terminationGracePeriodSeconds, 60);
  assert.equal(podDisruptionBudget.spec.minAvailable, 2);
});

test("metrics under /v1/metrics, on the Service's port; another port is named as idle", () => {
  const metrics = { enabled: true, port: 9090, serviceMonitor: { enabled: true } };
  const { serviceMonitor } = renderConnector({ metrics });
  assert.deepEqual(serviceMonitor.spec.endpoints, [{ port: "http", path: "/v1/metrics" }]);
  const warned = specWarnings(connectorInput({ metrics }));
  assert.deepEqual(warned, [
    "metrics.port has no effect: metrics are scraped on service.port, which is 8080",
  ]);
  assert.deepEqual(specWarnings(connectorInput({ metrics: { ...metrics, port: 8080 } })), []);
});

const mirror = {
  clusterDomain: "cluster.local",
  image: { registry: "mirror.example.com", pullSecrets: ["mirror"] },
};

for (const [what, image, reference] of [
  ["a repository with its registry keeps it", IMAGE, "hub.example.com/ilm/x509:1.3.1"],
  [
    "a repository with the port of its registry",
    { ...IMAGE, repository: "hub:5000/x509" },
    "hub:5000/x509:1.3.1",
  ],
  ["a repository of this machine", { ...IMAGE, repository: "localhost/x509" }, "localhost/x509:1.3.1"],
  [
    "a repository without registry comes from the zone's",
    { ...IMAGE, repository: "ilm/x509" },
    "mirror.example.com/ilm/x509:1.3.1",
  ],
  ["a name alone as well", { ...IMAGE, repository: "x509" }, "mirror.example.com/x509:1.3.1"],
  [
    "a registry of its own",
    { ...IMAGE, repository: "ilm/x509", registry: "own.example.com" },
    "own.example.com/ilm/x509:1.3.1",
  ],
  [
    "a digest takes the tag's place",
    { ...IMAGE, digest: `sha256:${"a".repeat(64)}` },
    `hub.example.com/ilm/x509@sha256:${"a".repeat(64)}`,
  ],
] as const) {
  test(`image: ${what}`, () => {
    const resolved = connectorImage(connectorInput({ image }, { zone: mirror }));
    assert.equal(resolved.reference, reference);
    assert.deepEqual(resolved.pullSecrets, ["mirror"]);
  });
}
