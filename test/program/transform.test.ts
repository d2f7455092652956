import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { Proxy, type ProxyArgs } from "../../components/index.ts";
import { metadata, type Recorded, reveal, run, the } from "./support/engine.ts";
import { REF, runProxy } from "./support/proxy.ts";
import { openZone, OWNER } from "./support/zone.ts";

type Transforms = NonNullable<ProxyArgs["transform"]>;

interface Draft {
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { template: { spec: Record<string, unknown> } };
}

/** A run that fails after the program's body has ended. */
function failing(preview: boolean, transform: Transforms): Promise<Recorded> {
  const failed = async (): Promise<void> => {
    while (process.exitCode === undefined) await sleep(5);
    await sleep(50);
  };
  return run(
    preview,
    () => {
      const { zone } = openZone(preview);
      new Proxy("dc-east", { ...REF, zone, transform });
    },
    failed,
  );
}

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`what a transform changes reaches the engine, ownership and name stay, ${when}`, async () => {
    const deployment = (draft: Draft): void => {
      draft.metadata = {
        name: "other",
        annotations: {
          "example.com/x": "y",
          "pulumi-proxies.dev/owner": "me",
          "pulumi.com/patchForce": "no",
        },
      };
      draft.spec.template.spec["dnsPolicy"] = "None";
    };
    const recorded = await runProxy({ preview, args: { ...REF, transform: { deployment } } });
    const registration = the(recorded, "Deployment");
    const { name, annotations } = metadata(registration);
    assert.equal(name, "dc-east");
    assert.equal(annotations["example.com/x"], "y");
    assert.equal(annotations["pulumi-proxies.dev/owner"], OWNER);
    assert.equal(annotations["pulumi.com/patchForce"], "true");
    assert.ok(annotations["pulumi-proxies.dev/reference-digests"]);
    const { spec } = reveal(registration.inputs) as Draft;
    assert.equal(spec.template.spec["dnsPolicy"], "None");
    assert.equal(recorded.exitCode, undefined);
  });

  const bad: [string, Transforms, RegExp][] = [
    [
      "throws",
      {
        deployment: () => {
          throw new Error("no such thing");
        },
      },
      /^transform\.deployment: no such thing$/,
    ],
    [
      "sets an Output",
      {
        service: (draft: { spec: object }) => ({
          ...draft,
          spec: { ...draft.spec, clusterIP: pulumi.output("10.0.0.1") },
        }),
      },
      /^transform\.service: must give back plain JSON, which spec\.clusterIP is not/,
    ],
    [
      "puts pods on the host's network",
      { deployment: (draft: Draft) => void (draft.spec.template.spec["hostNetwork"] = true) },
      /^transform\.deployment: must not put the pods into namespaces of the host$/,
    ],
  ];

  for (const [what, transform, message] of bad) {
    test(`a transform that ${what} fails the run in one line, and nothing of the proxy is made, ${when}`, async () => {
      const recorded = await failing(preview, transform);
      assert.equal(recorded.exitCode, 32);
      assert.deepEqual(
        recorded.logs.map(({ severity }) => severity),
        ["error"],
      );
      assert.match(recorded.logs[0]?.message ?? "", message);
      assert.deepEqual(
        recorded.registrations.filter(({ type }) => type.startsWith("kubernetes:")),
        [],
      );
    });
  }
}

test("fields that stand beside a ServiceAccount's metadata reach the engine", async () => {
  const serviceAccount = (draft: object): object => ({
    ...draft,
    automountServiceAccountToken: false,
    imagePullSecrets: [{ name: "mirror" }],
  });
  const recorded = await runProxy({ args: { ...REF, transform: { serviceAccount } } });
  const inputs = reveal(the(recorded, "ServiceAccount").inputs) as Record<string, unknown>;
  assert.deepEqual(
    [inputs["automountServiceAccountToken"], inputs["imagePullSecrets"]],
    [false, [{ name: "mirror" }]],
  );
  const plain = reveal(the(await runProxy(), "ServiceAccount").inputs) as object;
  assert.deepEqual(Object.keys(plain).sort(), ["apiVersion", "kind", "metadata"]);
});
