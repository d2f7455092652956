import assert from "node:assert/strict";
import { test } from "node:test";
import { at, TestZone } from "./support/zone.ts";

interface PreviewStep {
  op: string;
  urn: string;
  detailedDiff?: Record<string, { kind: string }> | null;
  oldState?: { outputs?: object };
  newState?: { inputs?: object };
}

const CHECKSUM = "otilm.com/config-checksum";

test("a token edited with kubectl: the preview shows one checksum change, the update rolls that proxy once", async (t) => {
  const zone = await TestZone.open(t, {
    proxies: {
      rotated: { configTokenSecretRef: { name: "rotated-config" } },
      other: { configTokenSecretRef: { name: "other-config" } },
    },
  });
  await zone.putToken("rotated-config", "30d");
  await zone.putToken("other-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const before = await zone.outputs();
  const other = await zone.get("deployment", "other");

  await zone.putToken("rotated-config", "90d");
  const text = await zone.preview("--diff");
  assert.equal(text.code, 0, text.output);
  assert.deepEqual(text.changes["update"], 1);
  const checksum = before["rotated"]?.configChecksum ?? "";
  assert.match(text.output, new RegExp(`${CHECKSUM}: "${checksum}" => "[0-9a-f]{64}"`));
  const expiry = /token-expires-at[^\n]*: "([^"]*)" => "([^"]*)"/.exec(text.output);
  assert.equal(expiry?.[1], before["rotated"]?.tokenExpiresAt);

  const json = await zone.preview("--json");
  const document = JSON.parse(json.output.slice(json.output.indexOf("{"))) as { steps: PreviewStep[] };
  const changed = document.steps.filter(({ op }) => op !== "same" && op !== "refresh");
  assert.deepEqual(
    changed.map(({ op, urn }) => [op, urn.split("::").at(-1)]),
    [["update", "rotated"]],
  );
  const paths = Object.keys(changed[0]?.detailedDiff ?? {});
  assert.deepEqual(
    paths.filter((path) => path.startsWith("spec")),
    [`spec.template.metadata.annotations["${CHECKSUM}"]`],
  );

  assert.deepEqual((await zone.up()).changes["update"], 1);
  const sets = await zone.list("replicasets", "-l", "otilm.com/proxy=rotated");
  assert.equal(sets.length, 2, "one ReplicaSet per token");
  const after = await zone.outputs();
  assert.notEqual(after["rotated"]?.configChecksum, checksum);
  assert.equal(after["rotated"]?.tokenExpiresAt, expiry?.[2]);
  assert.equal(after["rotated"]?.phase, "Running");
  assert.equal(
    (await zone.get("deployment", "other")).metadata.resourceVersion,
    other.metadata.resourceVersion,
  );
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("configTokens: the component makes the Secret, rotation updates it in place and rolls the pods", async (t) => {
  const zone = await TestZone.open(t, { proxies: { own: {} } });
  const { makeToken } = await import("./support/token.ts");
  const set = async (expires: string): Promise<string> => {
    const token = await makeToken(expires);
    const run = await zone.pulumi(["config", "set", "--secret", "--path", "configTokens.own"], {
      input: token,
    });
    assert.equal(run.code, 0, run.output);
    return token;
  };
  const first = await set("30d");
  const created = await zone.up();
  assert.equal(created.code, 0, created.output);
  const secret = await zone.get("secret", "own-config-token");
  assert.equal(Buffer.from(String(at(secret, "data", "configToken")), "base64").toString(), first);
  const { own } = await zone.outputs();
  assert.equal(own?.phase, "Running");
  assert.ok(own.tokenExpiresAt);

  const second = await set("90d");
  const preview = await zone.preview("--diff");
  assert.equal(preview.changes["update"], 2, preview.output);
  assert.match(preview.output, /config-checksum: "[0-9a-f]{64}" => "[0-9a-f]{64}"/);
  assert.equal((await zone.up()).code, 0);
  const rotated = await zone.get("secret", "own-config-token");
  assert.equal(Buffer.from(String(at(rotated, "data", "configToken")), "base64").toString(), second);
  assert.equal(rotated.metadata.uid, secret.metadata.uid, "updated in place");
  assert.equal((await zone.up("--expect-no-changes")).code, 0);

  const destroyed = await zone.destroy();
  assert.equal(destroyed.code, 0, destroyed.output);
  assert.deepEqual(await zone.list("secrets"), []);
});
