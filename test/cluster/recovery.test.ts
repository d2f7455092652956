// Coming back after a loss: docs/recovery.md, step by step. A lost state is in ownership.test.ts.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { loadYaml } from "@kubernetes/client-node";
import { startPlatform } from "../support/platform.ts";
import { startOwnCluster } from "./support/cluster.ts";
import { passes } from "./support/registering.ts";
import { makeToken } from "./support/token.ts";
import { type StackFile, TestZone } from "./support/zone.ts";

const file = (zone: object = {}): StackFile => ({
  zone,
  proxies: { p: { configTokenSecretRef: { name: "p-config" } } },
});

/** Runs the CLI in a zone's project, on a stack of whatever name and with more of an environment. */
async function cli(zone: TestZone, stack: string, args: string[], env: object = {}, input?: string) {
  const { code, stdout, stderr } = await zone.workspace.pulumi([...args, "--stack", stack], {
    cwd: zone.project,
    env: { ...(await zone.envOf("update")), ...env },
    ...(input !== undefined && { input }),
  });
  return { code, output: stdout + stderr, changes: {} };
}

/** What must not change when a stack comes back: the Deployments, their templates, and the pods. */
async function running(zone: TestZone): Promise<string[]> {
  const objects = await zone.list("deployments,replicasets,pods");
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid}`);
}

const UP = ["up", "--yes", "--skip-preview"];

test("a renamed stack takes its objects over by its former name, and nothing rolls or registers again", async (t) => {
  const platform = await startPlatform(t);
  const zone = await TestZone.open(t, {});
  await zone.putToken("p-config", "30d");
  const registration = { platformUrl: platform.url, name: "X.509", authType: "none" };
  const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };
  zone.write({ ...file(), connectors: { x509: { image, healthCheck: { enabled: false }, registration } } });
  passes(await zone.up());
  const before = await running(zone);

  const renamed = `${zone.stack}-new`;
  passes(await zone.pulumi(["stack", "rename", renamed]));
  const refused = await cli(zone, renamed, ["preview"]);
  assert.notEqual(refused.code, 0);
  assert.match(
    refused.output,
    new RegExp(`belongs to pulumi-proxies/${zone.stack}/Proxy/p: .* former name .* zone\\.formerStacks`),
  );
  passes(await cli(zone, renamed, ["config", "set", "--path", "zone.formerStacks[0]", zone.stack]));
  const taken = await cli(zone, renamed, UP);
  passes(taken);
  assert.match(
    taken.output,
    /warning: its objects carry \S+\/Proxy\/p, a former name of this stack: never run/,
  );
  assert.deepEqual(await running(zone), before);
  passes(await cli(zone, renamed, ["config", "rm", "--path", "zone.formerStacks"]));
  passes(await cli(zone, renamed, [...UP, "--expect-no-changes"]));
  const owners = (await zone.list("deployments,services,configmaps")).flatMap(
    ({ metadata }) => metadata.annotations?.["pulumi-proxies.dev/owner"] ?? [],
  );
  assert.deepEqual(
    owners.sort(),
    [
      ...["p", "p"].map((name) => `pulumi-proxies/${renamed}/Proxy/${name}`),
      ...["x509", "x509", "x509"].map((name) => `pulumi-proxies/${renamed}/Connector/${name}`),
    ].sort(),
  );

  passes(await cli(zone, renamed, ["destroy", "--yes", "--skip-preview"]));
  assert.equal(platform.received.length, 1);
  assert.deepEqual(
    (await zone.left("deployments,services,configmaps")).map(({ metadata }) => metadata.name),
    ["kube-root-ca.crt"],
  );
});

test("a stack that is moved to another backend has no changes there", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  passes(await zone.up());
  const before = await running(zone);
  const state = `${zone.workspace.dir}/state.json`;
  passes(await zone.pulumi(["stack", "export", "--file", state]));

  mkdirSync(`${zone.workspace.dir}/backend-2`);
  const there = { PULUMI_BACKEND_URL: `file://${zone.workspace.dir}/backend-2` };
  passes(await cli(zone, zone.stack, ["stack", "init"], there));
  passes(await cli(zone, zone.stack, ["stack", "import", "--file", state], there));
  passes(await cli(zone, zone.stack, [...UP, "--expect-no-changes"], there));
  passes(await zone.pulumi(["stack", "rm", "--force", "--yes", "--preserve-config"]));
  passes(await cli(zone, zone.stack, [...UP, "--expect-no-changes"], there));
  assert.deepEqual(await running(zone), before);
});

