import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { inClear, metadata, podAnnotations, reveal, the } from "./support/engine.ts";
import { refusedProxy, runProxy } from "./support/proxy.ts";
import { jwt, MISSING, ours } from "./support/zone.ts";

const TOKEN = jwt(1830297600);
const BASE64 = Buffer.from(TOKEN).toString("base64");
const world = { secrets: { "dc-east-config-token": MISSING } };

for (const preview of [true, false]) {
  for (const [form, configToken] of [
    ["a plain token", () => TOKEN],
    ["a secret Output", () => pulumi.secret(TOKEN)],
    ["a plain Output", () => pulumi.output(TOKEN)],
  ] as const) {
    const when = `${form} in ${preview ? "a preview" : "an update"}`;

    test(`the component makes the token's Secret, whose data is secret: ${when}`, async () => {
      const recorded = await runLate(preview, configToken);
      const { inputs } = the(recorded, "Secret");
      assert.deepEqual((reveal(inputs) as { data: object }).data, { configToken: BASE64 });
      assert.equal(metadata(the(recorded, "Secret")).name, "dc-east-config-token");
      assert.equal(JSON.stringify(inClear(inputs)).includes(BASE64), false);
    });

    test(`the token stands in clear nowhere: ${when}`, async () => {
      const recorded = await runLate(preview, configToken);
      const { urns, logs, outputs } = recorded;
      const clear = recorded.registrations.map((each) => ({ ...each, inputs: inClear(each.inputs) }));
      const everything = JSON.stringify([clear, urns, logs, outputs]);
      assert.equal(everything.includes(TOKEN), false);
      assert.equal(everything.includes(BASE64), false);
    });

    test(`checksum and expiry of a token of one's own are known and may be shown: ${when}`, async () => {
      let secret: boolean[] = [];
      const recorded = await runProxy(
        { preview, args: { configToken: configToken() }, world },
        async (proxy) => {
          secret = await Promise.all(
            [proxy.configChecksum, proxy.tokenExpiresAt, proxy.phase, proxy.conditions].map((output) =>
              pulumi.isSecret(output as pulumi.Output<unknown>),
            ),
          );
        },
      );
      assert.deepEqual(secret, [false, false, false, false]);
      assert.equal(recorded.outputs.tokenExpiresAt, "2028-01-01T00:00:00Z");
      assert.match(recorded.outputs.configChecksum ?? "", /^[0-9a-f]{64}$/);
      const deployment = the(recorded, "Deployment");
      assert.equal(podAnnotations(deployment)["otilm.com/config-checksum"], recorded.outputs.configChecksum);
      assert.deepEqual(inClear(deployment.inputs), deployment.inputs);
    });
  }
}

function runLate(preview: boolean, configToken: () => pulumi.Input<string>) {
  return runProxy({ preview, args: { configToken: configToken() }, world });
}

test("the cluster is not asked for a Secret that the component makes", async () => {
  const { cluster } = await runProxy({ args: { configToken: TOKEN }, world });
  assert.deepEqual(
    cluster.asked.filter((what) => what.startsWith("Secret/")),
    [],
  );
});

test("the pods read the token from the Secret that the component makes", async () => {
  const recorded = await runProxy({ args: { configToken: TOKEN }, world });
  const text = JSON.stringify(the(recorded, "Deployment").inputs);
  assert.match(text, /"secretKeyRef":\{[^}]*"name":"dc-east-config-token"/);
});

test("two tokens have two checksums", async () => {
  const checksum = async (configToken: string) =>
    (await runProxy({ args: { configToken }, world })).outputs.configChecksum;
  assert.notEqual(await checksum(jwt(1830297600)), await checksum(jwt(1861920000)));
  assert.equal(await checksum(jwt(1830297600)), await checksum(jwt(1830297600)));
});

test("a Secret of that name that is not ours is refused", async () => {
  const foreign = ours({
    name: "dc-east-config-token",
    annotations: { "pulumi-proxies.dev/owner": "other/x/Proxy/y" },
  });
  const { error } = await refusedProxy({
    args: { configToken: TOKEN },
    world: { secrets: { "dc-east-config-token": { outcome: "found", value: foreign } } },
  });
  assert.match(String(error), /Secret proxies\/dc-east-config-token belongs to other\/x\/Proxy\/y/);
});

test("an update refuses to write a Secret that openZone was not told to look at", async () => {
  const { error } = await refusedProxy({ args: { configToken: TOKEN }, world: {} });
  assert.match(
    String(error),
    /Secret dc-east-config-token can't be read: .*openZone\(config, \{ ownedSecrets: \["dc-east-config-token"\] \}\)/,
  );
});

const KEY = "s1gn1ng-c4n4ry";

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`a signing key stands beside the token in the Secret, and in clear nowhere, ${when}`, async () => {
    const args = { configToken: TOKEN, tokenSigningKey: pulumi.secret(KEY) };
    const recorded = await runProxy({ preview, args, world });
    const { inputs } = the(recorded, "Secret");
    const base64 = Buffer.from(KEY).toString("base64");
    assert.deepEqual((reveal(inputs) as { data: object }).data, {
      configToken: BASE64,
      tokenSigningKey: base64,
    });
    const clear = recorded.registrations.map((each) => ({ ...each, inputs: inClear(each.inputs) }));
    const everything = JSON.stringify([clear, recorded.urns, recorded.logs, recorded.outputs]);
    assert.equal(everything.includes(KEY) || everything.includes(base64), false);
  });

  test(`a signing key without a token of one's own is refused, without being shown, ${when}`, async () => {
    const args = { configTokenSecretRef: { name: "dc-east-config" }, tokenSigningKey: KEY };
    const { error, registrations } = await refusedProxy({ preview, args, world });
    assert.ok(pulumi.ResourceError.isInstance(error));
    assert.equal(error.message, "dc-east.tokenSigningKey: has no configToken beside it");
    assert.deepEqual(
      registrations.filter(({ type }) => type.startsWith("kubernetes:")),
      [],
    );
  });
}

test("another signing key is another checksum", async () => {
  const checksum = async (tokenSigningKey?: string) =>
    (await runProxy({ args: { configToken: TOKEN, ...(tokenSigningKey && { tokenSigningKey }) }, world }))
      .outputs.configChecksum;
  const all = [await checksum(), await checksum("a"), await checksum("b")];
  assert.equal(new Set(all).size, 3);
});
