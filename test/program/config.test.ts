import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { configChecksum } from "../../components/workload/checksum.ts";
import { inClear, metadata, podAnnotations, the } from "./support/engine.ts";
import { REF, runProxy } from "./support/proxy.ts";
import {
  deployment,
  FORBIDDEN,
  found,
  jwt,
  MISSING,
  secret,
  UNREACHABLE,
  type World,
} from "./support/zone.ts";

const CHECKSUM = "otilm.com/config-checksum";
const EXPIRES = "pulumi-proxies.dev/token-expires-at";
const KEY_ID = "pulumi-proxies.dev/checksum-key-id";
const DIGESTS = "pulumi-proxies.dev/reference-digests";
const CANARY = "c4n4ry-s3cr3t";

const token = jwt(1830297600);
const SECRET = secret("dc-east-config", { configToken: token, tokenSigningKey: CANARY });
const EXPECTED = configChecksum([
  {
    kind: "Secret",
    name: "dc-east-config",
    data: { configToken: Buffer.from(token), tokenSigningKey: Buffer.from(CANARY) },
  },
]);

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`the pods carry the checksum of the token's Secret, the Deployment its companions, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      world: { reads: { "Secret/dc-east-config": found(SECRET) } },
    });
    const registration = the(recorded, "Deployment");
    assert.deepEqual(podAnnotations(registration), { [CHECKSUM]: EXPECTED });
    assert.equal(metadata(registration).annotations[EXPIRES], "2028-01-01T00:00:00Z");
    const digests = JSON.parse(metadata(registration).annotations[DIGESTS] ?? "{}") as object;
    const digest =
      /^\{"Secret\/dc-east-config":\{"configToken":"[0-9a-f]{8}","tokenSigningKey":"[0-9a-f]{8}"\}\}$/;
    assert.match(JSON.stringify(digests), digest);
    assert.equal(recorded.outputs.configChecksum, EXPECTED);
    assert.equal(recorded.outputs.tokenExpiresAt, "2028-01-01T00:00:00Z");
  });

  test(`the Secret is read once and none of its data reaches the engine, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      world: { reads: { "Secret/dc-east-config": found(SECRET) } },
    });
    assert.deepEqual(
      recorded.cluster.asked.filter((what) => what.startsWith("Secret/")),
      ["Secret/dc-east-config"],
    );
    const everything = JSON.stringify(recorded);
    for (const text of [token, CANARY]) {
      assert.equal(everything.includes(text), false);
      assert.equal(everything.includes(Buffer.from(text).toString("base64")), false);
    }
  });

  const live = deployment(1, 1, {
    checksum: "f".repeat(64),
    annotations: {
      [EXPIRES]: "2027-06-01T00:00:00Z",
      [DIGESTS]: '{"Secret/dc-east-config":"0123456789abcdef"}',
      [KEY_ID]: "0123abcd",
    },
  });
  const other = secret("dc-east-config", { other: "x" });
  const unread: [string, World["reads"], string][] = [
    ["disappears", { "Secret/dc-east-config": MISSING }, "Failed"],
    ["loses its key", { "Secret/dc-east-config": found(other) }, "Failed"],
    ["may not be read", { "Secret/dc-east-config": FORBIDDEN }, "Running"],
    ["can't be reached", { "Secret/dc-east-config": UNREACHABLE }, "Running"],
  ];

  for (const [what, reads, phase] of unread) {
    test(`the last checksum and its companions stay when the Secret ${what}, ${when}`, async () => {
      const recorded = await runProxy({
        preview,
        args: { ...REF, referenceTimeoutSeconds: 0 },
        world: {
          lists: { Deployment: found([live]) },
          reads: { "Deployment/dc-east": found(live), ...reads },
        },
      });
      const registration = the(recorded, "Deployment");
      assert.deepEqual(podAnnotations(registration), { [CHECKSUM]: "f".repeat(64) });
      assert.equal(metadata(registration).annotations[EXPIRES], "2027-06-01T00:00:00Z");
      assert.equal(metadata(registration).annotations[KEY_ID], "0123abcd");
      assert.equal(
        metadata(registration).annotations[DIGESTS],
        '{"Secret/dc-east-config":"0123456789abcdef"}',
      );
      assert.equal(recorded.outputs.configChecksum, "f".repeat(64));
      assert.equal(recorded.outputs.tokenExpiresAt, "2027-06-01T00:00:00Z");
      assert.equal(recorded.outputs.phase, phase);
      assert.equal(recorded.exitCode, undefined);
    });

    test(`there is no checksum before the first success when the Secret ${what}, ${when}`, async () => {
      const recorded = await runProxy({
        preview,
        args: { ...REF, referenceTimeoutSeconds: 0 },
        world: { reads: { ...reads } },
      });
      const registration = the(recorded, "Deployment");
      assert.deepEqual(podAnnotations(registration), {});
      assert.equal(EXPIRES in metadata(registration).annotations, false);
      assert.equal(DIGESTS in metadata(registration).annotations, false);
      assert.equal(recorded.outputs.configChecksum, undefined);
      assert.equal(recorded.outputs.tokenExpiresAt, undefined);
    });
  }
}

