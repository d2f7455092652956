// No message, state file, preview or log ever holds a secret value.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAbsent, assertAbsentInFiles } from "./support/secrets.ts";
import { makeToken } from "./support/token.ts";
import { TestZone } from "./support/zone.ts";

test("tokens, signing keys and the checksum key appear in no file of the run and no stream", async (t) => {
  const zone = await TestZone.open(t, {
    proxies: {
      read: {
        configTokenSecretRef: { name: "read-config" },
        // Its keys are the token's variables too: wired key by key.
        secretRefs: [{ name: "read-config", type: "env" }],
        referenceTimeoutSeconds: 0,
      },
      own: {},
    },
  });
  const secrets = [
    await zone.putToken("read-config", "30d", {
      tokenSigningKey: "canary-signing-key",
      other: "canary-other-value",
      PROXY_TOKEN_SIGNING_KEY: "canary-signing-key",
    }),
    "canary-signing-key",
    "canary-other-value",
    "canary-checksum-key",
    "canary-own-signing-key",
    await makeToken("30d"),
  ];
  const [own = ""] = secrets.slice(-1);
  await zone.pulumi(["config", "set", "--secret", "--path", "configTokens.own"], { input: own });
  await zone.pulumi(["config", "set", "--secret", "--path", "tokenSigningKeys.own"], {
    input: "canary-own-signing-key",
  });
  await zone.pulumi(["config", "set", "--secret", "checksumKey"], { input: "canary-checksum-key" });

  const streams: string[] = [];
  const record = async (...args: string[]): Promise<void> => {
    streams.push((await zone.pulumi(args)).output);
  };
  await record("preview", "--diff");
  await record("preview", "--json");
  // The engine's own debug log shows configured secrets, as Pulumi documents; what is read must not be even there.
  const debug = await zone.pulumi(["up", "--yes", "--skip-preview", "--diff", "--logtostderr", "-v=9"]);
  assertAbsent(debug.output, secrets.slice(0, 3), "the debug log");
  secrets.push(await zone.putToken("read-config", "90d"));
  await record("preview", "--diff");
  await record("up", "--yes", "--skip-preview", "--json");
  await record("up", "--yes", "--skip-preview", "--debug");
  // Messages about tokens: expired, not a token at all, missing key, missing Secret.
  secrets.push(await zone.putToken("read-config", "-1h"));
  await record("up", "--yes", "--skip-preview");
  await zone.kube(
    "patch",
    "secret",
    "read-config",
    "-p",
    JSON.stringify({ stringData: { configToken: "canary-no-token" } }),
  );
  secrets.push("canary-no-token");
  await record("up", "--yes", "--skip-preview");
  await zone.kube("delete", "secret", "read-config");
  await record("up", "--yes", "--skip-preview");
  await record("stack", "output", "--json");
  await record("stack", "export");
  for (const [index, text] of streams.entries()) assertAbsent(text, secrets, `stream ${index}`);

  // The test's own log of its commands holds what the test itself put in place.
  const read = assertAbsentInFiles(zone.workspace.dir, secrets, [zone.log]);
  assert.ok(
    read.some((path) => path.includes("backend/.pulumi/stacks")),
    "the state files are among them",
  );

  assert.deepEqual(Object.keys((await zone.get("secret", "own-config-token"))["data"] as object).sort(), [
    "configToken",
    "tokenSigningKey",
  ]);
  assert.match(await zone.state(), /"ciphertext"/, "the component's own token is in the state, encrypted");
  for (const kind of ["deployment", "service", "serviceaccount", "networkpolicy"]) {
    assertAbsent(await zone.kube("get", kind, "-o", "yaml", "--show-managed-fields"), secrets, kind);
  }
  assertAbsent(await zone.kube("get", "events", "-o", "yaml"), secrets, "events");
});
