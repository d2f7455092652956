// Requests to pods, through the real API server. What answers is a stub on this machine, to which kwok forwards. Unlike a
// kubelet, kwok does not tell when a pod has ended a connection: test/unit/ask.test.ts does.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { connect } from "../../components/cluster/client.ts";
import { type Cluster, type HttpAnswer, type PodRequest, PODS } from "../../components/cluster/cluster.ts";
import { deployment, eventually } from "../dev/support.ts";
import { drip, freePodPort, garbage, hang, openStub, reply, replyJson, stopMidway } from "./support/stub.ts";
import { TestZone } from "./support/zone.ts";

const REQUEST: PodRequest = { method: "GET", path: "/", timeoutMs: 60_000, maxBytes: 1000 };

/** What port-forward takes; a WebSocket is a GET, and since Kubernetes 1.35 `create` is asked for as well. */
const RULES = [
  { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
  { apiGroups: [""], resources: ["pods/portforward"], verbs: ["get", "create"] },
];

interface Place {
  zone: TestZone;
  cluster: Cluster;
  pod: string;
}

/** A pod of a Deployment, and the cluster as CI's identity sees it that may forward ports to it. */
async function openPlace(t: TestContext): Promise<Place> {
  const zone = await TestZone.open(t, {});
  await zone.apply(
    deployment("connector", {}),
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "ask" }, rules: RULES },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "ask" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "ask" },
      subjects: [{ kind: "User", name: "update" }],
    },
  );
  await zone.kube("rollout", "status", "deployment/connector", "--timeout=120s");
  const cluster = await connect({ context: zone.context, kubeconfig: zone.cluster.users.update });
  const pod = await eventually("the identity may list pods", 30, async () => {
    const pods = await cluster.list(PODS, zone.namespace, "app=connector");
    return pods.outcome === "found" ? pods.value[0]?.metadata.name : undefined;
  });
  return { zone, cluster, pod };
}

test("a pod's answer comes through as it is", async (t) => {
  const { zone, cluster, pod } = await openPlace(t);
  const stub = await openStub(t, {
    "/v2/health": replyJson(200, { status: "UP" }),
    "/v1/health?full=1": replyJson(503, { status: "nok" }),
    "/moved": reply(302, "", { Location: "/v2/health" }),
    "/binary": reply(200, Buffer.from([0, 255, 254])),
    "/full": reply(200, "x".repeat(1000)),
    "/register": replyJson(201, { uuid: "u" }),
  });
  const ask = (request: Partial<PodRequest>): Promise<HttpAnswer> =>
    cluster.ask(zone.namespace, pod, stub.port, { ...REQUEST, ...request });

  const cases: [path: string, status: number, body: string][] = [
    ["/v2/health", 200, '{"status":"UP"}'],
    ["/v1/health?full=1", 503, '{"status":"nok"}'],
    ["/nowhere", 404, ""],
    ["/moved", 302, ""],
    ["/full", 200, "x".repeat(1000)],
  ];
  for (const [path, status, body] of cases) {
    const answer = await ask({ path });
    assert.ok(answer.outcome === "answered", `${path}: ${answer.outcome}`);
    assert.deepEqual([answer.status, answer.body.toString()], [status, body], path);
  }
  const binary = await ask({ path: "/binary" });
  assert.ok(binary.outcome === "answered");
  assert.deepEqual([...binary.body], [0, 255, 254]);

  const headers = { Accept: "application/json" };
  const json = await ask({ path: "/v2/health", headers });
  assert.ok(json.outcome === "answered");
  assert.equal(json.headers["content-type"], "application/json");
  const sent = stub.requests.at(-1);
  assert.equal(sent?.headers.accept, "application/json");
  assert.equal(sent.headers.connection, "close");

  const body = JSON.stringify({ name: "c", text: "ü".repeat(50_000) });
  const posted = await ask({ method: "POST", path: "/register", body });
  assert.equal(posted.outcome === "answered" && posted.status, 201);
  assert.deepEqual([stub.requests.at(-1)?.method, stub.requests.at(-1)?.body], ["POST", body]);
  assert.deepEqual(
    stub.requests.map(({ path }) => path),
    [...cases.map(([path]) => path), "/binary", "/v2/health", "/register"],
    "each was asked once, and no redirect was followed",
  );
});

test("an answer that is none, or none in time, is an outcome", async (t) => {
  const { zone, cluster, pod } = await openPlace(t);
  const stub = await openStub(t, {
    "/hang": hang,
    "/stall": stopMidway("hang"),
    "/drip": drip,
    "/garbage": garbage("SSH-2.0-OpenSSH_9.6\r\n"),
    "/upgrade": garbage("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    "/head": garbage(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`),
    "/long": reply(200, "x".repeat(1001)),
    "/huge": reply(503, Buffer.alloc(20_000_000)),
  });
  const ask = (path: string, timeoutMs = REQUEST.timeoutMs): Promise<HttpAnswer> =>
    cluster.ask(zone.namespace, pod, stub.port, { ...REQUEST, path, timeoutMs });

  for (const path of ["/hang", "/stall", "/drip"]) {
    // The drip would go on until the body is too large, were the limit not so short.
    assert.equal((await ask(path, 1000)).outcome, "timeout", path);
  }
  for (const path of ["/garbage", "/upgrade", "/head"])
    assert.equal((await ask(path)).outcome, "broken", path);
  for (const [path, status] of [
    ["/long", 200],
    ["/huge", 503],
  ] as const)
    assert.deepEqual(
      await ask(path),
      { outcome: "too large", status, detail: "the answer is too large" },
      path,
    );
  assert.equal((await ask("/hang", 1)).outcome, "timeout", "before the way is open");
});

test("a request that does not arrive says why", async (t) => {
  const { zone, cluster, pod } = await openPlace(t);
  const ask = (who: Cluster, name: string, port: number): Promise<HttpAnswer> =>
    who.ask(zone.namespace, name, port, REQUEST);
  const port = await freePodPort();
  assert.deepEqual(await ask(cluster, pod, port), {
    outcome: "refused",
    detail: "nothing listens on the port",
  });
  assert.equal((await ask(cluster, "gone", port)).outcome, "missing");

  const { context, cluster: shared } = zone;
  const stranger = await connect({ context, kubeconfig: shared.users.stranger });
  assert.deepEqual(await ask(stranger, pod, port), {
    outcome: "forbidden",
    detail: "the identity may not get and create pods/portforward",
  });
});
