// `npm run roles`: what each identity may do in a zone, from what its stack file says.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type TestContext, test } from "node:test";
import { loadYaml } from "@kubernetes/client-node";
import { type ZoneNeeds, zoneNeeds } from "../../ci/roles/needs.ts";
import { readOptions } from "../../ci/roles/options.ts";
import { type Right, roleOf, rolesText } from "../../ci/roles/roles.ts";

/** A stack file with these keys, and what a project's file declares. */
function files(t: TestContext, config: object, declared: object = {}): [file: string, project: string] {
  const folder = mkdtempSync(`${tmpdir()}/roles-`);
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const [file, project] = [`${folder}/Pulumi.zone.yaml`, `${folder}/Pulumi.yaml`];
  // YAML takes JSON as it is.
  writeFileSync(file, JSON.stringify({ encryptionsalt: "v1:x", config }));
  writeFileSync(project, JSON.stringify({ name: "pulumi-proxies", config: declared }));
  return [file, project];
}

const CIPHERTEXT = { secure: "v1:abc:def" };

test("the Secrets of a zone: those of tokens, references and encrypted tokens, each once", (t) => {
  const [file, project] = files(
    t,
    {
      "pulumi-proxies:zone": { namespace: "proxies", cluster: { context: "c" } },
      "pulumi-proxies:proxies": {
        own: {},
        given: {
          configTokenSecretRef: { name: "given-config" },
          secretRefs: [
            { name: "extra", type: "env" },
            { name: "given-config", type: "volume", mountPath: "/etc/given" },
          ],
          configMapRefs: [{ name: "settings", type: "env" }],
        },
      },
      "pulumi-proxies:configTokens": { own: CIPHERTEXT },
      "other:key": "of another project",
    },
    { proxies: { type: "object", default: {} } },
  );
  assert.deepEqual(zoneNeeds(file, project), {
    namespace: "proxies",
    createNamespace: false,
    readsSecrets: ["extra", "given-config", "own-config-token"],
    makesSecrets: true,
  });
});

test("what the project's file declares counts where the stack file says nothing", (t) => {
  const zone = { type: "object", value: { namespace: "everywhere", createNamespace: true } };
  const [file, project] = files(t, { proxies: {} }, { zone });
  assert.deepEqual(zoneNeeds(file, project), {
    namespace: "everywhere",
    createNamespace: true,
    readsSecrets: [],
    makesSecrets: false,
  });
});

test("a wrong stack file is one line that names each mistake, and no Role", (t) => {
  const zone = { namespace: "Proxies" };
  const [wrong, project] = files(t, { zone, proxies: { p: { replica: 1 } } });
  assert.throws(
    () => zoneNeeds(wrong, project),
    /^Error: \S+Pulumi\.zone\.yaml: zone\.namespace: .*; proxies\.p: .*did you mean "replicas"\?[^\n]*$/,
  );
  const [hidden] = files(t, { zone: { namespace: "proxies" }, configTokens: CIPHERTEXT });
  assert.throws(() => zoneNeeds(hidden, project), /configTokens is encrypted as a whole[^\n]*$/);
});

const RIGHTS: Right[] = [
  { apiGroup: "", resource: "namespaces", verbs: ["create", "get", "patch"] },
  { apiGroup: "", resource: "secrets", verbs: ["create", "get", "patch"] },
  { apiGroup: "", resource: "services", verbs: ["get", "list"] },
  { apiGroup: "apps", resource: "deployments", verbs: ["get", "list"] },
  { apiGroup: "", resource: "serviceaccounts", verbs: ["get", "list"] },
];
const NEEDS: ZoneNeeds = {
  namespace: "proxies",
  createNamespace: false,
  readsSecrets: ["a", "b"],
  makesSecrets: false,
};

test("preview reads the Secrets that are named, and none at all where none is", () => {
  const preview = RIGHTS.map((right) => ({
    ...right,
    verbs: right.verbs.filter((verb) => verb !== "create"),
  }));
  const { kind, metadata, rules } = roleOf("preview", NEEDS, preview);
  assert.deepEqual([kind, metadata], ["Role", { name: "pulumi-proxies-preview", namespace: "proxies" }]);
  assert.deepEqual(
    rules.find(({ resources }) => resources.includes("secrets")),
    { apiGroups: [""], resources: ["secrets"], resourceNames: ["a", "b"], verbs: ["get", "patch"] },
  );
  // An empty list of names would grant them all.
  const without = roleOf("preview", { ...NEEDS, readsSecrets: [] }, preview);
  assert.ok(without.rules.every(({ resources }) => !resources.includes("secrets")));
});

test("update writes Secrets only where the stack file has tokens, and makes a namespace only where it says so", () => {
  assert.deepEqual(roleOf("update", NEEDS, RIGHTS), {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "pulumi-proxies-update", namespace: "proxies" },
    rules: [
      { apiGroups: [""], resources: ["namespaces", "secrets"], verbs: ["get"] },
      { apiGroups: [""], resources: ["services", "serviceaccounts"], verbs: ["get", "list"] },
      { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list"] },
    ],
  });
  const { kind, metadata, rules } = roleOf(
    "update",
    { ...NEEDS, makesSecrets: true, createNamespace: true },
    RIGHTS,
  );
  assert.deepEqual([kind, metadata], ["ClusterRole", { name: "pulumi-proxies-update" }]);
  assert.deepEqual(rules[0], {
    apiGroups: [""],
    resources: ["namespaces", "secrets"],
    verbs: ["create", "get", "patch"],
  });
});

test("what the command prints is the Role, whatever the names look like", () => {
  const needs = { ...NEEDS, namespace: "1e3", readsSecrets: ["007", "true"] };
  const [, preview = ""] = rolesText("zone", needs).split("---\n");
  // The client reads it into classes of its own.
  assert.deepEqual(JSON.parse(JSON.stringify(loadYaml(preview))), roleOf("preview", needs));
});

test("the sample is what the command prints for the zone that it is for", () => {
  const sample = new URL("../../ci/workflows/kubernetes/roles.yaml", import.meta.url);
  const text = rolesText("prod-dc-east", zoneNeeds("stacks/Pulumi.prod-dc-east.yaml"));
  assert.equal(readFileSync(sample, "utf8"), text);
});

test("a wrong command line is one clear line", () => {
  assert.deepEqual(readOptions(["--stack", "a"]), { stack: "a" });
  assert.equal(readOptions(["--help"]), "help");
  for (const args of [[], ["--stack", "a", "b"]])
    assert.throws(() => readOptions(args), { message: "give one --stack: the zone to grant rights in" });
  assert.throws(() => readOptions(["a"]), { message: '"a" belongs to no option: give --stack before it' });
});
