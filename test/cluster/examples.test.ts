import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { loadYaml } from "@kubernetes/client-node";
import { deployPlatform } from "./support/registering.ts";
import { openStub, replyJson } from "./support/stub.ts";
import { at, type StackFile, TestZone } from "./support/zone.ts";

/** An example's stack file, without the project's name before its keys. */
function example(name: string): StackFile {
  const path = new URL(`../../stacks/Pulumi.${name}.yaml`, import.meta.url);
  const { config } = loadYaml<{ config: StackFile }>(readFileSync(path, "utf8"));
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace("pulumi-proxies:", ""), value]),
  );
}

/** The example as it stands, but in this test's namespace; its context is made to exist. */
async function openExample(
  t: Parameters<typeof TestZone.open>[0],
  name: string,
  adapt: (zone: TestZone, file: StackFile) => Promise<StackFile> = (_, file) => Promise.resolve(file),
): Promise<TestZone> {
  const zone = await TestZone.open(t, {}, { asWritten: true });
  const file = await adapt(zone, example(name));
  const { cluster: given, ...rest } = file["zone"] as { cluster: { context: string; namespaceUid?: string } };
  const { namespaceUid, ...cluster } = given;
  if (namespaceUid !== undefined)
    assert.match(namespaceUid, /^0{8}-/, "an example can't know the UID of this test's namespace");
  const kubeconfig = JSON.parse(readFileSync(zone.cluster.users.update, "utf8")) as {
    contexts: { name: string }[];
  };
  kubeconfig.contexts.push(...kubeconfig.contexts.map((context) => ({ ...context, name: cluster.context })));
  const path = `${zone.workspace.dir}/kubeconfig`;
  writeFileSync(path, JSON.stringify(kubeconfig));
  zone.write({
    ...file,
    zone: { ...rest, namespace: zone.namespace, cluster: { ...cluster, kubeconfig: path } },
  });
  return zone;
}

test("the example of a data center comes up Running, its monitor waiting for the CRD", async (t) => {
  const zone = await openExample(t, "prod-dc-east");
  await zone.putToken("dc-east-a-config", "30d");
  await zone.putToken("dc-east-b-config", "30d");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const { "dc-east-a": a, "dc-east-b": b } = await zone.outputs();
  assert.deepEqual([a?.phase, a?.ready, b?.phase, b?.ready], ["Running", 2, "Running", 1]);
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});

test("the example of a partner's site uses its mirror and its corporate proxy", async (t) => {
  const zone = await openExample(t, "prod-partner-site");
  await zone.putToken("partner-config", "30d");
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const pod = at(await zone.get("deployment", "partner"), "spec", "template", "spec");
  const container = at(pod, "containers", 0);
  assert.equal(at(container, "image"), "mirror.partner.example.com/ilm/proxy:1.0.0");
  assert.deepEqual(at(pod, "imagePullSecrets"), [{ name: "mirror-credentials" }]);
  assert.deepEqual(at(pod, "tolerations"), [{ key: "egress", operator: "Exists" }]);
  const env = Object.fromEntries(
    (at(container, "env") as { name: string; value?: string }[]).map(({ name, value }) => [name, value]),
  );
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"]) {
    assert.equal(env[name], "http://egress.partner.example.com:3128", name);
  }
  assert.match(env["NO_PROXY"] ?? "", /^10\.0\.0\.0\/8,\.partner\.example\.com,localhost,/);
  assert.equal((await zone.outputs())["partner"]?.phase, "Running");
});

test("the example with every field is accepted as it is, and what can run comes up Running", async (t) => {
  const zone = await openExample(t, "staging-every-field");
  for (const name of ["everyday", "autoscaled", "placed", "accompanied"])
    await zone.putToken(`${name}-config`, "30d");
  const data = { "tls.crt": "x", "ca.crt": "x", password: "x", region: "x" };
  await zone.apply(
    ...["everyday-tls", "everyday-broker"].map((name) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name },
      stringData: data,
    })),
    ...["everyday-ca", "everyday-settings"].map((name) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data,
    })),
  );
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const { everyday, autoscaled } = await zone.outputs();
  assert.deepEqual([everyday?.phase, autoscaled?.phase], ["Running", "Running"]);
  const specs = example("staging-every-field")["proxies"] as Record<string, Record<string, unknown>>;
  const missing: string[] = [];
  for (const [name, spec] of Object.entries(specs)) {
    const pod = at(await zone.get("deployment", name), "spec", "template", "spec") as Record<string, unknown>;
    const sidecars = (pod["containers"] as { name: string }[]).slice(1);
    for (const field of ["affinity", "topologySpreadConstraints", "initContainers", "sidecars"])
      missing.push(...lost(spec[field] ?? [], at({ ...pod, sidecars }, field), `${name}.${field}`));
  }
  assert.deepEqual(missing, [], "fields that never reached the cluster");
});

/** What the hardening replaces. */
const FORCED = ["privileged", "allowPrivilegeEscalation", "capabilities", "seccompProfile"];

/** Where a live object does not say what was asked for; the API server leaves out what is empty. */
function lost(asked: unknown, live: unknown, path: string): string[] {
  if (typeof asked === "object" && asked !== null) {
    return Object.entries(asked)
      .filter(([key]) => !FORCED.includes(key))
      .flatMap(([key, value]) => lost(value, at(live, key), `${path}.${key}`));
  }
  const isEmpty = asked === undefined || asked === "" || asked === false || asked === 0;
  return asked === live || (isEmpty && live === undefined) ? [] : [path];
}

test("the example of connectors comes up Running, registered, and lets the platform's namespace in", async (t) => {
  const platform = await openStub(t, { "/api/v2/connector/register": replyJson(200, { uuid: "u-1" }) });
  let namespace = "";
  const zone = await openExample(t, "prod-platform", async (opened, file) => {
    namespace = await opened.namespaceBeside("ilm");
    await deployPlatform(opened, namespace, platform, 8080);
    const text = JSON.stringify(file).replace("http://core.ilm.svc", `http://core.${namespace}.svc`);
    return JSON.parse(text) as StackFile;
  });
  const credentials = { apiVersion: "v1", kind: "Secret", metadata: { name: "ejbca-credentials" } };
  await zone.apply({ ...credentials, stringData: { password: "x" } });
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const { "x509-compliance": x509, ejbca } = await zone.outputs("connectors");
  assert.deepEqual([x509?.phase, ejbca?.phase], ["Running", "Running"]);
  assert.equal(x509?.registration?.uuid, "u-1");
  assert.equal(at(x509, "endpoint"), `http://x509-compliance.${zone.namespace}.svc.cluster.local:8080`);
  const policy = await zone.get("networkpolicy", "x509-compliance");
  assert.deepEqual(at(policy, "spec", "ingress", 0, "from", 1), {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
  });
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});
