import assert from "node:assert/strict";
import { test } from "node:test";
import { Proxy } from "../../components/index.ts";
import { Zone } from "../../components/zone/zone.ts";
import { metadata, reveal, run, the, valueOf } from "./support/engine.ts";
import { REF, runProxy } from "./support/proxy.ts";
import { found, MISSING, openZone, OWNER } from "./support/zone.ts";

const FULL = {
  configToken: "jwt",
  replicas: 2,
  podDisruptionBudget: { enabled: true },
  metrics: { enabled: true, serviceMonitor: { enabled: true } },
  networkPolicy: { enabled: true },
} as const;
const WORLD = { secrets: { "dc-east-config-token": MISSING }, lists: { ServiceMonitor: found([]) } };

// Frozen: a changed type token or name deletes the live object and makes it anew. Change it only together with aliases.
const URNS = [
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:apps/v1:Deployment::dc-east",
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:core/v1:Secret::dc-east-config-token",
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:core/v1:Service::dc-east",
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:core/v1:ServiceAccount::dc-east",
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:monitoring.coreos.com/v1:ServiceMonitor::dc-east",
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:networking.k8s.io/v1:NetworkPolicy::dc-east",
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:policy/v1:PodDisruptionBudget::dc-east",
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy::dc-east",
  "urn:pulumi:prod-dc-east::pulumi-proxies::pulumi:providers:kubernetes::zone",
];
const PROXY = "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy::dc-east";
const PROVIDER = "urn:pulumi:prod-dc-east::pulumi-proxies::pulumi:providers:kubernetes::zone";
const child = (type: string, name = "dc-east") =>
  `urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:${type}::${name}`;

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`the URNs of a proxy with everything are frozen, ${when}`, async () => {
    const { urns } = await runProxy({ preview, args: FULL, world: WORLD });
    assert.deepEqual(urns.sort(), URNS);
  });

  test(`every object is the proxy's child, made by the zone's provider, ${when}`, async () => {
    const { registrations } = await runProxy({ preview, args: FULL, world: WORLD });
    const objects = registrations.filter(({ type }) => type.startsWith("kubernetes:"));
    assert.equal(objects.length, 7);
    for (const { type, parent, provider } of objects) {
      assert.equal(parent, PROXY, type);
      assert.equal(provider.slice(0, provider.lastIndexOf("::")), PROVIDER, type);
    }
  });

  test(`every object carries its owner and is applied by force under one manager, ${when}`, async () => {
    const { registrations } = await runProxy({ preview, args: FULL, world: WORLD });
    const objects = registrations.filter(({ type }) => type.startsWith("kubernetes:"));
    for (const registration of objects) {
      const { annotations } = metadata(registration);
      assert.equal(annotations["pulumi-proxies.dev/owner"], OWNER, registration.type);
      assert.equal(annotations["pulumi.com/patchForce"], "true", registration.type);
      assert.equal(annotations["pulumi.com/patchFieldManager"], "pulumi-proxies", registration.type);
      const skips = /Deployment|:Service(Account)?$/.test(registration.type) ? "true" : undefined;
      assert.equal(annotations["pulumi.com/skipAwait"], skips, registration.type);
      assert.equal("pulumi-proxies.dev/repairs" in annotations, false, registration.type);
    }
  });

  test(`the Deployment waits for what its pods need, ${when}`, async () => {
    const recorded = await runProxy({ preview, args: FULL, world: WORLD });
    const { dependencies } = the(recorded, "Deployment");
    assert.ok(dependencies.includes(child("core/v1:ServiceAccount")));
    assert.ok(dependencies.includes(child("core/v1:Secret", "dc-east-config-token")));
  });

  test(`no object ignores changes, has a hook or outlives its deletion while nothing is wrong, ${when}`, async () => {
    const { registrations } = await runProxy({ preview, args: FULL, world: WORLD });
    for (const each of registrations) {
      const { ignoreChanges, beforeCreate, beforeUpdate, retainOnDelete } = each;
      assert.deepEqual(
        { ignoreChanges, beforeCreate, beforeUpdate, retainOnDelete },
        { ignoreChanges: [], beforeCreate: [], beforeUpdate: [], retainOnDelete: false },
        each.type,
      );
    }
  });
}

test("what is registered is what was rendered, with ownership laid over it", async () => {
  const recorded = await runProxy({ args: { ...REF, podAnnotations: { note: "x" } } });
  const { inputs } = the(recorded, "Service");
  assert.deepEqual(reveal(inputs), {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "dc-east",
      namespace: "proxies",
      labels: {
        "app.kubernetes.io/name": "dc-east",
        "app.kubernetes.io/component": "proxy",
        "otilm.com/proxy": "dc-east",
        "app.kubernetes.io/managed-by": "pulumi-proxies",
      },
      annotations: {
        "pulumi-proxies.dev/owner": OWNER,
        "pulumi.com/patchForce": "true",
        "pulumi.com/patchFieldManager": "pulumi-proxies",
        "pulumi.com/skipAwait": "true",
      },
    },
    spec: {
      type: "ClusterIP",
      selector: {
        "app.kubernetes.io/name": "dc-east",
        "app.kubernetes.io/component": "proxy",
        "otilm.com/proxy": "dc-east",
      },
      ports: [
        { name: "http", port: 8080, targetPort: 8080, protocol: "TCP" },
        { name: "api", port: 8081, targetPort: 8081, protocol: "TCP" },
      ],
    },
  });
});

test("every object waits for what the zone waits for, such as its namespace", async () => {
  const { registrations } = await run(false, async () => {
    const { zone, provider } = openZone(false);
    const waiting = new Zone({ ...zone.parts, dependsOn: [provider] });
    await valueOf(new Proxy("dc-east", { ...REF, zone: waiting }).phase);
  });
  for (const { type, dependencies } of registrations.filter((each) => each.type.startsWith("kubernetes:"))) {
    assert.ok(dependencies.includes(PROVIDER), type);
  }
});

test("the component takes the options that a program gives it", async () => {
  const recorded = await run(false, async () => {
    const { zone } = openZone(false);
    const first = new Proxy("first", { configToken: "jwt", zone: watching(zone, "first-config-token") });
    const second = new Proxy("dc-east", { ...REF, zone }, { dependsOn: [first] });
    await valueOf(second.phase);
  });
  const { dependencies } = the(recorded, "Proxy", "dc-east");
  assert.ok(dependencies.some((urn) => urn.endsWith("::first")));
});

/** The zone, told to look at a Secret that is not there. */
function watching(zone: Zone, secret: string): Zone {
  return new Zone({
    ...zone.parts,
    observed: { ...zone.parts.observed, secrets: new Map([[secret, MISSING]]) },
  });
}
