// What `npm run adopt` reads of a cluster, and of files, and what it says where it can't.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readLive } from "../../adopt/live.ts";
import type { Cluster, KubeObject, Outcome } from "../../components/cluster/cluster.ts";
import { TOKEN } from "./adopt-support.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A cluster that answers by plural; what it does not name is an empty list, and served. */
function clusterOf(answers: Record<string, Outcome<KubeObject[]>>): Pick<Cluster, "get" | "list" | "serves"> {
  const answer = (plural: string): Outcome<KubeObject[]> =>
    answers[plural] ?? { outcome: "found", value: [] };
  return {
    get: ({ plural }) => {
      const found = answer(plural);
      const [first] = found.outcome === "found" ? found.value : [];
      return Promise.resolve(found.outcome === "found" ? one(first) : found);
    },
    list: ({ plural }) => Promise.resolve(answer(plural)),
    serves: ({ plural }) =>
      Promise.resolve(
        answer(plural).outcome === "missing" ? { outcome: "missing" } : { outcome: "found", value: true },
      ),
  };
}

function one(object: KubeObject | undefined): Outcome<KubeObject> {
  return object === undefined ? { outcome: "missing" } : { outcome: "found", value: object };
}

const namespaces: Outcome<KubeObject[]> = {
  outcome: "found",
  value: [{ metadata: { name: "ilm", uid: "0b6b" } }],
};
const read = (answers: Record<string, Outcome<KubeObject[]>>) =>
  readLive(clusterOf({ namespaces, ...answers }) as Cluster, "ilm");
const forbidden = { outcome: "forbidden", detail: "x is forbidden" } as const;

test("resources, their objects and the namespace's UID are read", async () => {
  const proxy = { metadata: { name: "west", namespace: "ilm" }, spec: TOKEN };
  const { resources, objects, namespaceUid } = await read({
    proxies: { outcome: "found", value: [proxy] },
    connectors: { outcome: "missing" },
    servicemonitors: { outcome: "missing" },
    services: { outcome: "found", value: [{ metadata: { name: "west" } }] },
  });
  assert.deepEqual(
    resources.map(({ kind, name }) => `${kind} ${name}`),
    ["Proxy west"],
  );
  assert.equal(objects.get("Service")?.length, 1);
  assert.equal(namespaceUid, "0b6b");
});

test("a namespace that may not be looked at has no UID; what else can't be read is one line", async () => {
  assert.equal((await read({ namespaces: forbidden })).namespaceUid, undefined);
  const wrong: [Record<string, Outcome<KubeObject[]>>, string][] = [
    [{ namespaces: { outcome: "missing" } }, "there is no namespace ilm in the cluster"],
    [{ namespaces: { outcome: "unreachable", detail: "refused" } }, "the namespace can't be read: refused"],
    [{ services: forbidden }, "services can't be read: x is forbidden"],
    [{ deployments: { outcome: "missing" } }, "deployments can't be read: the cluster does not serve it"],
    [
      { proxies: { outcome: "missing" }, connectors: { outcome: "missing" } },
      "the cluster serves no otilm.com/v1alpha1: is it the operator's?",
    ],
  ];
  for (const [answers, message] of wrong) await assert.rejects(read(answers), { message });
});

/** Runs the command in a project's folder, on files of this content. */
function run(t: TestContext, contents: readonly string[], ...args: string[]) {
  const folder = mkdtempSync(`${tmpdir()}/adopt-`);
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  mkdirSync(`${folder}/stacks`);
  copyFileSync(`${root}Pulumi.yaml`, `${folder}/Pulumi.yaml`);
  const files = contents.map((content, index) => {
    writeFileSync(`${folder}/${index}.yaml`, content);
    return `${index}.yaml`;
  });
  const command = [`${root}adopt/adopt.ts`, "--stack", "zone", "-f", ...files, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
  const file = `${folder}/stacks/Pulumi.zone.yaml`;
  return { status, stdout, stderr, written: existsSync(file) ? readFileSync(file, "utf8") : undefined };
}

/** YAML takes JSON as it is. */
const saved = (kind: string, name: string, spec: object, more: object = {}): string =>
  JSON.stringify({ apiVersion: "otilm.com/v1alpha1", kind, metadata: { name, ...more }, spec, status: {} });

test("files become a stack file and steps", (t) => {
  const { status, stdout, stderr, written } = run(t, [saved("Proxy", "west", TOKEN)], "-n", "ilm");
  assert.deepEqual([status, stderr], [0, ""]);
  assert.equal(
    written,
    `config:
  pulumi-proxies:zone:
    namespace: ilm
  pulumi-proxies:proxies:
    west:
      adopt: true
      configTokenSecretRef:
        name: west-config
`,
  );
  assert.match(stdout, /names no zone\.cluster\.context yet/);
  assert.match(
    stdout,
    /^1\. Delete the resources[^\n]*\n {5}kubectl delete proxies\.otilm\.com west -n ilm --cascade=orphan/m,
  );
});

test("every problem is a line, and nothing is written", (t) => {
  const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const specs: [string, RegExp][] = [
    [
      saved("Proxy", "west", { ...TOKEN, replica: 1 }),
      /^error: proxies\.west: .*did you mean "replicas"\?\n1 problem\. /,
    ],
    [
      saved("Proxy", "west", TOKEN, going),
      /^error: Proxy west: is being deleted, .*\n1 problem\. Nothing was written\.\n$/,
    ],
    [saved("Proxy", "x\u001b[2J", TOKEN), /^error: proxies\["x\\u001b\[2J"\]: its name must be /],
  ];
  for (const [content, message] of specs) {
    const { status, stderr, written } = run(t, [content], "-n", "ilm");
    assert.match(stderr, message);
    assert.deepEqual([status, written], [1, undefined]);
  }
  const both = [
    saved("Proxy", "x", TOKEN),
    saved("Connector", "x", { image: { repository: "a/b", tag: "1" } }),
  ];
  assert.match(run(t, both, "-n", "ilm").stderr, /connectors\.x: is the name of a proxy, too/);
});

test("one run is of one namespace", (t) => {
  const [a, b] = ["a", "b"].map((namespace) => saved("Proxy", namespace, TOKEN, { namespace }));
  assert.match(run(t, [a ?? "", b ?? ""]).stderr, /of several namespaces/);
  assert.match(run(t, [a ?? ""], "-n", "b").stderr, /of several namespaces/);
  assert.match(run(t, [saved("Proxy", "a", TOKEN)]).stderr, /name no namespace: give --namespace/);
  assert.match(
    run(t, ["kind: Secret\n"]).stderr,
    /^error: there is no Proxy or Connector of otilm\.com\/v1alpha1\n$/,
  );
});
