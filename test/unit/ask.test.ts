import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { KubeConfig } from "@kubernetes/client-node";
import { WebSocket } from "ws";
import { ask } from "../../components/cluster/ask.ts";
import type { HttpAnswer, PodRequest } from "../../components/cluster/cluster.ts";
import { answer, type Forward, message, openApiServer, type Upgrade } from "./api-server.ts";

const REQUEST: PodRequest = { method: "GET", path: "/", timeoutMs: 60_000, maxBytes: 1000 };

function askPod(config: KubeConfig, request: Partial<PodRequest> = {}): Promise<HttpAnswer> {
  const target = { config, Socket: WebSocket, namespace: "proxies", pod: "c-1", port: 20_001 };
  return ask(target, { ...REQUEST, ...request });
}

/** What becomes of a request that is forwarded like this: the body of its answer, or why there is none. */
async function outcome(t: TestContext, forward: Forward, timeoutMs = REQUEST.timeoutMs): Promise<string> {
  const config = await openApiServer(t, (_, accept) => {
    accept(forward);
  });
  const got = await askPod(config, { timeoutMs });
  return got.outcome === "answered" ? got.body.toString() : got.outcome;
}

const close = (socket: WebSocket): void => {
  socket.close(1000);
};
const cut = (socket: WebSocket): void => {
  socket.terminate();
};
const stay = (): void => undefined;
const fail =
  (text: string) =>
  (socket: WebSocket): void => {
    socket.send(message(1, text));
    socket.close(1000);
  };
const OK = "HTTP/1.1 200 OK\r\n";

const CASES: [name: string, forward: Forward, outcome: string][] = [
  ["an answer with its length", answer([`${OK}Content-Length: 2\r\n\r\n`, "hi"], stay), "hi"],
  ["an answer in pieces", answer(Array.from(`${OK}Content-Length: 2\r\n\r\nhi`), stay), "hi"],
  [
    "an answer in chunks",
    answer([`${OK}Transfer-Encoding: chunked\r\n\r\n`, "2\r\nhi\r\n0\r\n\r\n"], stay),
    "hi",
  ],
  ["an answer up to the end of the connection", answer([`${OK}\r\n`, "all of it"], close), "all of it"],
  ["an answer up to where the connection is cut", answer([`${OK}\r\n`, "some"], cut), "broken"],
  [
    "an answer of which the rest fails",
    answer([`${OK}\r\n`, "some"], fail("read: connection reset")),
    "broken",
  ],
  ["an answer that ends early", answer([`${OK}Content-Length: 9\r\n\r\n`, "some"], close), "broken"],
  ["chunks that end early", answer([`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n`], close), "broken"],
  ["no answer and the end", answer([], close), "broken"],
  ["no answer and a cut", answer([], cut), "broken"],
  ["half a head", answer([OK], close), "broken"],
  ["an answer that is not HTTP", answer(["SSH-2.0-x\r\n"], stay), "broken"],
  ["an informational answer only", answer(["HTTP/1.1 103 Early Hints\r\n\r\n"], close), "broken"],
  [
    "another protocol",
    answer(["HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"], stay),
    "broken",
  ],
  ["a failure of the kubelet", answer([], fail("no such network namespace")), "broken"],
  [
    "a port on which nobody listens",
    answer([], fail("dial tcp 127.0.0.1:1: connect: connection refused")),
    "refused",
  ],
  [
    "a channel that does not exist",
    answer([], (socket) => {
      socket.send(message(7, "x"));
    }),
    "broken",
  ],
  [
    "a huge message",
    answer([], (socket) => {
      socket.send(message(0, "x".repeat(3_000_000)));
    }),
    "broken",
  ],
];

for (const [name, forward, expected] of CASES)
  test(`asking a pod: ${name}`, async (t) => {
    assert.equal(await outcome(t, forward), expected);
  });

test("what the pod says may come at once with the connection", async (t) => {
  const config = await openApiServer(t, (raw, accept) => {
    raw.cork();
    accept((socket) => {
      answer([`${OK}Content-Length: 2\r\n\r\nhi`], stay)(socket);
      raw.uncork();
    });
  });
  const got = await askPod(config);
  assert.equal(got.outcome === "answered" && got.body.toString(), "hi");
});

test("the limit of the body is exact, whatever the answer says of its length", async (t) => {
  const long = async (bytes: number, head: string): Promise<HttpAnswer> => {
    const config = await openApiServer(t, (_, accept) => {
      accept(answer([`${OK}${head}\r\n`, "x".repeat(bytes)], close));
    });
    return askPod(config);
  };
  for (const head of ["", "Content-Length: 1001\r\n", `Content-Length: ${2 ** 40}\r\n`])
    assert.deepEqual(await long(1001, head), {
      outcome: "too large",
      status: 200,
      detail: "the answer is too large",
    });
  assert.equal((await long(1000, "")).outcome, "answered");
});

test("the time covers the way to the API server, the connection and the answer", async (t) => {
  const silent = await openApiServer(t, () => undefined);
  assert.equal((await askPod(silent, { timeoutMs: 200 })).outcome, "timeout");
  const slow = await openApiServer(t, (_, accept) => {
    accept(answer([OK], stay));
  });
  assert.equal((await askPod(slow, { timeoutMs: 200 })).outcome, "timeout");
  const asking = await openApiServer(t, () => undefined);
  asking.applyToHTTPSOptions = () => new Promise(() => undefined);
  assert.equal((await askPod(asking, { timeoutMs: 200 })).outcome, "timeout");
});

test("the API server's refusal is an outcome, and its words are not", async (t) => {
  const refusals: [status: string, outcome: string][] = [
    ["403 Forbidden", "forbidden"],
    ["404 Not Found", "missing"],
    ["401 Unauthorized", "unreachable"],
    ["500 Internal Server Error", "unreachable"],
    ["302 Found\r\nLocation: http://127.0.0.1:1/", "unreachable"],
    ["200 OK", "unreachable"],
  ];
  for (const [status, expected] of refusals) {
    const refuse: Upgrade = (raw) => {
      raw.end(`HTTP/1.1 ${status}\r\nContent-Length: 6\r\n\r\nsecret`);
    };
    const got = await askPod(await openApiServer(t, refuse));
    assert.equal(got.outcome, expected, status);
    assert.doesNotMatch(JSON.stringify(got), /secret/);
  }
  const gone = await openApiServer(t, (raw) => void raw.destroy());
  assert.equal((await askPod(gone)).outcome, "unreachable");
});

test("the kubeconfig's credentials go along, and its plugin may fail", async (t) => {
  let seen: unknown[] = [];
  const config = await openApiServer(t, (raw, _, { url, headers }) => {
    seen = [url, headers.authorization, headers["sec-websocket-protocol"]];
    raw.destroy();
  });
  await askPod(config);
  assert.deepEqual(seen, [
    "/api/v1/namespaces/proxies/pods/c-1/portforward?ports=20001",
    "Bearer t",
    "v4.channel.k8s.io",
  ]);
  config.applyToHTTPSOptions = () => Promise.reject(new Error("the plugin failed"));
  assert.deepEqual(await askPod(config), {
    outcome: "unreachable",
    detail: "the API server could not open a port-forward to the pod",
  });
});
