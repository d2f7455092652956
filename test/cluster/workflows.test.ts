// The samples of ci/workflows/kubernetes on a live API server, which knows what a field means and who may do what.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { NOTHING_NEEDED } from "../../ci/roles/needs.ts";
import { rightsOf } from "./support/identities.ts";
import { TestZone } from "./support/zone.ts";

const sample = (name: string): string =>
  readFileSync(new URL(`../../ci/workflows/${name}`, import.meta.url), "utf8");

test("the API server takes the CronJob, in a namespace of restricted pods, without a warning", async (t) => {
  const zone = await TestZone.open(t, {});
  const levels = ["enforce", "warn"].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
  await zone.kubectl(["label", "namespace", zone.namespace, ...levels]);
  const dryRun = async (text: string): Promise<{ stdout: string; stderr: string }> => {
    const objects = text.replaceAll("namespace: proxies", `namespace: ${zone.namespace}`);
    const file = `${zone.workspace.dir}/objects.yaml`;
    writeFileSync(file, objects);
    return promisify(execFile)(zone.cluster.tools.kubectl, [
      ...["--kubeconfig", zone.cluster.kubeconfig, "--context", zone.cluster.context],
      ...["apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", file],
    ]);
  };
  const { stdout, stderr } = await dryRun(sample("kubernetes/cronjob.yaml"));
  assert.equal(stderr, "");
  assert.match(stdout, /^cronjob.batch\/pulumi-proxies-drift serverside-applied/m);
  // That is what a warning looks like.
  const loose = sample("kubernetes/cronjob.yaml").replace(
    "allowPrivilegeEscalation: false",
    "privileged: true",
  );
  assert.match((await dryRun(loose)).stderr, /would violate PodSecurity "restricted/);
  // The operator's own kinds are not served here; all else of the recipe is.
  const recipe = sample("pulumi-operator/stack.yaml").split("\n---\n");
  const known = recipe.filter((object) => !object.includes("\napiVersion: pulumi.com/"));
  assert.deepEqual([recipe.length, known.length], [4, 3]);
  assert.equal((await dryRun(known.join("\n---\n"))).stderr, "");
});

test("the preview identity sees a rotation of what it may read, says so where it may not, and applies nothing", async (t) => {
  const proxies = {
    named: { configTokenSecretRef: { name: "dc-east-a-config" } },
    unnamed: { configTokenSecretRef: { name: "dc-east-c-config" } },
  };
  const zone = await TestZone.open(t, { proxies });
  await Promise.all(
    Object.values(proxies).map((proxy) => zone.putToken(proxy.configTokenSecretRef.name, "30d")),
  );
  const first = await zone.up();
  assert.equal(first.code, 0, first.output);

  const readsSecrets = ["dc-east-a-config"];
  const needs = { ...NOTHING_NEEDED, namespace: zone.namespace, createNamespace: false, readsSecrets };
  await zone.apply(...rightsOf("preview", needs, "named", "stranger"));
  const asStranger = { env: { KUBECONFIG: zone.cluster.users.stranger } };

  const same = await zone.pulumi(["preview"], asStranger);
  assert.equal(same.code, 0, same.output);
  assert.deepEqual(Object.keys(same.changes), ["unchanged"], same.output);
  assert.match(same.output, /dc-east-c-config/);

  await Promise.all(
    Object.values(proxies).map((proxy) => zone.putToken(proxy.configTokenSecretRef.name, "60d")),
  );
  const before = await zone.fingerprint();
  const rotated = await zone.pulumi(["preview"], asStranger);
  assert.equal(rotated.code, 0, rotated.output);
  assert.equal(rotated.changes["update"], 1, rotated.output);

  const refused = await zone.pulumi(["up", "--yes", "--skip-preview"], asStranger);
  assert.notEqual(refused.code, 0, refused.output);
  assert.match(refused.output, /forbidden/i);
  assert.deepEqual(await zone.fingerprint(), before);
});
