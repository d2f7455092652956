// What the client of the cluster makes of answers, and what it asks again.
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { clusterOf } from "../../components/cluster/client.ts";
import { type Cluster, DEPLOYMENTS, type KubeObject, PODS } from "../../components/cluster/cluster.ts";
import { retries } from "../../components/cluster/retries.ts";
import { Rollouts } from "../../components/cluster/rollout.ts";
import { openHttpsApi } from "../support/https-api.ts";

type Step = RequestListener;

/** Milliseconds: long enough for some attempts. */
const PATIENCE = 4_000;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const status = (code: number, message: string): object => ({ kind: "Status", metadata: {}, code, message });
const deployment = (name: string): KubeObject => ({ kind: "Deployment", metadata: { name } });
const good = json(200, deployment("d"));
const busy = (code: number, retryAfter?: string): Step =>
  json(code, status(code, "busy"), retryAfter === undefined ? {} : { "retry-after": retryAfter });
const drop: Step = (request) => request.socket.destroy();
const cut: Step = (request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"kind":');
  setTimeout(() => request.socket.destroy(), 20);
};
const silent: Step = () => undefined;

interface Asked {
  cluster: Cluster;
  /** `<method> <url>`, in order. */
  requests: string[];
}

/** A cluster that answers with these, one after the other; the last one again and again. */
async function answering(
  t: TestContext,
  steps: Step[],
  patience = PATIENCE,
  requestMs = 1_000,
): Promise<Asked> {
  const requests: string[] = [];
  const api = await openHttpsApi((request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
    steps[Math.min(requests.length, steps.length) - 1]?.(request, response);
  });
  t.after(() => api.close());
  return { requests, cluster: clusterOf(api.config(), WebSocket, { requestMs, again: retries(patience) }) };
}

const httpDate = (): string => new Date(Date.now() + 1_000).toUTCString();
const PASSING: [string, Step][] = [
  ["a dropped connection", drop],
  ["an answer that is cut off", cut],
  ["truncated JSON", json(200, '{"kind":"Deployment","metadata":{"na')],
  ["no answer", silent],
  ["429 with seconds", busy(429, "1")],
  ["429 with a date", busy(429, httpDate())],
  ["429 with nonsense", busy(429, "soon")],
  ["500", busy(500)],
  ["503", busy(503, "0")],
  ["an answer that is no HTTP", (request) => request.socket.end("nonsense\r\n\r\n")],
];

for (const [what, step] of PASSING) {
  test(`a read is asked again after ${what}`, async (t) => {
    const { cluster, requests } = await answering(t, [step, good]);
    assert.deepEqual(await cluster.get(DEPLOYMENTS, "n", "d"), { outcome: "found", value: deployment("d") });
    assert.equal(requests.length, 2);
  });
}

test("a read is asked again after a refused connection, until the server is back", async (t) => {
  const first = await openHttpsApi(good);
  const config = first.config();
  await first.close();
  const cluster = clusterOf(config, WebSocket, { again: retries(PATIENCE) });
  const reading = cluster.get(DEPLOYMENTS, "n", "d");
  const { createServer } = await import("node:https");
  const { SERVER } = await import("../support/certificates.ts");
  const again = createServer({ cert: SERVER.certificate, key: SERVER.key }, good);
  setTimeout(() => again.listen(first.port, "127.0.0.1"), 300);
  t.after(() => again[Symbol.asyncDispose]());
  assert.equal((await reading).outcome, "found");
});

test("a read is given up in time, and the next ones are tried once until the server is back", async (t) => {
  const { cluster, requests } = await answering(
    t,
    [silent, silent, silent, silent, good, silent, good],
    1_500,
    500,
  );
  const get = () => cluster.get(DEPLOYMENTS, "n", "d");
  const first = await get();
  assert.match(
    first.outcome === "unreachable" ? first.detail : "",
    /^no answer from https:\S+ within 0.5 s$/,
  );
  const tried = requests.length;
  assert.ok(tried >= 2 && tried <= 3, String(tried));
  while (requests.length < 4) assert.equal((await get()).outcome, "unreachable");
  const before = requests.length;
  assert.equal((await get()).outcome, "found");
  assert.equal(requests.length, before + 1);
  assert.equal((await get()).outcome, "found", "it is patient again");
});

test("a server that asks to wait longer than anybody does is not waited for", async (t) => {
  const { cluster, requests } = await answering(t, [busy(429, "3600")]);
  assert.deepEqual(await cluster.get(DEPLOYMENTS, "n", "d"), { outcome: "unreachable", detail: "busy" });
  assert.equal(requests.length, 1);
});

const FINAL: [string, Step, object][] = [
  ["404", json(404, status(404, "gone")), { outcome: "missing" }],
  ["403", json(403, status(403, "not you")), { outcome: "forbidden", detail: "not you" }],
  ["401", json(401, status(401, "Unauthorized")), { outcome: "unreachable", detail: "Unauthorized" }],
  [
    "a page",
    (_, response) => response.setHeader("content-type", "text/html").end("<p>SECRET"),
    { outcome: "unreachable", detail: "the API server answered with something else than it was asked for" },
  ],
  [
    "a stranger's error",
    json(400, { message: "SECRET" }),
    { outcome: "unreachable", detail: "the API server answered with HTTP status 400" },
  ],
  [
    "another kind",
    json(200, { kind: "Secret", metadata: { name: "d" }, data: { a: "SECRET" } }),
    { outcome: "unreachable", detail: "the API server answered with something else than it was asked for" },
  ],
  [
    "no metadata",
    json(200, { kind: "Deployment", metadata: null }),
    { outcome: "unreachable", detail: "the API server answered with something else than it was asked for" },
  ],
];

