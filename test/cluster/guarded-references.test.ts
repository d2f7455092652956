import assert from "node:assert/strict";
import { test } from "node:test";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const CANARY = "c4n4ry-s1gn1ng-k3y";

const file: StackFile = {
  proxies: {
    p: {
      configTokenSecretRef: { name: "p-config" },
      referenceTimeoutSeconds: 0,
      secretRefs: [{ name: "app", type: "env" }],
      configMapRefs: [{ name: "settings", type: "env" }],
    },
  },
};

test("a Secret that holds the token's variables is wired without them, and its going and coming rolls nothing", async (t) => {
  const zone = await TestZone.open(t, file);
  await zone.putToken("p-config", "30d");
  const app = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "app" },
    stringData: { PROXY_TOKEN_SIGNING_KEY: CANARY, LEVEL: "secret", USER: "me", "1st": "no variable" },
  };
  const settings = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings" },
    data: { LEVEL: "settings" },
  };
  await zone.apply(app, settings);
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.match(run.output, /warning: Secret\/app holds a variable that is reserved for the token/);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
  const preview = await zone.preview("--expect-no-changes");
  assert.equal(preview.code, 0, preview.output);

  const before = await zone.get("deployment", "p");
  const container = at(before, "spec", "template", "spec", "containers", 0);
  assert.deepEqual(at(container, "envFrom"), [{ configMapRef: { name: "settings" } }]);
  const env = at(container, "env") as { name: string; valueFrom?: { secretKeyRef?: { name: string } } }[];
  assert.deepEqual(
    env.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.name === "app").map(({ name }) => name),
    ["USER"],
    "neither the signing key, nor what the ConfigMap behind it sets, nor what is no variable's name",
  );
  const state = await zone.state();
  for (const text of [CANARY, Buffer.from(CANARY).toString("base64")]) {
    assert.ok(!state.includes(text));
    assert.ok(!JSON.stringify(before).includes(text));
  }

  await zone.kube("delete", "secret", "app");
  const gone = await zone.up();
  assert.equal(gone.code, 0, gone.output);
  assert.match(gone.output, /warning: MissingSecret: Secret "app" not found/);
  assert.deepEqual(Object.keys(gone.changes), ["unchanged"]);
  await zone.apply(app);
  const returned = await zone.up("--expect-no-changes");
  assert.equal(returned.code, 0, returned.output);
  assert.equal((await zone.get("deployment", "p")).metadata.resourceVersion, before.metadata.resourceVersion);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
});