test("a preview that can't read the Deployments leaves the recorded annotations alone", async () => {
  const recorded = await runProxy({
    preview: true,
    world: { lists: { Deployment: FORBIDDEN }, reads: { "Secret/dc-east-config": FORBIDDEN } },
  });
  const { ignoreChanges } = the(recorded, "Deployment");
  assert.ok(ignoreChanges.includes("metadata.annotations"));
  assert.ok(ignoreChanges.some((path) => path.startsWith("spec.template.metadata.annotations")));
  assert.equal(recorded.outputs.phase, "Unknown");
});

test("a token that says nothing of its end has no expiry anywhere", async () => {
  const recorded = await runProxy({
    world: { reads: { "Secret/dc-east-config": found(secret("dc-east-config", { configToken: jwt() })) } },
  });
  assert.equal(recorded.outputs.tokenExpiresAt, undefined);
  assert.equal(EXPIRES in metadata(the(recorded, "Deployment")).annotations, false);
});

test("a token of another key is found there", async () => {
  const recorded = await runProxy({
    args: { configTokenSecretRef: { name: "dc-east-config", tokenKey: "tok" } },
    world: {
      reads: {
        "Secret/dc-east-config": found(secret("dc-east-config", { tok: token, configToken: jwt(1) })),
      },
    },
  });
  assert.equal(recorded.outputs.tokenExpiresAt, "2028-01-01T00:00:00Z");
});

test("a rotated token changes nothing but the checksum and its companions", async () => {
  const before = await runProxy({
    world: {
      reads: { "Secret/dc-east-config": found(secret("dc-east-config", { configToken: jwt(1830297600) })) },
    },
  });
  const after = await runProxy({
    world: {
      reads: { "Secret/dc-east-config": found(secret("dc-east-config", { configToken: jwt(1861920000) })) },
    },
  });
  const changed = (recorded: typeof before): unknown[] =>
    recorded.registrations
      .map(({ type, inputs }) => [type, inputs])
      .filter(
        (_, index) =>
          JSON.stringify(before.registrations[index]) !== JSON.stringify(after.registrations[index]),
      );
  assert.deepEqual(
    changed(before).map((each) => (each as [string])[0]),
    ["kubernetes:apps/v1:Deployment"],
  );
  const without = (recorded: typeof before): string => {
    const registration = the(recorded, "Deployment");
    const values = [
      podAnnotations(registration)[CHECKSUM],
      metadata(registration).annotations[EXPIRES],
      metadata(registration).annotations[DIGESTS],
    ];
    return values.reduce<string>(
      (text, value) => text.replace(JSON.stringify(value), '"?"'),
      JSON.stringify(registration),
    );
  };
  assert.equal(without(before), without(after));
  assert.notEqual(before.outputs.configChecksum, after.outputs.configChecksum);
});

test("a checksum key of the zone makes it an HMAC that may still be shown", async () => {
  const recorded = await runProxy(
    { world: { reads: { "Secret/dc-east-config": found(SECRET) } } },
    undefined,
  );
  let shown: boolean | undefined;
  const keyed = await runProxy(
    {
      world: {
        reads: { "Secret/dc-east-config": found(SECRET) },
        parts: { checksumKey: pulumi.secret("zone-key") },
      },
    },
    async (proxy) => {
      shown =
        !(await pulumi.isSecret(proxy.configChecksum)) && !(await pulumi.isSecret(proxy.tokenExpiresAt));
    },
  );
  assert.notEqual(keyed.outputs.configChecksum, recorded.outputs.configChecksum);
  assert.equal(metadata(the(recorded, "Deployment")).annotations[KEY_ID], "none");
  assert.match(metadata(the(keyed, "Deployment")).annotations[KEY_ID] ?? "", /^[0-9a-f]{8}$/);
  assert.deepEqual(Object.keys(podAnnotations(the(keyed, "Deployment"))), [CHECKSUM]);
  assert.equal(shown, true);
  assert.deepEqual(inClear(the(keyed, "Deployment").inputs), the(keyed, "Deployment").inputs);
  assert.equal(JSON.stringify(keyed).includes("zone-key"), false);
});

test("a Secret that another controller is about to create is waited for", async () => {
  const recorded = await runProxy({
    args: { ...REF, referenceTimeoutSeconds: 3 },
    world: { reads: { "Secret/dc-east-config": [MISSING, found(SECRET)] } },
  });
  assert.equal(recorded.outputs.phase, "Running");
  assert.equal(recorded.outputs.configChecksum, EXPECTED);
});

test("a key that another controller is about to fill in is waited for", async () => {
  const recorded = await runProxy({
    args: { ...REF, referenceTimeoutSeconds: 3 },
    world: {
      reads: { "Secret/dc-east-config": [found(secret("dc-east-config", { other: "x" })), found(SECRET)] },
    },
  });
  assert.equal(recorded.outputs.phase, "Running");
  assert.equal(recorded.outputs.configChecksum, EXPECTED);
});

test("what somebody has written in place of the token's end is no end", async () => {
  for (const written of ["soon", "", "2027-06-01", "a\nb"]) {
    const live = deployment(1, 1, { checksum: "f".repeat(64), annotations: { [EXPIRES]: written } });
    const recorded = await runProxy({
      args: { ...REF, referenceTimeoutSeconds: 0 },
      world: {
        lists: { Deployment: found([live]) },
        reads: { "Deployment/dc-east": found(live), "Secret/dc-east-config": MISSING },
      },
    });
    assert.equal(recorded.outputs.tokenExpiresAt, undefined);
    assert.equal(
      recorded.outputs.conditions.some(({ type }) => type === "TokenExpiring"),
      false,
    );
  }
});
