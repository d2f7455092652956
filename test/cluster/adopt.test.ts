// docs/moving-in.md, step by step, and its steps in a wrong order. On a control plane of its own: it installs the
// operator's CRDs and deletes them. The operator is not there, which is the harder case: nobody takes finalizers away.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, test, type TestContext } from "node:test";
import { eventually } from "../dev/support.ts";
import { CREATED, startPlatform } from "../support/platform.ts";
import {
  adopt,
  adopted,
  gone,
  grantReading,
  inShell,
  letGo,
  objectsOf,
  removeAdopt,
  uids,
} from "./support/adopting.ts";
import { startOwnCluster } from "./support/cluster.ts";
import { watchEndpoints } from "./support/endpoints.ts";
import { CRDS, type Ilm, installCrds, leftOvers, operate } from "./support/ilm.ts";
import { part } from "./support/part.ts";
import { passes } from "./support/registering.ts";
import { makeToken } from "./support/token.ts";
import { at, type Run, TestZone } from "./support/zone.ts";

const { cluster, controlPlane } = await startOwnCluster("adopt");
after(() => controlPlane.stop());

const proxy = (name: string, more: object = {}): Ilm => ({
  kind: "Proxy",
  name,
  spec: { configTokenSecretRef: { name: `${name}-config` }, ...more },
});

/** A zone that the operator runs: no stack file, and nothing of ours in the cluster. */
async function openOperated(t: TestContext, resources: readonly Ilm[]): Promise<TestZone> {
  const zone = await TestZone.open(t, {}, { cluster });
  await zone.pulumi(["stack", "rm", "--force", "--yes"]);
  await installCrds(zone);
  const tokens = resources.filter(({ kind }) => kind === "Proxy");
  await zone.apply(
    ...(await Promise.all(
      tokens.map(async ({ name }) => ({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: `${name}-config` },
        stringData: { configToken: await makeToken("30d") },
      })),
    )),
  );
  await operate(zone, resources);
  return zone;
}

function refusedWith(run: Run, message: RegExp): void {
  assert.notEqual(run.code, 0, run.output);
  assert.match(run.output, message);
}

/** Makes sure that the garbage collector has come past: what a resource of its own controls goes with that resource. */
async function letCollect(zone: TestZone, go: () => Promise<unknown>): Promise<void> {
  const metadata = { name: "canary" };
  const spec = { configTokenSecretRef: { name: "x" } };
  await zone.apply({ apiVersion: "otilm.com/v1alpha1", kind: "Proxy", metadata, spec });
  const { uid } = (await zone.get("proxies.otilm.com", "canary")).metadata;
  const owner = { apiVersion: "otilm.com/v1alpha1", kind: "Proxy", name: "canary", uid, controller: true };
  await zone.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "canary", ownerReferences: [owner] },
  });
  await go();
  await gone(zone, "configmap/canary");
}

test("the steps in their order: same objects, one rolling restart, nothing registered, nothing left", async (t) => {
  const platform = await startPlatform(t);
  const { uuid } = JSON.parse(CREATED.body) as { uuid: string };
  const registration = { platformUrl: platform.url, name: "X.509", authType: "none" };
  const zone = await openOperated(t, [
    proxy("west", { replicas: 2, podDisruptionBudget: { enabled: true, minAvailable: 1 } }),
    {
      kind: "Connector",
      name: "x509",
      spec: {
        image: { repository: "hub.example.com/ilm/x509", tag: "1.3.1" },
        service: { port: 8080 },
        healthCheck: { enabled: false },
        registration,
      },
      status: { registration: { uuid, status: "connected", registeredAt: "2026-01-01T00:00:00Z" } },
    },
  ]);
  const before = uids(await objectsOf(zone));
  let steps: string[][] = [];

  await part(t, "without the rights it is one line, and nothing is written", async () => {
    const { code, stderr } = await adopt(zone);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: proxies can't be read: .*User "stranger" cannot list resource "proxies"[^\n]*\n$/,
    );
    assert.ok(!existsSync(`${zone.project}/stacks/Pulumi.${zone.stack}.yaml`));
  });

  await part(t, "it writes the stack file, and prints the steps", async () => {
    await grantReading(zone);
    const run = await adopted(zone);
    assert.match(run.stdout, /belong to it until step 1/);
    assert.match(run.stdout, new RegExp(`is registered as ${uuid}, which goes with it: nothing is posted`));
    ({ steps } = run);
    const again = await adopted(zone);
    assert.match(again.stdout, /0 added, 2 there already/);
  });

  await part(t, "`pulumi up` before step 1 is refused, with step 1, and changes nothing", async () => {
    passes(await zone.pulumi(["stack", "init"]));
    const fingerprint = await zone.fingerprint();
    refusedWith(
      await zone.up(),
      /Deployment \S+\/west belongs to Proxy west, .*`kubectl delete proxy\.otilm\.com west -n \S+ --cascade=orphan`/,
    );
    assert.deepEqual(await zone.fingerprint(), fingerprint);
  });

  await part(t, "steps 1 to 3 leave every object, and nobody controls it", async () => {
    await inShell(zone, steps[0]);
    await letGo(zone, steps[2]);
    assert.match((await adopted(zone)).stdout, /1\. Done already/);
    await inShell(zone, steps[1]);
    await gone(zone, CRDS.join());
    assert.deepEqual(uids(await objectsOf(zone)), before);
  });

  await part(t, "without `adopt: true` a run is refused, and says so", async () => {
    const text = removeAdopt(zone);
    refusedWith(
      await zone.up(),
      /Deployment \S+\/west exists and is not ours: .*set adopt: true to take it over/,
    );
    zone.writeText(text);
  });

  await part(t, "step 4 takes the objects over", async () => {
    assert.deepEqual(steps[3], [
      `pulumi stack init ${zone.stack} # where there is no such stack yet`,
      `pulumi preview --diff --stack ${zone.stack}`,
      `pulumi up --stack ${zone.stack}`,
    ]);
    passes(await zone.preview("--diff"));
    passes(await zone.up());
    const objects = await objectsOf(zone);
    assert.deepEqual(uids(objects), before);
    assert.deepEqual(leftOvers(objects), []);
    for (const { metadata } of objects.filter(({ kind }) => kind === "Deployment"))
      assert.equal(
        (await zone.list("replicasets", "-l", `app.kubernetes.io/name=${metadata.name}`)).length,
        2,
      );
    assert.deepEqual(platform.received, []);
    const { x509 } = await zone.outputs("connectors");
    assert.equal(x509?.phase, "Running");
    assert.equal(x509.registration?.uuid, uuid);
    assert.equal((await zone.outputs())["west"]?.phase, "Running");
  });

  await part(t, "step 5: without `adopt: true` the next run changes nothing", async () => {
    removeAdopt(zone);
    assert.deepEqual(steps[4], [`pulumi preview --expect-no-changes --stack ${zone.stack}`]);
    passes(await zone.preview("--expect-no-changes"));
    passes(await zone.up("--expect-no-changes"));
  });

  await part(t, "step 6: the CRDs go, and take nothing of ours along", async () => {
    const [look = "", remove = ""] = steps[5] ?? [];
    assert.equal(await inShell(zone, [look]), "");
    await letCollect(zone, () => inShell(zone, [remove]));
    await gone(zone, CRDS.map((crd) => `crd/${crd}`).join(" "));
    assert.deepEqual(uids(await objectsOf(zone)), before);
    passes(await zone.up("--expect-no-changes"));
    assert.deepEqual(platform.received, []);
  });
});

