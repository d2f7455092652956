import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionsOf } from "./support/outputs.ts";
import { at, TestZone } from "./support/zone.ts";

const file = {
  proxies: {
    "dc-east": {
      configTokenSecretRef: { name: "dc-east-config" },
      podDisruptionBudget: { enabled: true },
    },
  },
};

test("the first run makes the objects of a Proxy and ends Running; the second touches nothing", async (t) => {
  const zone = await TestZone.open(t, file);
  await zone.putToken("dc-east-config", "30d");

  const first = await zone.up();
  assert.equal(first.code, 0, first.output);
  const { "dc-east": output } = await zone.outputs();
  assert.equal(output?.phase, "Running");
  assert.equal(output.version, "1.0.0");
  assert.equal(output.ready, 1);
  assert.match(output.tokenExpiresAt ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(conditionsOf(output), [
    "Available=True/AllReplicasReady",
    "Degraded=False/Running",
    "Progressing=False/DeploymentComplete",
    "TokenExpiring=False/ConfigTokenValid",
  ]);

  const labels = {
    "app.kubernetes.io/component": "proxy",
    "app.kubernetes.io/managed-by": "pulumi-proxies",
    "app.kubernetes.io/name": "dc-east",
    "app.kubernetes.io/part-of": "network-zones",
    "otilm.com/proxy": "dc-east",
  };
  const selector = {
    "app.kubernetes.io/component": "proxy",
    "app.kubernetes.io/name": "dc-east",
    "otilm.com/proxy": "dc-east",
  };
  for (const kind of ["deployment", "service", "serviceaccount", "poddisruptionbudget", "networkpolicy"]) {
    const object = await zone.get(kind, "dc-east");
    assert.deepEqual(object.metadata.labels, labels, kind);
    assert.equal(
      object.metadata.annotations?.["pulumi-proxies.dev/owner"],
      `pulumi-proxies/${zone.stack}/Proxy/dc-east`,
    );
    const managers = object.metadata.managedFields?.filter(({ subresource }) => subresource === undefined);
    assert.deepEqual(
      managers?.map(({ manager }) => manager),
      ["pulumi-proxies"],
      kind,
    );
  }

  const deployment = await zone.get("deployment", "dc-east");
  assert.deepEqual(at(deployment, "spec", "selector", "matchLabels"), selector);
  const template = at(deployment, "spec", "template");
  assert.equal(at(template, "metadata", "annotations", "otilm.com/config-checksum"), output.configChecksum);
  assert.equal(at(template, "spec", "serviceAccountName"), "dc-east");
  assert.deepEqual(at(template, "spec", "securityContext"), {
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
  });
  const container = at(template, "spec", "containers", 0);
  assert.equal(at(container, "name"), "proxy");
  assert.equal(at(container, "image"), "hub.omnitrustregistry.com/ilm/proxy:1.0.0");
  assert.equal(at(container, "imagePullPolicy"), "IfNotPresent");
  assert.deepEqual(at(container, "ports"), [
    { containerPort: 8080, name: "http", protocol: "TCP" },
    { containerPort: 8081, name: "api", protocol: "TCP" },
  ]);
  assert.deepEqual(at(container, "env"), [
    {
      name: "PROXY_CONFIG_TOKEN",
      valueFrom: { secretKeyRef: { key: "configToken", name: "dc-east-config" } },
    },
    {
      name: "PROXY_TOKEN_SIGNING_KEY",
      valueFrom: { secretKeyRef: { key: "tokenSigningKey", name: "dc-east-config", optional: true } },
    },
  ]);
  assert.deepEqual(at(container, "securityContext"), {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
  });
  const service = await zone.get("service", "dc-east");
  assert.equal(at(service, "spec", "type"), "ClusterIP");
  assert.deepEqual(at(service, "spec", "selector"), selector);
  assert.deepEqual(at(service, "spec", "ports"), [
    { name: "http", port: 8080, protocol: "TCP", targetPort: 8080 },
    { name: "api", port: 8081, protocol: "TCP", targetPort: 8081 },
  ]);
  const policy = await zone.get("networkpolicy", "dc-east");
  assert.deepEqual(at(policy, "spec"), {
    ingress: [
      {
        from: [{ podSelector: {} }],
        ports: [
          { port: 8080, protocol: "TCP" },
          { port: 8081, protocol: "TCP" },
        ],
      },
    ],
    podSelector: { matchLabels: selector },
    policyTypes: ["Ingress"],
  });
  assert.deepEqual(at(await zone.get("poddisruptionbudget", "dc-east"), "spec"), {
    maxUnavailable: 1,
    selector: { matchLabels: selector },
    unhealthyPodEvictionPolicy: "AlwaysAllow",
  });

  const state = await zone.state();
  assert.ok(!state.includes(zone.cluster.kubeconfig), "the kubeconfig's path is nobody else's business");
  assert.match(state, /"clusterIdentifier": "zone"/);
  assert.ok(!state.includes("components/"), "nor where the program lies");
  assert.match(state, /"kubeClientSettings": ".*\\"timeout\\":60/, "the provider waits for ever by itself");

  const before = await zone.fingerprint();
  const second = await zone.up("--expect-no-changes");
  assert.equal(second.code, 0, second.output);
  assert.deepEqual(Object.keys(second.changes), ["unchanged"]);
  assert.deepEqual(await zone.fingerprint(), before);
  const preview = await zone.preview("--expect-no-changes");
  assert.equal(preview.code, 0, preview.output);
});
