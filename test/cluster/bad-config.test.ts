import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { TestZone } from "./support/zone.ts";

const CANARY = "canary-4f7d";

test("two proxies of one bad stack file: every problem is one line, and nothing of either is made", async (t) => {
  const token = { configTokenSecretRef: { name: "x" } };
  const zone = await TestZone.open(t, {
    proxies: {
      good: token,
      typo: { ...token, replica: 2 },
      type: { ...token, replicas: CANARY },
      quantity: { ...token, resources: { limits: { memory: `12${CANARY}` } } },
      env: {
        ...token,
        env: [
          { name: "A", value: "1" },
          { name: "A", value: CANARY },
        ],
      },
      "dotted.name": token,
      "1-east": token,
      [`long-${"x".repeat(60)}`]: token,
      nothing: {},
    },
    zones: {},
  });
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  for (const line of [
    /error: pulumi-proxies:zones: unknown field "zones"; did you mean "zone"\?/,
    /error: pulumi-proxies:proxies\.typo: unknown field "replica"; did you mean "replicas"\?/,
    /error: pulumi-proxies:proxies\.type\.replicas: expected (number|int), received string/,
    /error: pulumi-proxies:proxies\.quantity\.resources\.limits\.memory: must be a quantity such as 100m/,
    /error: pulumi-proxies:proxies\.env\.env\[1\]\.name: is given twice; keep one/,
    /error: pulumi-proxies:proxies\["dotted\.name"\]: its name must be lower-case letters, digits and '-'/,
    /error: pulumi-proxies:proxies\["1-east"\]: its name must be .* starting with a letter/,
    /error: pulumi-proxies:proxies\.long-x+: its name must be at most 63 characters/,
    /error: pulumi-proxies:proxies\.nothing: has no token: give configTokenSecretRef\.name, or/,
    /error: 9 problems in the configuration of stack \S+\. Nothing was changed\./,
  ]) {
    assert.match(run.output, line);
  }
  assert.doesNotMatch(run.output, new RegExp(CANARY));
  assert.doesNotMatch(run.output, /\n\s+at .*\(?(file|node):/);
  const made = await zone.list("deployments,services,serviceaccounts,networkpolicies");
  assert.deepEqual(
    made.map(({ metadata }) => metadata.name),
    ["default"],
  );
});

test("tokens in the wrong place or form are refused without being shown", async (t) => {
  const zone = await TestZone.open(t, {
    proxies: { both: { configTokenSecretRef: { name: "x" } }, leaky: {} },
  });
  const set = async (path: string, secret: boolean): Promise<void> => {
    const flags = secret ? ["--secret"] : ["--plaintext"];
    const run = await zone.pulumi(["config", "set", ...flags, "--path", path], { input: CANARY });
    assert.equal(run.code, 0, run.output);
  };
  await set("configTokens.both", true);
  const both = await zone.preview();
  assert.match(both.output, /proxies\.both: has a config token and a configTokenSecretRef: keep one/);

  await set("configTokens.unknown", true);
  assert.match(
    (await zone.preview()).output,
    /configTokens\.unknown: unknown field "unknown"; known: both, leaky/,
  );

  await set("proxies.leaky.env[0].value", true);
  const leaky = await zone.preview();
  assert.match(
    leaky.output,
    /pulumi-proxies:proxies: holds a secure value, which belongs elsewhere: a token goes into configTokens/,
  );
  assert.doesNotMatch(leaky.output, new RegExp(CANARY));
});

test("a token in clear is refused", async (t) => {
  const zone = await TestZone.open(t, { proxies: { p: {} }, configTokens: { p: CANARY } });
  const run = await zone.preview();
  assert.notEqual(run.code, 0);
  assert.match(
    run.output,
    /pulumi-proxies:configTokens: must be secret: set it with `pulumi config set --secret`/,
  );
  assert.doesNotMatch(run.output, new RegExp(CANARY));
});

test("a name that stands twice is refused before the program runs", async (t) => {
  const zone = await TestZone.open(t, { proxies: {} });
  const path = `${zone.project}/stacks/Pulumi.${zone.stack}.yaml`;
  const twice = `"pulumi-proxies:proxies": {"p": {"configTokenSecretRef": {"name": "x"}}, "p": {"replicas": 2}}`;
  writeFileSync(path, readFileSync(path, "utf8").replace('"pulumi-proxies:proxies": {}', twice));
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  assert.match(run.output, /key "p" already (set|defined)/);
  assert.equal((await zone.list("deployments")).length, 0);
});
