import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type { ProxyArgs } from "../../components/index.ts";
import { metadata, reveal, the } from "./support/engine.ts";
import { REF, refusedProxy, runProxy } from "./support/proxy.ts";
import { deployment, found, ours, OWNER } from "./support/zone.ts";

const CPU = { requests: { cpu: "100m" } };
const AUTOSCALED = { ...REF, resources: CPU, autoscaling: { enabled: true, maxReplicas: 5 } };
const URN =
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:autoscaling/v2:HorizontalPodAutoscaler::dc-east";

type Args = Omit<ProxyArgs, "zone">;

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`an autoscaler is one object more, and replicas are nobody's business of ours, ${when}`, async () => {
    const plain = await runProxy({ preview, args: { ...REF, resources: CPU } });
    const scaled = await runProxy({ preview, args: AUTOSCALED });
    assert.deepEqual(scaled.urns.sort(), [...plain.urns, URN].sort());
    const autoscaler = the(scaled, "HorizontalPodAutoscaler");
    assert.equal(metadata(autoscaler).annotations["pulumi-proxies.dev/owner"], OWNER);
    assert.equal(the(scaled, "Deployment").ignoreChanges.includes("spec.replicas"), true);
    const { spec } = reveal(the(scaled, "Deployment").inputs) as { spec: object };
    assert.equal("replicas" in spec, false);
    assert.equal(scaled.exitCode, undefined);
  });

  const off: [string, Args][] = [
    ["there is none", REF],
    ["it is off", { ...REF, replicas: 2, autoscaling: { enabled: false, maxReplicas: 5 } }],
  ];
  for (const [what, args] of off) {
    test(`without an autoscaler replicas are ours when ${what}, ${when}`, async () => {
      const recorded = await runProxy({ preview, args });
      assert.equal(recorded.urns.includes(URN), false);
      assert.deepEqual(the(recorded, "Deployment").ignoreChanges, []);
      const { spec } = reveal(the(recorded, "Deployment").inputs) as { spec: { replicas: number } };
      assert.equal(spec.replicas, args.replicas ?? 1);
    });
  }
}

test("only the Deployment leaves a field to somebody else", async () => {
  const { registrations } = await runProxy({ args: AUTOSCALED });
  for (const { type, ignoreChanges } of registrations) {
    if (!type.endsWith(":Deployment")) assert.deepEqual(ignoreChanges, [], type);
  }
});

test("bounds of an autoscaler may be Outputs", async () => {
  const autoscaling = { enabled: true, maxReplicas: pulumi.output(7) };
  const recorded = await runProxy({ args: { ...AUTOSCALED, autoscaling } });
  const { spec } = reveal(the(recorded, "HorizontalPodAutoscaler").inputs) as {
    spec: { maxReplicas: number };
  };
  assert.equal(spec.maxReplicas, 7);
});

test("an autoscaler of somebody else's is refused", async () => {
  const foreign = ours({ annotations: { "pulumi-proxies.dev/owner": "other/x/Proxy/y" } });
  const { error } = await refusedProxy({
    args: AUTOSCALED,
    world: { lists: { HorizontalPodAutoscaler: found([foreign]) } },
  });
  assert.match(String(error), /HorizontalPodAutoscaler proxies\/dc-east belongs to other\/x\/Proxy\/y/);
});

test("replicas beside an autoscaler are refused", async () => {
  const { error } = await refusedProxy({ args: { ...AUTOSCALED, replicas: 2 } });
  assert.match(String(error), /dc-east\.replicas: has no meaning beside autoscaling: keep one/);
});

test("a budget that holds up every drain is one warning, and no failure", async () => {
  const podDisruptionBudget = { enabled: true, minAvailable: "100%" };
  const live = deployment(2, 2);
  const { logs, exitCode } = await runProxy({
    args: { ...REF, replicas: 2, podDisruptionBudget },
    world: { reads: { "Deployment/dc-east": found(live) } },
  });
  assert.equal(logs.length, 1);
  assert.equal(logs[0]?.severity, "warning");
  assert.match(logs[0].message, /^podDisruptionBudget lets no pod go/);
  assert.equal(exitCode, undefined);
});
