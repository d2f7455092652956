import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "../../ci/roles/roles.ts";
import { NOTHING_NEEDED } from "../../ci/roles/needs.ts";
import { rightsOf, rulesWithout } from "./support/identities.ts";
import { eventually } from "../dev/support.ts";
import { makeToken } from "./support/token.ts";
import { at, type Run, type StackFile, TestZone } from "./support/zone.ts";

const file = (zone: object = {}, proxy: object = {}): StackFile => ({
  zone,
  proxies: { p: { configTokenSecretRef: { name: "p-config" }, referenceTimeoutSeconds: 0, ...proxy } },
});

const STACK_TRACE = /\n\s+at .*\(?(file|node):/;

/** The zone's kubeconfig, leading to a port where nobody listens. */
function deadKubeconfig(zone: TestZone): string {
  const path = `${zone.workspace.dir}/dead-kubeconfig`;
  const living = readFileSync(zone.cluster.kubeconfig, "utf8");
  writeFileSync(path, living.replace(/https:\/\/127\.0\.0\.1:\d+/, "https://127.0.0.1:1"));
  return path;
}

test("a missing namespace is said at once, in previews too; createNamespace makes it and never deletes it", async (t) => {
  const zone = await TestZone.open(t, file(), { namespace: false });
  // In a namespace that is not there yet nobody can be given a Role.
  const needs = { ...NOTHING_NEEDED, namespace: zone.namespace, createNamespace: true };
  await zone.apply(...rightsOf("update", needs, zone.stack, "cluster-update"));
  const as = { env: { KUBECONFIG: zone.cluster.users["cluster-update"] } };
  const up = (...more: string[]): Promise<Run> => zone.pulumi(["up", "--yes", "--skip-preview", ...more], as);
  for (const run of [await zone.pulumi(["preview"], as), await up()]) {
    assert.notEqual(run.code, 0);
    assert.match(
      run.output,
      /error: namespace \S+ of zone \S+ does not exist: create it, or: pulumi config set --path zone.createNamespace true/,
    );
    assert.doesNotMatch(run.output, STACK_TRACE);
  }
  zone.write(file({ createNamespace: true }));
  const made = await up();
  assert.equal(made.code, 0, made.output);
  assert.match(made.output, /pin it: pulumi config set --path zone.cluster.namespaceUid [0-9a-f-]{36}/);
  await zone.putToken("p-config", "30d");
  assert.equal((await up()).code, 0);
  assert.equal((await up("--expect-no-changes")).code, 0);
  const destroyed = await zone.pulumi(["destroy", "--yes", "--skip-preview"], as);
  assert.equal(destroyed.code, 0, destroyed.output);
  await zone.get("secret", "p-config");
});

test("another cluster behind the same name is an error, not a new zone", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  const first = await zone.up();
  const uid = /zone.cluster.namespaceUid ([0-9a-f-]{36})/.exec(first.output)?.[1];
  assert.ok(uid, first.output);
  zone.write(file({ cluster: { namespaceUid: uid } }));
  const pinned = await zone.up("--expect-no-changes");
  assert.equal(pinned.code, 0, pinned.output);
  assert.doesNotMatch(pinned.output, /pin it/);

  zone.write(file({ cluster: { namespaceUid: "00000000-0000-4000-8000-000000000000" } }));
  const before = await zone.fingerprint();
  const wrong = await zone.up();
  assert.notEqual(wrong.code, 0);
  assert.match(
    wrong.output,
    /has UID \S+, but zone.cluster.namespaceUid is \S+: this is another cluster, or the namespace was made anew/,
  );
  assert.deepEqual(await zone.fingerprint(), before);
});

test("a context that is not given or not there is one line", async (t) => {
  const zone = await TestZone.open(t, file({ cluster: { context: "nowhere" } }));
  const unknown = await zone.preview();
  assert.notEqual(unknown.code, 0);
  assert.match(
    unknown.output,
    /error: zone \S+: the kubeconfig has no context "nowhere"; its contexts: local\n/,
  );
  assert.doesNotMatch(unknown.output, STACK_TRACE);
});

