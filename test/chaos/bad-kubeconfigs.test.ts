// Whatever a kubeconfig says: a KubeconfigError or an outcome, in time, that repeats none of its secrets.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import * as client from "@kubernetes/client-node";
import fc from "fast-check";
import { WebSocket } from "ws";
import { clusterOf } from "../../components/cluster/client.ts";
import { DEPLOYMENTS } from "../../components/cluster/cluster.ts";
import { KubeconfigError, readKubeconfig } from "../../components/cluster/kubeconfig.ts";
import { retries } from "../../components/cluster/retries.ts";
import { CLIENT, SERVER } from "../support/certificates.ts";
import { openHttpsApi } from "../support/https-api.ts";
import { inForm, report, seedOf } from "./support/form.ts";

const CANARY = "canary-of-a-kubeconfig";
const RUNS = inForm({ short: 250, long: 2_500 });
const BOUND = 20_000;
const ADDRESS = "https://127.0.0.1:1";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const oneOf = (...values: unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);
const ODD = [null, 5, true, "", [], {}, CANARY];

/** A good value with at most two of its fields odd: with more, the first that is looked at hides the others. */
function mostly(
  good: Record<string, unknown>,
  odd: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<unknown> {
  const some = (count: number): fc.Arbitrary<object> =>
    fc
      .subarray(Object.keys(odd), { minLength: count, maxLength: count })
      .chain((keys) =>
        fc.record(
          Object.fromEntries(keys.flatMap((key) => (odd[key] === undefined ? [] : [[key, odd[key]]]))),
        ),
      );
  const changed = fc.oneof(...[0, 0, 1, 1, 1, 2].map(some));
  return changed.map((changes) => ({ ...good, ...changes }));
}

/** Where the generated kubeconfigs lead: to a server that answers, one that is silent, and nowhere. */
interface Ways {
  answering: string;
  silent: string;
}

const clusterArbitrary = ({ answering, silent }: Ways): fc.Arbitrary<unknown> =>
  mostly(
    { server: answering, "certificate-authority-data": base64(SERVER.certificate) },
    {
      server: fc.oneof(
        { weight: 1, arbitrary: fc.constant(answering) },
        oneOf(
          silent,
          ADDRESS,
          `https://u:${CANARY}@127.0.0.1:1`,
          "http://127.0.0.1:1",
          "127.0.0.1",
          `ftp://${CANARY}`,
          ...ODD,
        ),
      ),
      "certificate-authority-data": oneOf(
        base64(SERVER.certificate),
        base64(CLIENT.certificate),
        base64(CANARY),
        ...ODD,
      ),
      "certificate-authority": oneOf("/not/there", "/"),
      "insecure-skip-tls-verify": oneOf(true, false, "true"),
      "tls-server-name": oneOf("localhost", "other", 5),
      "proxy-url": oneOf(
        silent.replace("https://", `http://u:${CANARY}@`),
        `http://u:${CANARY}@127.0.0.1:1`,
        `socks5://u:${CANARY}@127.0.0.1:1`,
        ...ODD,
      ),
    },
  );

const credential = (status: unknown): string => JSON.stringify({ kind: "ExecCredential", status });
const script = (text: string): object => ({ command: "sh", args: ["-c", text] });
const exec = fc.oneof(
  oneOf(
    script(`echo '${credential({ token: CANARY })}'`),
    script(`echo '${credential({ token: CANARY, expirationTimestamp: "2001-01-01T00:00:00Z" })}'`),
    script(`echo '${credential({ clientCertificateData: CANARY, clientKeyData: CANARY })}'`),
    script(`echo '${credential(null)}'`),
    script(`echo ${CANARY} >&2; exit 1`),
    script(`echo '${CANARY} {'`),
    script("sleep 30"),
    script("kill -9 $$"),
    { command: "no-such-command", env: [{ name: "PASSWORD", value: CANARY }] },
    { command: "/", args: [] },
  ),
  fc.record(
    { command: oneOf("true", null, 5, "", [], {}), args: oneOf(...ODD), env: oneOf([null], ...ODD) },
    { requiredKeys: [] },
  ),
  oneOf(...ODD),
);
const user = mostly(
  { token: CANARY },
  {
    token: oneOf(CANARY, `${CANARY}\n`, "ü", ...ODD),
    username: oneOf(CANARY, 5),
    password: oneOf(CANARY, null),
    "client-certificate-data": oneOf(base64(CLIENT.certificate), base64(CANARY), ...ODD),
    "client-key-data": oneOf(base64(CLIENT.key), base64(CANARY), ...ODD),
    "client-key": oneOf("/not/there", "/"),
    exec,
    "auth-provider": oneOf(
      {
        name: "oidc",
        config: { "id-token": CANARY, "refresh-token": CANARY, "idp-issuer-url": "https://127.0.0.1:1" },
      },
      { name: "gcp", config: { "access-token": CANARY } },
      { name: "unknown", config: CANARY },
      ...ODD,
    ),
    as: oneOf("someone", 5),
  },
);

function kubeconfig(ways: Ways): fc.Arbitrary<unknown> {
  const named = (key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 40, arbitrary: fc.record({ name: fc.constant("a"), [key]: value }) },
      { weight: 1, arbitrary: fc.record({ name: oneOf("b", ...ODD), [key]: oneOf(...ODD) }) },
      { weight: 1, arbitrary: oneOf(...ODD) },
    );
  const some = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 30, arbitrary: fc.array(value, { minLength: 1, maxLength: 2 }) }, oneOf(...ODD));
  const context = fc.record({
    cluster: oneOf("a", "a", "a", "a", "b", 5),
    user: oneOf("a", "a", "a", "a", "b", undefined),
  });
  return fc.record(
    {
      clusters: some(named("cluster", clusterArbitrary(ways))),
      users: some(named("user", user)),
      contexts: some(named("context", context)),
      "current-context": oneOf("a", "b", ...ODD),
    },
    { requiredKeys: ["clusters", "users", "contexts"] },
  );
}