test("a lost passphrase loses what the stack file encrypts; with the same token again nothing rolls", async (t) => {
  const zone = await TestZone.open(t, { proxies: { p: {} } });
  const token = await makeToken("30d");
  const set = ["config", "set", "--secret", "--path", "configTokens.p"];
  passes(await zone.pulumi(set, { input: token }));
  passes(await zone.up());
  const before = await running(zone);

  const env = { PULUMI_CONFIG_PASSPHRASE: "another" };
  assert.notEqual((await cli(zone, zone.stack, ["preview"], env)).code, 0);
  passes(await cli(zone, zone.stack, ["stack", "rm", "--force", "--yes", "--preserve-config"], env));
  // By hand: what the lost passphrase encrypted goes out of the stack file.
  const path = `${zone.project}/stacks/Pulumi.${zone.stack}.yaml`;
  const { config = {} } = loadYaml<{ config?: Record<string, unknown> }>(readFileSync(path, "utf8"));
  const { "pulumi-proxies:configTokens": lost, ...kept } = config;
  assert.ok(lost);
  writeFileSync(path, JSON.stringify({ config: kept }));
  passes(await cli(zone, zone.stack, ["stack", "init"], env));
  passes(await cli(zone, zone.stack, set, env, token));
  passes(await cli(zone, zone.stack, UP, env));
  assert.deepEqual(await running(zone), before);
  passes(await cli(zone, zone.stack, [...UP, "--expect-no-changes"], env));
});

test("a stack that lost its objects to another one says so in every run of the program, and how to let go", async (t) => {
  const lost = await TestZone.open(t, file());
  await lost.putToken("p-config", "30d");
  passes(await lost.up());
  const now = await TestZone.open(t, file({ formerStacks: [lost.stack] }), { beside: lost });
  passes(await now.up());
  const before = await lost.fingerprint();

  for (const run of [await lost.preview(), await lost.up(), await lost.destroy("--run-program")]) {
    assert.notEqual(run.code, 0);
    assert.match(run.output, new RegExp(`belongs to pulumi-proxies/${now.stack}/Proxy/p: `));
    assert.match(run.output, /would still delete it: let go of it with `pulumi state delete`/);
  }
  assert.deepEqual(await lost.fingerprint(), before);

  const state = JSON.parse((await lost.pulumi(["stack", "export"])).output) as {
    deployment: { resources: { urn: string; type: string }[] };
  };
  const objects = state.deployment.resources.filter(({ type }) => type.startsWith("kubernetes:"));
  assert.equal(objects.length, 4);
  // What depends on others first.
  for (const { urn } of objects.reverse()) passes(await lost.pulumi(["state", "delete", urn, "--yes"]));
  passes(await lost.destroy());
  assert.deepEqual(await lost.fingerprint(), before);
  now.write(file());
  passes(await now.up("--expect-no-changes"));
});

const { controlPlane: other } = await startOwnCluster("recovery");
after(() => other.stop());

test("another cluster behind the same context is refused by every run, and nothing is made there", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  const first = await zone.up();
  passes(first);
  const uid = /zone.cluster.namespaceUid ([0-9a-f-]{36})/.exec(first.output)?.[1];
  assert.ok(uid, first.output);
  const before = await running(zone);
  zone.write(file({ cluster: { namespaceUid: uid } }));

  const elsewhere = { KUBECONFIG: other.kubeconfig };
  const absent = await cli(zone, zone.stack, ["preview"], elsewhere);
  assert.notEqual(absent.code, 0);
  assert.match(
    absent.output,
    /error: namespace \S+ of zone \S+ does not exist, but .* is this the right cluster\?/,
  );
  const kubectl = (...args: string[]): Promise<string> =>
    zone.kubectl([...args, "--kubeconfig", other.kubeconfig]);
  await kubectl("create", "namespace", zone.namespace);
  for (const args of [["preview"], UP, ["destroy", "--yes", "--skip-preview", "--run-program"]]) {
    const run = await cli(zone, zone.stack, args, elsewhere);
    assert.notEqual(run.code, 0, args.join(" "));
    assert.match(
      run.output,
      /error: namespace \S+ of zone \S+ has UID \S+, but zone\.cluster\.namespaceUid is /,
    );
  }
  const made = await kubectl("get", "deployments,services", "--namespace", zone.namespace, "-o", "name");
  assert.equal(made, "");
  // The engine looked before the program could refuse, and has forgotten what it did not find there.
  passes(await zone.up());
  assert.deepEqual(await running(zone), before);
  passes(await zone.up("--expect-no-changes"));
});