const WRONG: Record<string, string[]> = {
  "a resource was deleted without --cascade=orphan": ["delete", "proxies.otilm.com", "west", "--wait=false"],
  "the CRD was deleted first": ["delete", "crd", "proxies.otilm.com", "--wait=false"],
};

for (const [mistake, command] of Object.entries(WRONG)) {
  test(`${mistake}: every command says what saves the objects, and that does`, async (t) => {
    const zone = await openOperated(t, [proxy("west")]);
    await grantReading(zone);
    const before = uids(await objectsOf(zone));
    await adopted(zone);
    passes(await zone.pulumi(["stack", "init"]));
    await zone.kube(...command);

    refusedWith(await zone.up(), /Deployment \S+\/west belongs to Proxy west.*--cascade=orphan`/);
    const refused = await adopt(zone);
    assert.equal(refused.code, 1);
    const [, saving = ""] =
      /^error: Proxy west: is being deleted, and its objects would go with it: .*`(kubectl [^`]+)`, then run this again$/m.exec(
        refused.stderr,
      ) ?? [];
    await inShell(zone, [`${saving} --context ${zone.context}`]);

    const { steps } = await eventually("the resource has let go", 60, async () => {
      const run = await adopt(zone);
      return run.code === 0 ? run : undefined;
    });
    await letGo(zone, steps[2]);
    await inShell(zone, steps[1]);
    // A CRD that is being deleted goes with its last resource: from then on there is no such type to ask for.
    await gone(zone, command.includes("crd") ? "crd/proxies.otilm.com" : "proxies.otilm.com");
    await installCrds(zone);
    await letCollect(zone, () => zone.kube("delete", "proxies.otilm.com", "canary"));
    assert.deepEqual(uids(await objectsOf(zone)), before);
    passes(await zone.up());
    assert.deepEqual(uids(await objectsOf(zone)), before);
  });
}

test("twenty proxies in one run: no Service ever has fewer ready endpoints than its rollout allows", async (t) => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index + 1}`);
  const replicas = (index: number): number => 1 + (index % 2);
  const zone = await openOperated(
    t,
    names.map((name, index) => proxy(name, { replicas: replicas(index) })),
  );
  await grantReading(zone);
  const before = uids(await objectsOf(zone));
  const { steps } = await adopted(zone);
  const { counts, stop } = watchEndpoints(t, zone);
  await eventually("every Service has its endpoints", 60, () =>
    names.every((name, index) => counts.get(name)?.at(-1) === replicas(index)) ? true : undefined,
  );
  for (const all of counts.values()) all.splice(0, all.length - 1);

  await inShell(zone, steps[0]);
  await inShell(zone, steps[1]);
  await letGo(zone, steps[2]);
  passes(await zone.pulumi(["stack", "init"]));
  passes(await zone.up());
  await eventually("the last of the old pods are gone", 60, () =>
    names.every((name, index) => counts.get(name)?.at(-1) === replicas(index)) ? true : undefined,
  );
  stop();

  const objects = await objectsOf(zone);
  assert.deepEqual(uids(objects), before);
  assert.deepEqual(leftOvers(objects), []);
  for (const [index, name] of names.entries()) {
    const deployment = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === name);
    assert.equal(at(deployment, "spec", "strategy", "rollingUpdate", "maxUnavailable"), 0);
    const seen = counts.get(name) ?? [];
    assert.ok(Math.min(...seen) >= replicas(index), `${name}: ${seen.join(" ")}`);
    assert.ok(Math.max(...seen) > replicas(index), `the watch has seen ${name} roll: ${seen.join(" ")}`);
  }
  assert.equal((await zone.list("replicasets")).length, 2 * names.length, "one rolling restart each");
});
