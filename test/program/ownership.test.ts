import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type { KubeObject } from "../../components/cluster/cluster.ts";
import { metadata, the } from "./support/engine.ts";
import { REF, refusedProxy, refusedSecond, runProxy } from "./support/proxy.ts";
import { deployment, FORBIDDEN, found, managedBy, MISSING, ours, UNREACHABLE } from "./support/zone.ts";

const FULL = {
  ...REF,
  podDisruptionBudget: { enabled: true },
  metrics: { enabled: true, serviceMonitor: { enabled: true } },
};
const KINDS = [
  "ServiceAccount",
  "Deployment",
  "Service",
  "NetworkPolicy",
  "PodDisruptionBudget",
  "ServiceMonitor",
];

const unowned = (): KubeObject => ({
  metadata: {
    name: "dc-east",
    namespace: "proxies",
    managedFields: [managedBy("helm", { "f:spec": { "f:x": {} } })],
  },
});
const foreign = (): KubeObject =>
  ours({ annotations: { "pulumi-proxies.dev/owner": "pulumi-proxies/other/Proxy/dc-east" } });
const controlled = (): KubeObject => {
  const reference = { apiVersion: "otilm.com/v1alpha1", kind: "Proxy", name: "dc-east", controller: true };
  return { metadata: { ...unowned().metadata, ownerReferences: [reference] } };
};

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";
  for (const kind of KINDS) {
    test(`a ${kind} of another owner is refused, and nothing of the proxy is registered, ${when}`, async () => {
      const { error, registrations } = await refusedProxy({
        preview,
        args: FULL,
        world: { lists: { [kind]: found([foreign()]) } },
      });
      assert.ok(pulumi.ResourceError.isInstance(error));
      assert.match(
        error.message,
        new RegExp(`^${kind} proxies/dc-east belongs to pulumi-proxies/other/Proxy/dc-east`),
      );
      assert.deepEqual(
        registrations.filter(({ type }) => type.startsWith("kubernetes:")),
        [],
      );
    });
  }

  test(`an object of nobody is refused and names adopt, ${when}`, async () => {
    const { error } = await refusedProxy({ preview, world: { lists: { Service: found([unowned()]) } } });
    assert.ok(pulumi.ResourceError.isInstance(error));
    assert.match(error.message, /^Service proxies\/dc-east exists and is not ours.*adopt: true/);
  });

  for (const adopt of [true, false]) {
    test(`an object of a controller is refused with adopt ${adopt}, ${when}`, async () => {
      const { error } = await refusedProxy({
        preview,
        args: { ...REF, adopt },
        world: { lists: { Service: found([controlled()]) } },
      });
      assert.ok(pulumi.ResourceError.isInstance(error));
      assert.match(error.message, /--cascade=orphan/);
    });

    test(`an object of another stack is refused with adopt ${adopt}, ${when}`, async () => {
      const { error } = await refusedProxy({
        preview,
        args: { ...REF, adopt },
        world: { lists: { Service: found([foreign()]) } },
      });
      assert.ok(pulumi.ResourceError.isInstance(error));
    });
  }

  test(`an object of nobody is claimed before it is adopted, which counts as a repair, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      args: { ...REF, adopt: true },
      world: { lists: { Service: found([unowned()]) } },
    });
    const service = the(recorded, "Service");
    assert.deepEqual(service.beforeCreate, ["claim Service dc-east"]);
    assert.deepEqual(service.beforeUpdate, ["claim Service dc-east"]);
    const repairs = metadata(service).annotations["pulumi-proxies.dev/repairs"];
    assert.equal(repairs, preview ? pulumi.runtime.unknownValue : "1");
    assert.deepEqual(the(recorded, "ServiceAccount").beforeCreate, []);
    assert.deepEqual(recorded.cluster.patched, []);
  });

  test(`adopt does nothing to what is ours, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      args: { ...REF, adopt: true },
      world: { lists: { Service: found([ours()]) } },
    });
    assert.deepEqual(the(recorded, "Service").beforeCreate, []);
  });

  test(`all reasons are told at once, one a line, ${when}`, async () => {
    const { error } = await refusedProxy({
      preview,
      world: { lists: { Service: found([unowned()]), Deployment: found([foreign()]) } },
    });
    assert.equal((error as Error).message.split("\n").length, 2);
  });

  test(`two components of one name are refused, ${when}`, async () => {
    const { error } = await refusedSecond("dc-east", { preview });
    assert.ok(pulumi.ResourceError.isInstance(error));
    assert.match(
      error.message,
      /ServiceAccount dc-east is rendered by pulumi-proxies\/prod-dc-east\/Proxy\/dc-east already: choose another name/,
    );
  });
}

test("the hook of an adoption claims the object of the zone's namespace", async () => {
  const { cluster } = await runProxy(
    {
      args: { ...REF, adopt: true },
      world: { lists: { Service: found([unowned()]) }, reads: { "Service/dc-east": found(unowned()) } },
    },
    async (_proxy, running) => {
      assert.equal(await running.runHook("claim Service dc-east"), "");
    },
  );
  assert.deepEqual(
    cluster.patched.map(({ what }) => what),
    ["Service proxies/dc-east"],
  );
});

test("a claim that is not allowed is told in one sentence", async () => {
  await runProxy(
    {
      args: { ...REF, adopt: true },
      world: { lists: { Service: found([unowned()]) }, reads: { "Service/dc-east": FORBIDDEN } },
    },
    async (_proxy, running) => {
      assert.match(
        await running.runHook("claim Service dc-east"),
        /^Service proxies\/dc-east could not be read: /,
      );
    },
  );
});

test("foreign objects of other names are none of our business", async () => {
  const other = { metadata: { ...foreign().metadata, name: "dc-west" } };
  const { outputs } = await runProxy({
    world: { lists: { Service: found([other]), Deployment: found([deployment(1, 1), other]) } },
  });
  assert.equal(outputs.phase, "Running");
});

for (const unknown of [FORBIDDEN, UNREACHABLE]) {
  test(`an update refuses to write what it could not look at (${unknown.outcome}); a preview goes on`, async () => {
    const world = { lists: { Service: unknown } };
    const { error } = await refusedProxy({ world });
    assert.ok(pulumi.ResourceError.isInstance(error));
    assert.match(error.message, /^Service dc-east can't be read: /);
    const recorded = await runProxy({ preview: true, world });
    assert.deepEqual(the(recorded, "Service").ignoreChanges, [
      'metadata.annotations["pulumi-proxies.dev/repairs"]',
    ]);
  });
}

test("a kind that the cluster does not serve holds nothing of others", async () => {
  const { outputs } = await runProxy({ world: { lists: { ServiceMonitor: MISSING } } });
  assert.equal(outputs.phase, "Running");
});
