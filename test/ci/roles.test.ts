// `npm run roles`: what each identity may do in a zone, from what its stack file says.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type TestContext, test } from "node:test";
import { loadYaml } from "@kubernetes/client-node";
import { NOTHING_NEEDED, type ZoneNeeds, zoneNeeds } from "../../ci/roles/needs.ts";
import { readOptions } from "../../ci/roles/options.ts";
import { platformRoles, type Right, roleOf, rolesText } from "../../ci/roles/roles.ts";

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
    registers: false,
    asksHealth: false,
    platforms: [],
  });
});

test("what connectors take: records where they register, health where it is asked, platforms of the cluster", (t) => {
  const image = { repository: "hub.example.com/x509", tag: "1" };
  const at = (platformUrl: string): object => ({ platformUrl, name: "x", authType: "none" });
  const off = { enabled: false };
  const needsOf = (connectors: object, more: object = {}): ZoneNeeds => {
    const zone = { namespace: "proxies", cluster: { context: "c", domain: "corp.local" } };
    return zoneNeeds(...files(t, { zone, connectors, ...more }));
  };
  const { registers, asksHealth, platforms } = needsOf(
    {
      a: { image, healthCheck: off, registration: at("https://ilm.example.com/api") },
      b: { image, registration: at("http://core.ilm.svc.corp.local/api") },
      c: { image, healthCheck: off, registration: at("http://core.ilm.svc/api") },
    },
    { registrationSecrets: { a: { credentials: { bearerToken: CIPHERTEXT } } } },
  );
  assert.deepEqual([registers, asksHealth, platforms], [true, true, ["ilm"]]);
  const none = needsOf({ a: { image, healthCheck: off } });
  assert.deepEqual([none.registers, none.asksHealth, none.platforms], [false, false, []]);
  assert.throws(
    () => needsOf({}, { registrationSecrets: CIPHERTEXT }),
    /registrationSecrets is encrypted as a whole.*'registrationSecrets\.<connector>'/,
  );
});

test("what the project's file declares counts where the stack file says nothing", (t) => {
  const zone = { type: "object", value: { namespace: "everywhere", createNamespace: true } };
  const [file, project] = files(t, { proxies: {} }, { zone });
  assert.deepEqual(zoneNeeds(file, project), {
    namespace: "everywhere",
    createNamespace: true,
    ...NOTHING_NEEDED,
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
  ...NOTHING_NEEDED,
  readsSecrets: ["a", "b"],
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

test("update writes ConfigMaps where connectors register, and forwards ports where they or their platform are asked", () => {
  const rights: Right[] = [
    { apiGroup: "", resource: "configmaps", verbs: ["get", "create", "patch", "delete"] },
    { apiGroup: "", resource: "pods/portforward", verbs: ["get", "create"] },
  ];
  const allowed = (needs: Partial<ZoneNeeds>): string[] =>
    roleOf("update", { ...NEEDS, ...needs }, rights).rules.map(
      ({ resources, verbs }) => `${resources.join()}: ${verbs.join()}`,
    );
  assert.deepEqual(allowed({}), ["configmaps: get"]);
  assert.deepEqual(allowed({ registers: true }), ["configmaps: get,create,patch,delete"]);
  const forwards = ["configmaps: get", "pods/portforward: get,create"];
  assert.deepEqual(allowed({ asksHealth: true }), forwards);
  assert.deepEqual(allowed({ platforms: ["proxies"] }), forwards);
  assert.deepEqual(allowed({ platforms: ["ilm"] }), ["configmaps: get"]);
});

test("a platform in another namespace is one Role more, named after the zone's", () => {
  const needs = { ...NEEDS, platforms: ["ilm", "proxies"] };
  const [role, ...others] = platformRoles(needs);
  assert.deepEqual(others, []);
  assert.deepEqual(role?.metadata, { name: "pulumi-proxies-update-proxies", namespace: "ilm" });
  const text = rolesText("zone", needs);
  assert.match(
    text,
    /^#   kubectl create rolebinding pulumi-proxies-update-proxies --namespace ilm --role pulumi-proxies-update-proxies /m,
  );
  assert.deepEqual(JSON.parse(JSON.stringify(loadYaml(text.split("---\n")[3] ?? ""))), role);
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
