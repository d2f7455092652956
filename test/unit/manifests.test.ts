import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyManifests } from "../../components/proxy/manifests.ts";
import type { WorkloadManifests } from "../../components/workload/workload.ts";
import type { Manifest } from "../../components/workload/manifest.ts";
import { wantsServiceMonitor } from "../../components/workload/servicemonitor.ts";
import type { PodDisruptionBudgetSpec } from "../../components/workload/availability-specs.ts";
import type { MetricsSpec } from "../../components/workload/specs.ts";
import { identity, LABELS, proxyInput, render, SELECTOR } from "./support.ts";

function manifestsOf(all: WorkloadManifests): Manifest[] {
  return Object.values<Manifest>({ ...all });
}

const METADATA = { name: "dc-east", namespace: "proxies", labels: LABELS };

test("the Service is a ClusterIP with the two ports on equal target ports", () => {
  assert.deepEqual(render().service, {
    apiVersion: "v1",
    kind: "Service",
    metadata: METADATA,
    spec: {
      type: "ClusterIP",
      selector: SELECTOR,
      ports: [
        { name: "http", port: 8080, targetPort: 8080, protocol: "TCP" },
        { name: "api", port: 8081, targetPort: 8081, protocol: "TCP" },
      ],
    },
  });
});

test("the ServiceAccount is the proxy's own and has nothing but a name", () => {
  assert.deepEqual(render().serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata: METADATA });
});

test("the NetworkPolicy admits pods of the namespace to both ports, leaves egress open, and says no more", () => {
  assert.deepEqual(render().networkPolicy, {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: METADATA,
    spec: {
      podSelector: { matchLabels: SELECTOR },
      policyTypes: ["Ingress"],
      ingress: [
        {
          ports: [
            { port: 8080, protocol: "TCP" },
            { port: 8081, protocol: "TCP" },
          ],
          from: [{ podSelector: {} }],
        },
      ],
    },
  });
});

const budgets: [string, PodDisruptionBudgetSpec, object][] = [
  ["lets the one pod go when no bound is given", { enabled: true }, { maxUnavailable: 1 }],
  ["takes minAvailable", { enabled: true, minAvailable: "50%" }, { minAvailable: "50%" }],
  ["takes maxUnavailable alone", { enabled: true, maxUnavailable: 2 }, { maxUnavailable: 2 }],
  [
    "lets minAvailable win over maxUnavailable",
    { enabled: true, minAvailable: 2, maxUnavailable: 1 },
    { minAvailable: 2 },
  ],
  ["takes a bound of 0", { enabled: true, minAvailable: 0 }, { minAvailable: 0 }],
  ["takes maxUnavailable 0", { enabled: true, maxUnavailable: 0 }, { maxUnavailable: 0 }],
];

for (const [does, podDisruptionBudget, bound] of budgets) {
  test(`a PodDisruptionBudget ${does}`, () => {
    assert.deepEqual(render({ podDisruptionBudget }).podDisruptionBudget, {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: METADATA,
      spec: { selector: { matchLabels: SELECTOR }, ...bound, unhealthyPodEvictionPolicy: "AlwaysAllow" },
    });
  });
}

test("a ServiceMonitor scrapes /metrics of the http port in its own namespace, without an interval of its own", () => {
  assert.deepEqual(render({ metrics: { enabled: true, serviceMonitor: { enabled: true } } }).serviceMonitor, {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: METADATA,
    spec: {
      selector: { matchLabels: SELECTOR },
      namespaceSelector: { matchNames: ["proxies"] },
      endpoints: [{ port: "http", path: "/metrics" }],
    },
  });
});

test("path, interval and labels of a ServiceMonitor are the user's, whose labels win", () => {
  const { serviceMonitor } = render({
    metrics: {
      enabled: true,
      path: "/custom",
      serviceMonitor: {
        enabled: true,
        interval: "15s",
        labels: { release: "prometheus", "app.kubernetes.io/managed-by": "me" },
      },
    },
  });
  assert.deepEqual(serviceMonitor.metadata.labels, {
    ...LABELS,
    release: "prometheus",
    "app.kubernetes.io/managed-by": "me",
  });
  assert.deepEqual(serviceMonitor.spec, {
    selector: { matchLabels: SELECTOR },
    namespaceSelector: { matchNames: ["proxies"] },
    endpoints: [{ port: "http", path: "/custom", interval: "15s" }],
  });
});

const monitors: [boolean, MetricsSpec | undefined][] = [
  [false, undefined],
  [false, { enabled: true }],
  [false, { enabled: true, serviceMonitor: { enabled: false } }],
  [false, { enabled: false, serviceMonitor: { enabled: true } }],
  [true, { enabled: true, serviceMonitor: { enabled: true } }],
];

for (const [wanted, metrics] of monitors) {
  test(`a ServiceMonitor is ${wanted ? "" : "not "}wanted with metrics ${JSON.stringify(metrics)}`, () => {
    assert.equal(wantsServiceMonitor(metrics), wanted);
  });
}

test("labels of the zone reach every object and pod, and no selector", () => {
  const zoned = { ...identity, labels: { zone: "east" } };
  const all = proxyManifests(proxyInput({}, { identity: zoned }));
  for (const { kind, metadata } of manifestsOf(all))
    assert.deepEqual(metadata.labels, { ...LABELS, zone: "east" }, kind);
  assert.equal(all.deployment.spec.template.metadata.labels["zone"], "east");
  assert.deepEqual(all.deployment.spec.selector.matchLabels, SELECTOR);
  assert.deepEqual(all.service.spec.selector, SELECTOR);
  assert.deepEqual(all.podDisruptionBudget.spec.selector.matchLabels, SELECTOR);
  assert.deepEqual(all.networkPolicy.spec.podSelector.matchLabels, SELECTOR);
  assert.deepEqual(all.serviceMonitor.spec.selector.matchLabels, SELECTOR);
});

test("every object bears the proxy's name, verbatim, in the zone's namespace", () => {
  for (const { kind, metadata } of manifestsOf(render())) {
    assert.deepEqual([metadata.name, metadata.namespace], ["dc-east", "proxies"], kind);
  }
});

test("rendering twice gives the same bytes", () => {
  assert.equal(JSON.stringify(render()), JSON.stringify(render()));
});