for (const [what, step, expected] of FINAL) {
  test(`a read that is answered with ${what} is answered once for all`, async (t) => {
    const { cluster, requests } = await answering(t, [step]);
    assert.deepEqual(await cluster.get(DEPLOYMENTS, "n", "d"), expected);
    assert.equal(requests.length, 1);
  });
}

const page = (names: string[], token?: string): Step =>
  json(200, {
    kind: "PodList",
    metadata: { ...(token !== undefined && { continue: token }) },
    items: names.map((name) => ({ metadata: { name } })),
  });
const expired = json(410, status(410, "The provided continue parameter is too old"));

test("a list whose place the server has forgotten begins anew", async (t) => {
  const { cluster, requests } = await answering(t, [
    page(["a"], "1"),
    expired,
    page(["b"], "2"),
    page(["c"]),
  ]);
  const list = await cluster.list(PODS, "n");
  assert.deepEqual(list.outcome === "found" && list.value.map(({ metadata }) => metadata.name), ["b", "c"]);
  assert.deepEqual(
    requests.map((request) => /continue=(\d)/.exec(request)?.[1]),
    [undefined, "1", undefined, "2"],
  );
});

test("a list that never gets on ends", async (t) => {
  const forgetful = await answering(t, [
    page(["a"], "1"),
    expired,
    page(["a"], "1"),
    expired,
    page(["a"], "1"),
    expired,
  ]);
  const lost = await forgetful.cluster.list(PODS, "n");
  assert.match(lost.outcome === "unreachable" ? lost.detail : "", /continue parameter is too old/);
  const looping = await answering(t, [page(["a"], "1"), page(["a"], "2"), page(["a"], "1")]);
  assert.deepEqual(await looping.cluster.list(PODS, "n"), {
    outcome: "unreachable",
    detail: "the API server repeats a page of a list",
  });
});

test("a list of null is empty, and one with a null in it is no list", async (t) => {
  const empty = await answering(t, [json(200, { kind: "PodList", items: null })]);
  assert.deepEqual(await empty.cluster.list(PODS, "n"), { outcome: "found", value: [] });
  const broken = await answering(t, [json(200, { kind: "PodList", items: [null] })]);
  assert.equal((await broken.cluster.list(PODS, "n")).outcome, "unreachable");
});

const WRITES: [string, (cluster: Cluster) => Promise<{ outcome: string }>][] = [
  ["create", (cluster) => cluster.create(DEPLOYMENTS, "n", deployment("d"))],
  ["jsonPatch", (cluster) => cluster.jsonPatch(DEPLOYMENTS, "n", "d", [])],
  ["remove", (cluster) => cluster.remove(DEPLOYMENTS, "n", "d", { uid: "u", resourceVersion: "1" })],
];

for (const [what, write] of WRITES) {
  test(`${what} is asked again only when it was certainly not done`, async (t) => {
    const busyFirst = await answering(t, [busy(429), good]);
    assert.equal((await write(busyFirst.cluster)).outcome, "found");
    for (const step of [drop, cut, busy(503), busy(500), silent]) {
      const { cluster, requests } = await answering(t, [step, good]);
      assert.equal((await write(cluster)).outcome, "unreachable");
      assert.equal(requests.length, 1);
    }
    const late = await answering(t, [busy(409)]);
    assert.equal((await write(late.cluster)).outcome, "conflict");
  });
}

test("a dry run changes nothing, and is asked again like a read", async (t) => {
  const { cluster } = await answering(t, [drop, busy(503), good]);
  assert.equal((await cluster.dryRunCreate(DEPLOYMENTS, "n", {})).outcome, "found");
});

const poll = (cluster: Cluster, seconds: number, settled: () => boolean) =>
  new Rollouts(cluster, "n").poll("d", seconds, settled);

test("a rollout is waited for while the API server is away", async (t) => {
  const { cluster } = await answering(t, [drop, drop, good], 0);
  const seen = await poll(cluster, 20, () => true);
  assert.equal(seen.outcome, "found");
  const { cluster: away } = await answering(t, [drop], 0);
  assert.equal((await poll(away, 1, () => true)).outcome, "unreachable");
  const { cluster: forgetful } = await answering(t, [json(403, status(403, "no")), good], 0);
  assert.equal((await poll(forgetful, 20, () => true)).outcome, "found");
  // However long it was away before: the test's clock jumps by half a minute.
  const { cluster: both } = await answering(t, [drop, json(403, status(403, "no")), good], 0);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const back: Cluster = {
    ...both,
    get: async (...args) => {
      const read = await both.get(...args);
      if (read.outcome === "unreachable") t.mock.timers.tick(30_000);
      return read;
    },
  };
  assert.equal((await poll(back, 120, () => true)).outcome, "found");
  t.mock.timers.reset();
  const { cluster: refused } = await answering(t, [json(403, status(403, "no"))], 0);
  assert.equal((await poll(refused, 1, () => true)).outcome, "forbidden");
});

test("many requests share a few connections, and wait for their turn out of the time that one may take", async (t) => {
  const connections = new Set<object>();
  let busy = 0;
  let most = 0;
  const answer: Step = (request, response) => {
    connections.add(request.socket);
    most = Math.max(most, ++busy);
    setTimeout(() => {
      busy -= 1;
      good(request, response);
    }, 500);
  };
  const { cluster, requests } = await answering(t, [answer], 0, 4_000);
  const read = () => cluster.get(DEPLOYMENTS, "n", "d");
  const outcomes = await Promise.all(Array.from({ length: 160 }, read));
  assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(["found"]));
  assert.equal(requests.length, 160);
  assert.equal(most, 16);
  assert.equal(connections.size, 16);
});
