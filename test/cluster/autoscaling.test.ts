import assert from "node:assert/strict";
import { test } from "node:test";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const file = (proxy: object): StackFile => ({
  proxies: {
    p: {
      configTokenSecretRef: { name: "p-config" },
      referenceTimeoutSeconds: 0,
      resources: { requests: { cpu: "100m" } },
      ...proxy,
    },
  },
});
const scaled = (more: object = {}): StackFile =>
  file({ autoscaling: { enabled: true, minReplicas: 1, maxReplicas: 9 }, ...more });

const replicas = async (zone: TestZone): Promise<unknown> =>
  at(await zone.get("deployment", "p"), "spec", "replicas");

/** What an autoscaler does, through the scale subresource and under the controller manager's name. */
async function scale(zone: TestZone, to: number): Promise<void> {
  const patch = JSON.stringify({ spec: { replicas: to } });
  const as = ["--subresource=scale", "--type=merge", "--field-manager=kube-controller-manager"];
  await zone.kube("patch", "deployment", "p", ...as, "-p", patch);
  await zone.kube("rollout", "status", "deployment/p", "--timeout=90s");
}

test("an autoscaler takes the number of pods over and keeps it through every run; back to replicas sets them", async (t) => {
  const zone = await TestZone.open(t, file({ replicas: 2 }));
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const { uid } = (await zone.get("deployment", "p")).metadata;

  zone.write(scaled());
  const on = await zone.up();
  assert.equal(on.code, 0, on.output);
  assert.equal(on.changes["create"], 1, on.output);
  assert.equal(await replicas(zone), 2, "no jump");
  const autoscaler = await zone.get("horizontalpodautoscaler", "p");
  assert.equal(
    autoscaler.metadata.annotations?.["pulumi-proxies.dev/owner"],
    `pulumi-proxies/${zone.stack}/Proxy/p`,
  );
  assert.deepEqual(at(autoscaler, "spec"), {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "p" },
    minReplicas: 1,
    maxReplicas: 9,
    metrics: [
      {
        type: "ContainerResource",
        containerResource: {
          name: "cpu",
          container: "proxy",
          target: { type: "Utilization", averageUtilization: 80 },
        },
      },
    ],
  });

  await scale(zone, 5);
  const still = await zone.up("--expect-no-changes");
  assert.equal(still.code, 0, still.output);
  assert.doesNotMatch(still.output, /not ours/);
  const preview = await zone.preview("--expect-no-changes");
  assert.equal(preview.code, 0, preview.output);
  assert.equal(await replicas(zone), 5);
  assert.equal((await zone.outputs())["p"]?.ready, 5);

  zone.write(scaled({ image: { tag: "2.0.0" } }));
  // What a refresh shows holds the autoscaler's status.
  const planned = await zone.preview("--diff", "--refresh=false");
  assert.match(planned.output, /2\.0\.0/);
  assert.doesNotMatch(planned.output, /replicas\s*:/i);
  const image = await zone.up();
  assert.equal(image.code, 0, image.output);
  assert.equal(await replicas(zone), 5, "an image change keeps it");

  await zone.putToken("p-config", "60d");
  const token = await zone.up();
  assert.equal(token.code, 0, token.output);
  assert.equal(token.changes["update"], 1, token.output);
  assert.equal(await replicas(zone), 5, "a new token keeps it");

  zone.write(file({ image: { tag: "2.0.0" }, replicas: 3 }));
  const back = await zone.up();
  assert.equal(back.code, 0, back.output);
  assert.deepEqual([back.changes["delete"], back.changes["replace"]], [1, undefined], back.output);
  const end = await zone.get("deployment", "p");
  assert.deepEqual([end.metadata.uid, at(end, "spec", "replicas")], [uid, 3]);
  assert.deepEqual(await zone.list("horizontalpodautoscalers"), []);
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("a proxy that is autoscaled from its first run comes up with one pod, and is taken down with its autoscaler", async (t) => {
  const zone = await TestZone.open(t, scaled());
  await zone.putToken("p-config", "30d");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
  assert.equal(await replicas(zone), 1);
  await scale(zone, 4);
  zone.write(scaled({ podLabels: { team: "edge" } }));
  const second = await zone.up();
  assert.equal(second.code, 0, second.output);
  assert.equal(await replicas(zone), 4);
  assert.equal((await zone.destroy()).code, 0);
  assert.deepEqual(await zone.list("horizontalpodautoscalers"), []);
  assert.deepEqual(await zone.left("deployments"), []);
});