test("an unreachable cluster: the preview goes on with one warning, the update fails with one line", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const env = { KUBECONFIG: deadKubeconfig(zone) };
  const begin = Date.now();

  const preview = await zone.pulumi(["preview", "--refresh=false"], { env });
  assert.equal(preview.code, 0, preview.output);
  assert.match(
    preview.output,
    /warning: the cluster of zone \S+ can't be read: connect ECONNREFUSED [^;]*\. This preview plans as if nothing there had changed/,
  );
  assert.equal(preview.output.match(/can't be read/g)?.length, 2, "once in the stream, once in the summary");
  assert.deepEqual(Object.keys(preview.changes), ["unchanged"]);

  const update = await zone.pulumi(["up", "--yes", "--skip-preview", "--refresh=false"], { env });
  assert.notEqual(update.code, 0);
  assert.match(
    update.output,
    /error: the cluster of zone \S+ can't be read: connect ECONNREFUSED [^\n]*\. Nothing was changed\./,
  );
  assert.doesNotMatch(update.output, STACK_TRACE);
  assert.ok(Date.now() - begin < 60_000);

  // With the project's `refresh: always` the provider speaks first, for each object; nothing is lost either.
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const run = await zone.pulumi(command, { env });
    assert.notEqual(run.code, 0);
    assert.match(run.output, /configured Kubernetes cluster is unreachable/);
    assert.doesNotMatch(run.output, STACK_TRACE);
  }
  const reachable = await zone.up("--expect-no-changes");
  assert.equal(reachable.code, 0, reachable.output);
});

test("without rights nothing can be done, and one line says so", async (t) => {
  const zone = await TestZone.open(t, file());
  const run = await zone.pulumi(["up", "--yes", "--skip-preview"], {
    env: { KUBECONFIG: zone.cluster.users.stranger },
  });
  assert.notEqual(run.code, 0);
  assert.match(
    run.output,
    /error: the cluster of zone \S+ can't be read: .*deployments.apps is forbidden: User "stranger" cannot list.*Nothing was changed/,
  );
  assert.doesNotMatch(run.output, STACK_TRACE);
});

test("who may not list Secrets makes none: the provider would hang when it deletes one", async (t) => {
  const zone = await TestZone.open(t, { proxies: { p: {} } });
  const input = await makeToken("30d");
  await zone.pulumi(["config", "set", "--secret", "--path", "configTokens.p"], { input });
  const own = { namespace: zone.namespace, createNamespace: false };
  const needs = { ...NOTHING_NEEDED, ...own, makesSecrets: true };
  const [role, binding] = rightsOf("update", needs, "no-list", "stranger");
  const { rules } = role as Role;
  const blind = rulesWithout(rules, { apiGroup: "", resource: "secrets", verb: "list" });
  await zone.apply({ ...role, rules: blind }, binding ?? {});
  const env = { KUBECONFIG: zone.cluster.users.stranger };
  const run = await zone.pulumi(["up", "--yes", "--skip-preview"], { env });
  assert.notEqual(run.code, 0);
  assert.match(
    run.output,
    /error: the cluster of zone \S+ can't be read: .*secrets is forbidden: User "stranger" cannot list.*Nothing was changed/,
  );
  assert.deepEqual(await zone.list("deployments"), []);
});

test("who may make a namespace but not look whether it is there makes nothing, and is told so", async (t) => {
  const zone = await TestZone.open(t, file({ createNamespace: true }), { namespace: false });
  const needs = { ...NOTHING_NEEDED, namespace: zone.namespace, createNamespace: true };
  const [role, binding] = rightsOf("update", needs, zone.stack, "cluster-stranger");
  const { rules } = role as Role;
  const blind = rulesWithout(rules, { apiGroup: "", resource: "namespaces", verb: "get" });
  await zone.apply({ ...role, rules: blind }, binding ?? {});
  // Its rights are the whole cluster's, where other tests count on a stranger who has none.
  const env = { KUBECONFIG: zone.cluster.users["cluster-stranger"] };
  const run = await zone.pulumi(["up", "--yes", "--skip-preview"], { env });
  assert.notEqual(run.code, 0);
  assert.match(
    run.output,
    /error: the cluster of zone \S+ can't be read: zone.createNamespace can't tell whether it is there: .*cannot get resource "namespaces".*Nothing was changed/,
  );
});

test("a deletion that takes its time is waited for, without the right to watch", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  const hold = (finalizers: string[]): Promise<string> =>
    zone.kube("patch", "service", "p", "--type=merge", "-p", JSON.stringify({ metadata: { finalizers } }));
  await hold(["pulumi-proxies.dev/held"]);
  let hasEnded = false;
  const destroyed = zone.destroy().finally(() => {
    hasEnded = true;
  });
  await eventually("the Service is being deleted", 60, async () =>
    at(await zone.get("service", "p"), "metadata", "deletionTimestamp") === undefined ? undefined : true,
  );
  await sleep(3_000);
  assert.equal(hasEnded, false);
  await hold([]);
  const { code, output } = await destroyed;
  assert.equal(code, 0, output);
  assert.deepEqual(await zone.list("services"), []);
});
