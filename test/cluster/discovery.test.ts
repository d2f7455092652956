// On a control plane of their own: these tests change what the whole cluster serves and allows.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startOwnCluster } from "./support/cluster.ts";
import { serveServiceMonitors } from "./support/service-monitors.ts";
import { conditionsOf } from "./support/outputs.ts";
import { type StackFile, TestZone } from "./support/zone.ts";

const { cluster, controlPlane } = await startOwnCluster("discovery");
after(() => controlPlane.stop());

const monitored: StackFile = {
  proxies: {
    p: {
      configTokenSecretRef: { name: "p-config" },
      metrics: {
        enabled: true,
        serviceMonitor: { enabled: true, interval: "30s", labels: { release: "prometheus" } },
      },
    },
  },
};

test("without the CRD the proxy runs and says what is missing; once it is there the next run adds the monitor", async (t) => {
  const zone = await TestZone.open(t, monitored, { cluster });
  await zone.putToken("p-config", "30d");
  const first = await zone.up();
  assert.equal(first.code, 0, first.output);
  assert.match(
    first.output,
    /warning: ServiceMonitorCRDNotInstalled: the cluster does not serve monitoring.coreos.com\/v1/,
  );
  const { p: without } = await zone.outputs();
  assert.equal(without?.phase, "Running");
  assert.ok(conditionsOf(without).includes("ServiceMonitorReady=False/ServiceMonitorCRDNotInstalled"));
  assert.equal((await zone.up("--expect-no-changes")).code, 0);

  await serveServiceMonitors(zone);
  const second = await zone.up();
  assert.equal(second.code, 0, second.output);
  assert.equal(second.changes["create"], 1, second.output);
  assert.ok(
    conditionsOf((await zone.outputs())["p"]).includes("ServiceMonitorReady=True/ServiceMonitorCreated"),
  );
  const monitor = await zone.get("servicemonitor", "p");
  assert.equal(monitor.metadata.labels?.["release"], "prometheus");
  assert.deepEqual(monitor["spec"], {
    endpoints: [{ interval: "30s", path: "/metrics", port: "http" }],
    namespaceSelector: { matchNames: [zone.namespace] },
    selector: {
      matchLabels: {
        "app.kubernetes.io/component": "proxy",
        "app.kubernetes.io/name": "p",
        "otilm.com/proxy": "p",
      },
    },
  });
  assert.equal((await zone.up("--expect-no-changes")).code, 0);

  await zone.kube("label", "servicemonitor", "p", "team=other");
  assert.equal((await zone.preview()).changes["update"], 1);
  assert.equal((await zone.up()).changes["update"], 1);
  assert.equal((await zone.get("servicemonitor", "p")).metadata.labels?.["team"], undefined);
  const destroyed = await zone.destroy();
  assert.equal(destroyed.code, 0, destroyed.output);
  assert.deepEqual(await zone.list("servicemonitors"), []);
});

test("discovery forbidden is not absence: no deletion is planned, the update fails with one line", async (t) => {
  const zone = await TestZone.open(t, monitored, { cluster });
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  await zone.kube(
    "create",
    "role",
    "all",
    "--verb=*",
    "--resource=*.*,*.apps,*.autoscaling,*.policy,*.networking.k8s.io,*.monitoring.coreos.com",
  );
  await zone.kube("create", "rolebinding", "all", "--role=all", "--user=stranger");
  const bindings = ["system:discovery", "system:basic-user", "system:public-info-viewer"];
  await zone.kubectl(["delete", "clusterrolebinding", ...bindings]);
  const env = { KUBECONFIG: cluster.users.stranger };

  const preview = await zone.pulumi(["preview", "--refresh=false"], { env });
  assert.match(preview.output, /warning: the cluster of zone \S+ can't be read: .*forbidden/);
  assert.doesNotMatch(preview.output, /delete/);
  const update = await zone.pulumi(["up", "--yes", "--skip-preview", "--refresh=false"], { env });
  assert.notEqual(update.code, 0);
  assert.match(
    update.output,
    /error: the cluster of zone \S+ can't be read: .*forbidden.*Nothing was changed\./,
  );
  assert.doesNotMatch(update.output, /\n\s+at .*\(?(file|node):/);
  await zone.get("servicemonitor", "p");
});
