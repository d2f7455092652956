// What `npm run adopt` makes of a resource: its entry in the stack file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf } from "../../adopt/entries.ts";
import { resourcesIn } from "../../adopt/files.ts";
import { IMAGE, REGISTRATION, resource, TOKEN, west } from "./adopt-support.ts";

const connector = (registration: object | undefined, status: object | undefined = {}) =>
  resource("Connector", "x509", { image: IMAGE, ...(registration && { registration }) }, { status });

test("an entry is the spec as it is, with adopt: true", () => {
  const { entries, problems } = entriesOf([west(), connector(undefined)]);
  assert.deepEqual(problems, []);
  assert.deepEqual(entries, [
    { key: "proxies", name: "west", value: { adopt: true, ...TOKEN }, notes: [] },
    { key: "connectors", name: "x509", value: { adopt: true, image: IMAGE }, notes: [] },
  ]);
});

test("the uuid under which the platform has a connector goes with it, and one of the spec stays", () => {
  const status = { registration: { uuid: "3f0b", status: "connected" } };
  for (const given of [connector(REGISTRATION, status), connector({ ...REGISTRATION, uuid: "3f0b" }, {})]) {
    const [entry] = entriesOf([given]).entries;
    assert.deepEqual(entry?.value, {
      adopt: true,
      image: IMAGE,
      registration: { ...REGISTRATION, uuid: "3f0b" },
    });
    assert.match(entry.notes.join(), /is registered as .*3f0b.*: nothing is posted/);
  }
});

test("a registration that the operator has not finished goes without uuid, and it is said", () => {
  const [entry] = entriesOf([connector(REGISTRATION, { phase: "Deploying" })]).entries;
  assert.deepEqual(entry?.value, { adopt: true, image: IMAGE, registration: REGISTRATION });
  assert.match(entry.notes.join(), /^is not registered yet: `pulumi up` asks the platform/);
});

test("without a status nobody knows whether it is registered: a problem, with what to do", () => {
  const unknown = (spec: object) => entriesOf([resource("Connector", "x509", spec, {})]).problems;
  const [problem, ...others] = unknown({ image: IMAGE, registration: REGISTRATION });
  assert.deepEqual(others, []);
  assert.equal(problem?.path, "connectors.x509");
  assert.match(problem.message, /`kubectl get connectors\.otilm\.com x509 -n ilm -o yaml`/);
  assert.deepEqual(unknown({ image: IMAGE }), []);
  assert.deepEqual(unknown({ image: IMAGE, registration: { ...REGISTRATION, uuid: "3f0b" } }), []);
});

test("attributes that may be secret are pointed at, and not shown", () => {
  const authAttributes = [{ name: "header", content: "hush" }];
  const [entry] = entriesOf([connector({ ...REGISTRATION, authAttributes })]).entries;
  assert.match(entry?.notes.join() ?? "", /authAttributes goes into the stack file in clear/);
  assert.doesNotMatch(entry?.notes.join() ?? "", /hush/);
});

test("a resource that is given twice is a problem, one of each kind is not", () => {
  assert.deepEqual(
    entriesOf([west(), west()]).problems.map(({ path, message }) => `${path}: ${message}`),
    ["proxies.west: is given twice; keep one"],
  );
});

const SAVED = `# saved
---
apiVersion: v1
kind: Secret
metadata: { name: west-config }
stringData: { configToken: hush }
---
---
# nothing
---
apiVersion: otilm.com/v1alpha1
kind: Proxy
metadata: { name: west, namespace: ilm, finalizers: [otilm.com/finalizer] }
spec: { configTokenSecretRef: { name: west-config } }
status: {}
--- # a list
apiVersion: v1
kind: List
items:
  - apiVersion: otilm.com/v1alpha1
    kind: Connector
    metadata: { name: x509, deletionTimestamp: "2026-01-01T00:00:00Z" }
    spec: { image: {} }
    status: { registration: { uuid: 3f0b } }
`;

test("files hold documents and lists; other kinds are left alone", () => {
  assert.deepEqual(resourcesIn("f", SAVED), [
    {
      kind: "Proxy",
      name: "west",
      namespace: "ilm",
      spec: TOKEN,
      hasStatus: true,
      uuid: undefined,
      finalizers: ["otilm.com/finalizer"],
      isDeleting: false,
    },
    {
      kind: "Connector",
      name: "x509",
      namespace: undefined,
      spec: { image: {} },
      hasStatus: true,
      uuid: "3f0b",
      finalizers: undefined,
      isDeleting: true,
    },
  ]);
  const items = '[{"metadata":{"name":"a"},"spec":{}}]';
  const text = `{"apiVersion":"otilm.com/v1alpha1","kind":"ProxyList","items":${items}}`;
  assert.deepEqual(
    resourcesIn("f", text).map(({ kind, name }) => `${kind} ${name}`),
    ["Proxy a"],
  );
});

test("aliases and merge keys are what they stand for, and none can fill a memory", () => {
  const head = "apiVersion: otilm.com/v1alpha1\nkind: Proxy\nmetadata: { name: a }\n";
  const [resource] = resourcesIn("f", `${head}x: &x { replicas: 2 }\nspec: { <<: *x, hostname: h }\n`);
  assert.deepEqual(resource?.spec, { replicas: 2, hostname: "h" });
  const level = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(", ")}]\n`;
  const bomb = Array.from("abcdefghi").map((name, index, all) =>
    level(name, index === 0 ? "x" : `*${all[index - 1] ?? ""}`),
  );
  assert.throws(() => resourcesIn("f.yaml", head + bomb.join("")), {
    message: "f.yaml: the document from line 1 on is no YAML",
  });
});

test("what is no YAML, or of another version, is one line that quotes nothing", () => {
  assert.throws(() => resourcesIn("f.yaml", "a: 1\n---\nconfigToken: 'hush\nb: ["), {
    message: "f.yaml: the document from line 2 on is no YAML",
  });
  assert.throws(() => resourcesIn("f.yaml", "apiVersion: otilm.com/v1\nkind: Proxy\n"), {
    message: "f.yaml: a Proxy is not of otilm.com/v1alpha1",
  });
});
