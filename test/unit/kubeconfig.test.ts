// Kubeconfigs as kubectl reads them, and what is said of those that can't be used.
import assert from "node:assert/strict";
import type { RequestOptions } from "node:https";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test, type TestContext } from "node:test";
import * as client from "@kubernetes/client-node";
import { WebSocket } from "ws";
import { KubeconfigError, readKubeconfig } from "../../components/cluster/kubeconfig.ts";

const SECRET = "canary-kubeconfig-secret";

const cluster = (name: string, more: object = {}): object => ({
  name,
  cluster: { server: `https://${name}.example.com`, ...more },
});
const user = (name: string): object => ({ name, user: { token: SECRET } });
const context = (name: string, of = name, as?: string): object => ({
  name,
  context: { cluster: of, user: as },
});
const kubeconfig = (...names: string[]): object => ({
  clusters: names.map((name) => cluster(name)),
  users: names.map(user),
  contexts: names.map((name) => context(name, name, name)),
});

/** Files with these texts, or with this JSON; their paths. */
function files(t: TestContext, ...contents: (string | object)[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  return contents.map((content, index) => {
    const path = `${folder}/${index}`;
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  });
}

const read = (file: string | undefined, name = "a"): client.KubeConfig =>
  readKubeconfig({ ...client, WebSocket }, file, name);

function withKubeconfig<T>(t: TestContext, value: string, run: () => T): T {
  const before = process.env["KUBECONFIG"];
  t.after(() => {
    if (before === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = before;
  });
  process.env["KUBECONFIG"] = value;
  return run();
}

const REFUSED: [string, string | object, RegExp][] = [
  ["is empty", "", /: it is empty, or no kubeconfig$/],
  ["is text", "hello", /has no context "a"; its contexts: none$/],
  ["is a list of nothing", { clusters: [null] }, /: it is empty, or no kubeconfig$/],
  [
    "has a mistake beside a secret",
    `users:\n- name: a\n  user: {token: ${SECRET}\n x: [`,
    /: line \d is no YAML$/,
  ],
  ["is binary", `\0\x01${SECRET}`, /: line \d is no YAML$/],
  [
    "has a cluster without server",
    { clusters: [{ name: "a", cluster: {} }] },
    /clusters\[0\]\.cluster\.server is missing$/,
  ],
  ["has other contexts", kubeconfig("b", "c"), /has no context "a"; its contexts: b, c$/],
  [
    "has no such cluster",
    { contexts: [context("a", SECRET)] },
    /"a" names a cluster that the kubeconfig does not have$/,
  ],
  [
    "has no such user",
    { clusters: [cluster("a")], contexts: [context("a", "a", SECRET)] },
    /"a" names a user that the kubeconfig does not have$/,
  ],
  [
    "logs in as nothing does any more",
    {
      ...kubeconfig("a"),
      users: [{ name: "a", user: { "auth-provider": { name: "gcp", config: { "access-token": SECRET } } } }],
    },
    /"a" logs in with an auth-provider that Kubernetes has removed: take a login command/,
  ],
  [
    "has no URL for a server",
    { clusters: [cluster("a", { server: SECRET })], contexts: [context("a")] },
    /server of the context "a" must be an https:\/\/ URL$/,
  ],
  [
    "has a server without TLS",
    { clusters: [cluster("a", { server: `http://u:${SECRET}@h` })], contexts: [context("a")] },
    /server of the context "a" must be an https:\/\/ URL$/,
  ],
  [
    "has no URL for a proxy",
    { clusters: [cluster("a", { "proxy-url": `u:${SECRET}@h:1` })], contexts: [context("a")] },
    /proxy-url of the context "a" must be an http:\/\/, https:\/\/ or socks5:\/\/ URL$/,
  ],
];

for (const [what, content, expected] of REFUSED) {
  test(`a kubeconfig that ${what} is one line without what is in it`, (t) => {
    const [file] = files(t, content);
    assert.throws(
      () => read(file),
      (error: Error) => {
        assert.ok(error instanceof KubeconfigError);
        assert.match(error.message, expected);
        assert.ok(!error.message.includes(SECRET) && !error.message.includes("\n"), error.message);
        return true;
      },
    );
  });
}

test("a file that is not there, or a folder, is named", (t) => {
  const [file = ""] = files(t, "");
  assert.throws(() => read(`${file}-not-there`), /could not be read: ENOENT: .*-not-there'$/);
  mkdirSync(`${file}-folder`);
  assert.throws(() => read(`${file}-folder`), /could not be read: EISDIR/);
});

test("of several files the first entry of a name holds, and one that is not there is left out", (t) => {
  const [first = "", second = ""] = files(t, kubeconfig("a"), {
    ...kubeconfig("a", "b"),
    clusters: [cluster("a", { server: "https://other.example.com" }), cluster("b")],
  });
  const path = ["", first, `${first}-not-there`, second].join(delimiter);
  const servers = withKubeconfig(t, path, () =>
    ["a", "b"].map((name) => read(undefined, name).getCurrentCluster()?.server),
  );
  assert.deepEqual(servers, ["https://a.example.com", "https://b.example.com"]);
});

test("a context without a user keeps its cluster's certificate, and an empty proxy-url is none", async (t) => {
  const caData = Buffer.from("certificate").toString("base64");
  const [file] = files(t, {
    clusters: [cluster("a", { "certificate-authority-data": caData, "proxy-url": "" })],
    contexts: [context("a")],
  });
  const options: RequestOptions = {};
  await read(file).applyToHTTPSOptions(options);
  assert.deepEqual(options.ca, Buffer.from("certificate"));
});
