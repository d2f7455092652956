// A Connector's life: what rolls it, what is repaired, and what the commands of CI say of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ciCommand } from "./support/ci-command.ts";
import { deploymentOf, type DriftReport, briefOf, type PreviewReport } from "./support/reports.ts";
import { at, TestZone } from "./support/zone.ts";

const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };
const file = (more: object = {}): { connectors: object } => ({
  connectors: {
    x509: {
      image,
      healthCheck: { enabled: false },
      referenceTimeoutSeconds: 0,
      configMapRefs: [{ name: "settings", type: "env" }],
      ...more,
    },
  },
});

/** Runs a command of CI in the zone's project; its exit code, what it prints and its document, whose kind the command decides. */
async function command(
  zone: TestZone,
  name: string,
  ...more: string[]
): Promise<{ code: number; printed: string; document: PreviewReport & DriftReport }> {
  const json = `${zone.workspace.dir}/${name}.json`;
  const run = await ciCommand(zone, name, "--stack", zone.stack, "--json", json, ...more);
  const { code, stdout: printed } = run;
  return { code, printed, document: JSON.parse(readFileSync(json, "utf8")) as PreviewReport & DriftReport };
}

async function settings(zone: TestZone, level: string): Promise<void> {
  const metadata = { name: "settings" };
  await zone.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { LOG_LEVEL: level } });
}

test("a connector is rolled by what it reads, repaired, and reported as proxies are", async (t) => {
  const zone = await TestZone.open(t, file());
  const missing = await zone.up();
  assert.equal(missing.code, 0, missing.output);
  assert.match(missing.output, /warning: MissingConfigMap: ConfigMap "settings" not found/);
  assert.equal((await zone.outputs("connectors"))["x509"]?.phase, "Failed");

  await settings(zone, "INFO");
  assert.equal((await zone.up()).code, 0);
  const { x509 } = await zone.outputs("connectors");
  assert.equal(x509?.summary, "Running, 1/1 ready, version 1.3.1");

  await settings(zone, "DEBUG");
  const report = await command(zone, "preview-report");
  assert.equal(report.code, 2, report.printed);
  const change = deploymentOf(report.document.zones[0]);
  assert.equal(change.effect, "rolls pods");
  assert.match(change.causes[0]?.text ?? "", /ConfigMap settings, key LOG_LEVEL/);
  assert.equal((await zone.up()).changes["update"], 1);

  const port = '[{"op":"replace","path":"/spec/ports/0/port","value":9999}]';
  await zone.kube("patch", "service", "x509", "--type=json", "-p", port);
  const drift = await command(zone, "drift");
  assert.deepEqual(drift.document.zones[0]?.findings.map(briefOf), ["drift | x509 | Service x509"]);
  const fixed = await command(zone, "drift", "--fix");
  assert.equal(fixed.code, 0, fixed.printed);
  assert.equal(at(await zone.get("service", "x509"), "spec", "ports", 0, "port"), 8080);

  const lifecycle = { podDisruptionBudget: { enabled: true } };
  zone.write(file({ lifecycle, image: { ...image, tag: "1.4.0" } }));
  const changed = await zone.up();
  assert.deepEqual([changed.code, changed.changes["create"]], [0, 1], changed.output);
  assert.equal((await zone.outputs("connectors"))["x509"]?.version, "1.4.0");
  zone.write(file({ image: { ...image, tag: "1.4.0" }, replicas: 0 }));
  const paused = await zone.up();
  assert.deepEqual([paused.code, paused.changes["delete"]], [0, 1], paused.output);
  assert.equal((await zone.outputs("connectors"))["x509"]?.phase, "ScaledDown");
  assert.equal((await zone.up("--expect-no-changes")).code, 0);

  const destroyed = await zone.destroy();
  assert.equal(destroyed.code, 0, destroyed.output);
  assert.deepEqual(await zone.list("services,networkpolicies,poddisruptionbudgets"), []);
  assert.deepEqual(await zone.left("deployments"), []);
});
