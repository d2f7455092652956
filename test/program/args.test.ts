import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { Proxy, type ProxyArgs } from "../../components/index.ts";
import { reveal, run, the, valueOf } from "./support/engine.ts";
import { REF, refusedProxy, runProxy } from "./support/proxy.ts";
import { openZone } from "./support/zone.ts";

const CANARY = "c4n4ry-s3cr3t";
type Args = Omit<ProxyArgs, "zone">;

const bad: [string, unknown, RegExp[]][] = [
  ["a wrong type", { ...REF, replicas: CANARY }, [/^dc-east\.replicas: expected number/]],
  [
    "an unknown field",
    { ...REF, replica: CANARY },
    [/^dc-east: unknown field "replica"; did you mean "replicas"\?$/],
  ],
  ["no token", {}, [/^dc-east: has no token/]],
  [
    "both tokens",
    { ...REF, configToken: CANARY },
    [/^dc-east: has a config token and a configTokenSecretRef: keep one$/],
  ],
  [
    "several problems",
    { ...REF, image: { tag: `${CANARY}:` }, resources: { limits: { memory: CANARY } } },
    [/^dc-east\.image\.tag: must be an image tag/, /^dc-east\.resources\.limits\.memory: must be a quantity/],
  ],
];

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  for (const [what, args, lines] of bad) {
    test(`${what} is refused at once, one line per problem, without the value, ${when}`, async () => {
      const { error, registrations } = await refusedProxy({ preview, args: args as Args });
      assert.ok(pulumi.ResourceError.isInstance(error));
      const told = error.message.split("\n");
      assert.equal(told.length, lines.length);
      for (const [index, line] of lines.entries()) assert.match(told[index] ?? "", line);
      assert.equal(error.message.includes(CANARY), false);
      assert.deepEqual(
        registrations.filter(({ type }) => type.startsWith("kubernetes:")),
        [],
      );
    });
  }

  test(`a bad name is refused, ${when}`, async () => {
    let error: unknown;
    await run(preview, () => {
      const { zone } = openZone(preview);
      try {
        new Proxy("dc.east", { ...REF, zone });
      } catch (thrown) {
        error = thrown;
      }
    });
    assert.ok(pulumi.ResourceError.isInstance(error));
    assert.match(error.message, /its name must be lower-case letters/);
  });

  const outputs: [string, Args][] = [
    ["an Output", { ...REF, replicas: pulumi.output(2) }],
    ["a promise", { ...REF, replicas: Promise.resolve(2) }],
    ["an Output deep inside", { ...REF, replicas: 2, env: [{ name: "A", value: pulumi.output("b") }] }],
  ];

  for (const [what, args] of outputs) {
    test(`${what} among the args reaches the objects when it resolves, ${when}`, async () => {
      const recorded = await runProxy({ preview, args });
      const { spec } = reveal(the(recorded, "Deployment").inputs) as { spec: { replicas: number } };
      assert.equal(spec.replicas, 2);
    });
  }

  const badOutputs: [string, Args, RegExp][] = [
    [
      "an Output of a wrong type",
      { ...REF, replicas: pulumi.output(CANARY) as unknown as pulumi.Output<number> },
      /^dc-east\.replicas: expected number/,
    ],
    [
      "a promise of a bad value",
      { ...REF, env: [{ name: Promise.resolve(`1${CANARY}`) }] },
      /^dc-east\.env\[0\]\.name: must be letters/,
    ],
    [
      "a plain problem beside an Output",
      { ...REF, replicas: pulumi.output(1), image: { tag: `${CANARY}:` } },
      /^dc-east\.image\.tag: must be an image tag/,
    ],
  ];

  for (const [what, args, message] of badOutputs) {
    test(`${what} fails the run when it resolves, and nothing of the proxy is made, ${when}`, async () => {
      const failed = async (): Promise<void> => {
        while (process.exitCode === undefined) await sleep(5);
        await sleep(50);
      };
      const recorded = await run(
        preview,
        () => {
          const { zone } = openZone(preview);
          new Proxy("dc-east", { ...args, zone });
        },
        failed,
      );
      assert.equal(recorded.exitCode, 32);
      assert.equal(recorded.logs.length, 1);
      assert.equal(recorded.logs[0]?.severity, "error");
      assert.match(recorded.logs[0].message, message);
      assert.equal(JSON.stringify(recorded).includes(CANARY), false);
      assert.deepEqual(
        recorded.registrations.filter(({ type }) => type.startsWith("kubernetes:")),
        [],
      );
    });
  }
}

test("a secret among the args stays secret where it lands, and its place is known", async () => {
  let secret: boolean | undefined;
  const recorded = await runProxy(
    { args: { ...REF, env: [{ name: "A", value: pulumi.secret(CANARY) }] } },
    async (proxy) => {
      secret = await pulumi.isSecret(proxy.configChecksum);
      await valueOf(proxy.phase);
    },
  );
  const text = JSON.stringify(recorded.registrations);
  assert.ok(text.includes(CANARY));
  assert.equal(secret, false);
});
