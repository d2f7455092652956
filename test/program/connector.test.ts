import assert from "node:assert/strict";
import { test } from "node:test";
import { Connector, type ConnectorArgs, Proxy } from "../../components/index.ts";
import { metadata, type Recorded, run, valueOf } from "./support/engine.ts";
import { REF } from "./support/proxy.ts";
import { connectorRunning, found, MISSING, openZone, type World } from "./support/zone.ts";

const ARGS = { image: { repository: "hub.example.com/ilm/x509", tag: "1.3.1" } } as const;
const FULL = {
  ...ARGS,
  replicas: 2,
  service: { port: 8443 },
  autoscaling: { enabled: false, maxReplicas: 2 },
  lifecycle: { podDisruptionBudget: { enabled: true } },
  metrics: { enabled: true, serviceMonitor: { enabled: true } },
} as const;

interface Outputs {
  phase: string;
  summary: string;
  conditions: string[];
  endpoint: string;
  currentImage: string;
  configChecksum: string | undefined;
  readyReplicas: number;
}

/** Runs a program of one zone and one connector, `dc-east`. */
async function runConnector(
  preview: boolean,
  args: Omit<ConnectorArgs, "zone"> = ARGS,
  world: World = {},
): Promise<Recorded & { outputs: Outputs }> {
  let outputs: Outputs | undefined;
  const recorded = await run(preview, async () => {
    const { zone } = openZone(preview, world);
    const connector = new Connector("dc-east", { ...args, zone });
    outputs = {
      phase: await valueOf(connector.phase),
      summary: await valueOf(connector.summary),
      conditions: (await valueOf(connector.conditions)).map(({ type, reason }) => `${type}/${reason}`),
      endpoint: await valueOf(connector.endpoint),
      currentImage: await valueOf(connector.currentImage),
      configChecksum: await valueOf(connector.configChecksum),
      readyReplicas: await valueOf(connector.readyReplicas),
    };
  });
  assert.ok(outputs);
  return { ...recorded, outputs };
}

const PREFIX = "urn:pulumi:prod-dc-east::pulumi-proxies::";
// Frozen: a changed type token or name deletes the live object and makes it anew. Change it only together with aliases.
const URNS = [
  ...[
    ["apps/v1:Deployment", "core/v1:Service", "core/v1:ServiceAccount"],
    ["monitoring.coreos.com/v1:ServiceMonitor", "networking.k8s.io/v1:NetworkPolicy"],
    ["policy/v1:PodDisruptionBudget"],
  ]
    .flat()
    .map((type) => `${PREFIX}proxies:index:Connector$kubernetes:${type}::dc-east`),
  `${PREFIX}proxies:index:Connector::dc-east`,
  `${PREFIX}pulumi:providers:kubernetes::zone`,
];

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`the URNs of a connector with everything are frozen, and all is owned by it, ${when}`, async () => {
    const world = { lists: { ServiceMonitor: found([]) } };
    const { urns, registrations } = await runConnector(preview, FULL, world);
    assert.deepEqual(urns.sort(), URNS);
    for (const registration of registrations.filter(({ type }) => type.startsWith("kubernetes:")))
      assert.equal(
        metadata(registration).annotations["pulumi-proxies.dev/owner"],
        "pulumi-proxies/prod-dc-east/Connector/dc-east",
      );
  });

  test(`every output of a connector resolves, ${when}`, async () => {
    const { outputs, logs, exitCode } = await runConnector(preview, FULL, {
      lists: { ServiceMonitor: MISSING },
    });
    assert.equal(outputs.endpoint, "http://dc-east.proxies.svc.cluster.local:8443");
    assert.equal(outputs.currentImage, "hub.example.com/ilm/x509:1.3.1");
    // It reads nothing, and still says so.
    assert.match(outputs.configChecksum ?? "", /^[0-9a-f]{64}$/);
    assert.equal(outputs.phase, preview ? "Deploying" : "Running");
    assert.ok(outputs.conditions.includes("ServiceMonitorReady/ServiceMonitorCRDNotInstalled"));
    assert.deepEqual(
      logs.filter(({ severity }) => severity === "error"),
      [],
    );
    assert.equal(exitCode ?? 0, 0);
  });

  test(`a Secret that is missing fails the connector, not the run, ${when}`, async () => {
    const args = { ...ARGS, referenceTimeoutSeconds: 0, secretRefs: [{ name: "db", type: "env" as const }] };
    const { outputs, logs, exitCode } = await runConnector(preview, args, {
      reads: { "Secret/db": MISSING },
    });
    assert.equal(outputs.phase, "Failed");
    assert.equal(outputs.summary, 'Failed: MissingSecret: Secret "db" not found');
    assert.deepEqual(
      logs.filter(({ severity }) => severity !== "info").map(({ message }) => message),
      ['MissingSecret: Secret "db" not found'],
    );
    assert.equal(exitCode ?? 0, 0);
  });
}

test("a connector whose pods are ready is Running", async () => {
  const { outputs } = await runConnector(
    false,
    { ...ARGS, healthCheck: { enabled: false } },
    connectorRunning(),
  );
  assert.equal(outputs.summary, "Running, 1/1 ready, version 1.3.1");
  assert.equal(outputs.readyReplicas, 1);
});

test("a wrong spec is refused before anything is made, each problem by its path", async () => {
  let error: unknown;
  const { registrations } = await run(false, () => {
    const { zone } = openZone(false, {});
    try {
      new Connector("dc-east", { image: { repository: "a", tag: "" }, service: { port: 0 }, zone });
    } catch (thrown) {
      error = thrown;
    }
  });
  assert.match(String(error), /dc-east\.image\.tag: [\s\S]*dc-east\.service\.port: /);
  assert.deepEqual(
    registrations.filter(({ type }) => type.startsWith("kubernetes:")),
    [],
  );
});

test("a connector of a proxy's name is refused: their objects would be the same", async () => {
  let error: unknown;
  await run(false, async () => {
    const { zone } = openZone(false, {});
    const proxy = new Proxy("dc-east", { ...REF, zone });
    try {
      new Connector("dc-east", { ...ARGS, zone });
    } catch (thrown) {
      error = thrown;
    }
    await valueOf(proxy.phase);
  });
  assert.match(String(error), /is rendered by pulumi-proxies\/prod-dc-east\/Proxy\/dc-east already/);
});