const file = (ways: Ways): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 30, arbitrary: kubeconfig(ways).map((value) => JSON.stringify(value)) },
    kubeconfig(ways).map((value) => JSON.stringify(value).slice(0, -20)),
    fc.constantFrom(
      "",
      "a",
      "[]",
      "null",
      `users: [{name: a, user: {token: ${CANARY}\n  - x`,
      `\t${CANARY}: {`,
      "&a [*a]",
      "!!js/function x",
    ),
    fc.string({ unit: "binary" }).map((text) => `\u0000${text}`),
  );

/** A port that takes connections and never says a word. */
async function silence(): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined); // who waits in vain leaves as it likes
    setTimeout(() => socket.destroy(), BOUND).unref();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("any kubeconfig becomes an error or an outcome that repeats none of its secrets", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kubeconfigs-"));
  const before = process.env["KUBECONFIG"];
  const silent = await silence();
  const api = await openHttpsApi((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind: "Deployment", metadata: { name: "d" } }));
  });
  t.after(async () => {
    if (before === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = before;
    rmSync(folder, { recursive: true });
    await api.close();
    silent.close();
  });
  mkdirSync(`${folder}/folder`);
  const ways = { answering: api.url, silent: `https://127.0.0.1:${(silent.address() as AddressInfo).port}` };
  const place = fc.noBias(
    fc.constantFrom(...Array<string>(12).fill("one"), "two", "two", "two", "missing", "folder"),
  );
  const ends = new Map<string, number>();
  const one = async (first: string, second: string, where: string): Promise<string> => {
    const [a, b] = [`${folder}/a`, `${folder}/b`];
    writeFileSync(a, first);
    writeFileSync(b, second);
    const paths: Record<string, string[]> = {
      one: [a],
      two: [a, b],
      missing: [`${folder}/none`],
      folder: [`${folder}/folder`, a],
    };
    process.env["KUBECONFIG"] = (paths[where] ?? []).join(delimiter);
    try {
      const config = readKubeconfig({ ...client, WebSocket }, undefined, "a");
      const login = { timeoutMs: 1_000, silenceMs: 500 };
      const cluster = clusterOf(config, WebSocket, { requestMs: 300, again: retries(50), ...login });
      const result = await cluster.get(DEPLOYMENTS, "n", "d");
      const detail = "detail" in result ? result.detail : "";
      assert.ok(!detail.includes(CANARY) && !detail.includes(base64(CANARY)), detail);
      return result.outcome;
    } catch (error) {
      if (!(error instanceof KubeconfigError)) throw error;
      assert.ok(!error.message.includes(CANARY), error.message);
      return "KubeconfigError";
    }
  };
  const property = fc.asyncProperty(
    fc.noBias(file(ways)),
    fc.noBias(file(ways)),
    place,
    async (first, second, where) => {
      const begin = performance.now();
      const end = await one(first, second, where);
      assert.ok(performance.now() - begin < BOUND, "it hangs");
      ends.set(end, (ends.get(end) ?? 0) + 1);
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: seedOf("bad kubeconfigs") });
  assert.deepEqual([...ends.keys()].sort(), ["KubeconfigError", "found", "unreachable"]);
  report(t, "bad-kubeconfigs", {
    title: "Kubeconfigs that nobody should write",
    rows: [...ends].sort().map(([end, count]) => ({ end, cases: count })),
  });
});
