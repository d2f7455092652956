// A program of one's own that imports the components: args may be Outputs, and are checked when they resolve.
import assert from "node:assert/strict";
import { test } from "node:test";
import { program } from "./support/program.ts";
import { TestZone } from "./support/zone.ts";

test("args that are Outputs make the same objects; one that resolves to nonsense is one line, and nothing of it is made", async (t) => {
  const zone = await TestZone.open(t, {});
  await zone.putToken("p-config", "30d");
  program(zone, `new proxies.Proxy("good", { zone, configTokenSecretRef, replicas: pulumi.output(2) });`);
  const good = await zone.up();
  assert.equal(good.code, 0, good.output);
  assert.equal((await zone.list("pods")).length, 2);

  program(
    zone,
    `new proxies.Proxy("good", { zone, configTokenSecretRef, replicas: pulumi.output(1) });
     new proxies.Proxy("bad", { zone, configTokenSecretRef, env: [{ name: pulumi.output("9 lives"), value: "x" }] });`,
  );
  const bad = await zone.up();
  assert.notEqual(bad.code, 0);
  assert.match(
    bad.output,
    /error: bad\.env\[0\]\.name: must be letters, digits, '-', '_' and '\.', not starting with a digit/,
  );
  assert.doesNotMatch(bad.output, /\n\s+at .*file:|unhandled|Promise/);
  const made = await zone.list("deployments,services,serviceaccounts,networkpolicies");
  assert.deepEqual([...new Set(made.map(({ metadata }) => metadata.name))].sort(), ["default", "good"]);
});

test("a refusal names what is wrong under the component, without a stack", async (t) => {
  const zone = await TestZone.open(t, {});
  program(zone, `new proxies.Proxy("p", { zone, configTokenSecretRef, replicas: -1 as number });`);
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  assert.match(run.output, /proxies:index:Proxy \(p\):\n\s+error: p\.replicas: /);
  assert.doesNotMatch(run.output, /\n\s+at .*file:/);
});

test("an error that nobody foresaw names the line of the program", async (t) => {
  const zone = await TestZone.open(t, {});
  program(
    zone,
    `\n\nconst missing = undefined as unknown as { field: string };\npulumi.log.info(missing.field);`,
  );
  const run = await zone.up();
  assert.notEqual(run.code, 0);
  assert.match(run.output, /TypeError: Cannot read properties of undefined \(reading 'field'\)/);
  assert.match(run.output, /index\.ts:9:/);
});
