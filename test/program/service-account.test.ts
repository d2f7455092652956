import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { Proxy } from "../../components/index.ts";
import { type Recorded, reveal, run, the, valueOf } from "./support/engine.ts";
import { REF, refusedProxy, refusedSecond, runProxy } from "./support/proxy.ts";
import { FORBIDDEN, found, openZone, ours, OWNER, type World } from "./support/zone.ts";

const SHARED = { ...REF, serviceAccount: { name: "shared", annotations: { "example.com/role": "r" } } };
const LABELS = {
  "app.kubernetes.io/name": "dc-east",
  "app.kubernetes.io/component": "proxy",
  "otilm.com/proxy": "dc-east",
  "app.kubernetes.io/managed-by": "pulumi-proxies",
};
const OWNERSHIP = {
  "pulumi-proxies.dev/owner": OWNER,
  "pulumi.com/patchForce": "true",
  "pulumi.com/patchFieldManager": "pulumi-proxies",
  "pulumi.com/skipAwait": "true",
};
const URN =
  "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy$kubernetes:core/v1:ServiceAccount::";

const account = (name: string, annotations?: Record<string, string>) => ({
  apiVersion: "v1",
  metadata: { name, namespace: "proxies", ...(annotations && { annotations }) },
});
const accounts = ({ registrations }: Recorded): string[] =>
  registrations.filter(({ type }) => type.endsWith(":ServiceAccount")).map(({ name }) => name);
const podAccount = (recorded: Recorded): string => {
  const { spec } = reveal(the(recorded, "Deployment").inputs) as {
    spec: { template: { spec: { serviceAccountName: string } } };
  };
  return spec.template.spec.serviceAccountName;
};
const warnings = ({ logs }: Recorded): string[] =>
  logs.filter(({ severity }) => severity !== "info").map(({ message }) => message);

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`an account that is not there is made under its name, and owned, ${when}`, async () => {
    const recorded = await runProxy({ preview, args: SHARED });
    assert.deepEqual(accounts(recorded), ["shared"]);
    assert.deepEqual(reveal(the(recorded, "ServiceAccount").inputs), {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: {
        name: "shared",
        namespace: "proxies",
        labels: LABELS,
        annotations: { "example.com/role": "r", ...OWNERSHIP },
      },
    });
  });

  test(`the Deployment uses the account that is made, and waits for it, ${when}`, async () => {
    const recorded = await runProxy({ preview, args: SHARED });
    assert.equal(podAccount(recorded), "shared");
    assert.ok(the(recorded, "Deployment").dependencies.includes(`${URN}shared`));
  });

  test(`an account that is ours stays registered, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      args: SHARED,
      world: { lists: { ServiceAccount: found([ours({ name: "shared" })]) } },
    });
    assert.deepEqual(accounts(recorded), ["shared"]);
    assert.equal(podAccount(recorded), "shared");
    assert.ok(the(recorded, "Deployment").dependencies.includes(`${URN}shared`));
  });

  const foreign: [string, Record<string, string> | undefined][] = [
    ["nobody's", undefined],
    ["another stack's", { "pulumi-proxies.dev/owner": "pulumi-proxies/other/Proxy/x" }],
  ];
  for (const [whose, annotations] of foreign) {
    for (const adopt of [false, true]) {
      test(`an account that is ${whose} is used and left alone with adopt ${adopt}, ${when}`, async () => {
        const recorded = await runProxy({
          preview,
          args: { ...REF, serviceAccount: { name: "shared" }, adopt },
          world: { lists: { ServiceAccount: found([account("shared", annotations)]) } },
        });
        assert.deepEqual(accounts(recorded), []);
        assert.equal(podAccount(recorded), "shared");
        assert.equal(
          the(recorded, "Deployment").dependencies.some((urn) => urn.includes(":ServiceAccount::")),
          false,
        );
        assert.deepEqual(warnings(recorded), []);
        assert.equal(recorded.exitCode, undefined);
        assert.deepEqual(recorded.cluster.patched, []);
      });
    }
  }

  test(`a foreign account of another name changes nothing, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      args: SHARED,
      world: { lists: { ServiceAccount: found([account("other")]) } },
    });
    assert.deepEqual(accounts(recorded), ["shared"]);
  });

  test(`an account of the proxy's own name is refused when it is foreign and nobody named it, ${when}`, async () => {
    const { error } = await refusedProxy({
      preview,
      world: { lists: { ServiceAccount: found([account("dc-east")]) } },
    });
    assert.ok(pulumi.ResourceError.isInstance(error));
    assert.match(error.message, /^ServiceAccount proxies\/dc-east exists and is not ours/);
  });

  const shared: [string, World][] = [
    ["is to be made", {}],
    // Else what fails in one run works in the next, and with the first proxy goes the other's account.
    ["one of them has made", { lists: { ServiceAccount: found([ours({ name: "shared" })]) } }],
  ];
  for (const [which, world] of shared) {
    test(`two proxies that name one account which ${which} are refused, ${when}`, async () => {
      const { error, ...recorded } = await refusedSecond("dc-west", { preview, args: SHARED, world });
      assert.ok(pulumi.ResourceError.isInstance(error));
      assert.match(
        error.message,
        /^ServiceAccount shared is rendered by pulumi-proxies\/prod-dc-east\/Proxy\/dc-east already/,
      );
      assert.deepEqual(
        recorded.registrations.filter(({ name }) => name === "dc-west").map(({ type }) => type),
        ["proxies:index:Proxy"],
      );
    });
  }

  test(`two proxies may use one account of somebody else, ${when}`, async () => {
    const recorded = await run(preview, async () => {
      const { zone } = openZone(preview, {
        lists: { ServiceAccount: found([account("shared")]) },
        reads: { "Deployment/dc-west": { outcome: "missing" } },
      });
      const east = new Proxy("dc-east", { ...SHARED, zone });
      const west = new Proxy("dc-west", { ...SHARED, rollout: { wait: false }, zone });
      await Promise.all([valueOf(east.phase), valueOf(west.phase)]);
    });
    assert.deepEqual(accounts(recorded), []);
    assert.equal(recorded.registrations.filter(({ type }) => type.endsWith(":Deployment")).length, 2);
  });
}

test("an account of another name that can't be looked at is not written to in an update; a preview goes on", async () => {
  const world = { lists: { ServiceAccount: FORBIDDEN } };
  const { error } = await refusedProxy({ args: SHARED, world });
  assert.ok(pulumi.ResourceError.isInstance(error));
  assert.match(error.message, /^ServiceAccount shared can't be read: /);
  const recorded = await runProxy({ preview: true, args: SHARED, world });
  assert.deepEqual(accounts(recorded), ["shared"]);
  assert.equal(podAccount(recorded), "shared");
});

test("annotations of an account that are Outputs reach it", async () => {
  const recorded = await runProxy({
    args: { ...REF, serviceAccount: { name: "shared", annotations: { role: pulumi.output("r") } } },
  });
  const { metadata } = reveal(the(recorded, "ServiceAccount").inputs) as {
    metadata: { annotations: object };
  };
  assert.deepEqual(metadata.annotations, { role: "r", ...OWNERSHIP });
});
