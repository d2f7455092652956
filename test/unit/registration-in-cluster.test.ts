// The way to a platform in the zone's own cluster: which port of which pod, and what to say where there is none.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import type { Cluster, KubeObject, NoAnswer, Outcome } from "../../components/cluster/cluster.ts";
import { StreamFailure } from "../../components/cluster/port-forward.ts";
import { sendOver } from "../../components/connector/registration/http.ts";
import { connectInCluster } from "../../components/connector/registration/in-cluster.ts";
import { deregister, register } from "../../components/connector/registration/register.ts";
import { startPlatform } from "../support/platform.ts";
import { outcomeOf, spec as registration, world } from "../support/registration-world.ts";

/** What is in the namespace of the platform, and what comes of a stream. */
interface Place {
  service?: Outcome<KubeObject>;
  spec?: object;
  pods?: Outcome<KubeObject[]>;
  failure?: NoAnswer;
}

const pod = (name: string, ports: object[] = [], more: object = {}, ready = true): KubeObject => ({
  metadata: { name, ...more },
  spec: { containers: [{}, { ports }] },
  status: { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
});
const api = (containerPort: number, more: object = {}): object => ({ name: "api", containerPort, ...more });
const found = <T>(value: T): Outcome<T> => ({ outcome: "found", value });
const PORTS = { ports: [{ port: 80, targetPort: 8080 }] };
const NAMED = { ports: [{ port: 80, protocol: "TCP", targetPort: "api" }] };
const LEAVING = { deletionTimestamp: "2027-01-01T00:00:00Z" };
const [DENIED, DOWN, MISSING] = [
  { outcome: "forbidden", detail: "c4n4ry" },
  { outcome: "unreachable", detail: "c4n4ry" },
  { outcome: "missing" },
] as const;

function clusterWith({ service, spec = PORTS, pods, failure = "refused" }: Place): {
  cluster: Cluster;
  asked: string[];
} {
  const asked: string[] = [];
  const core: KubeObject = {
    metadata: { name: "core" },
    spec: { selector: { app: "core", tier: "api" }, ...spec },
  };
  const cluster: Partial<Cluster> = {
    get: (resource, namespace, name) => {
      asked.push(`get ${resource.kind} ${namespace ?? ""}/${name}`);
      return Promise.resolve(service ?? found(core));
    },
    list: (resource, namespace, selector) => {
      asked.push(`list ${resource.kind} ${namespace} ${selector ?? ""}`);
      return Promise.resolve(pods ?? found([pod("core-1")]));
    },
    openStream: (namespace, name, port) => {
      asked.push(`open ${namespace}/${name}:${port}`);
      return Promise.reject(new StreamFailure(failure));
    },
  };
  return { cluster: cluster as Cluster, asked };
}

/** What becomes of a call to an address: where the stream is opened, or the phrase. */
async function callTo(url: string, place: Place): Promise<string> {
  const { cluster, asked } = clusterWith(place);
  const route = { connect: connectInCluster(cluster, url, "corp.local") };
  assert.ok(route.connect, url);
  const answer = await sendOver(route)({ method: "POST", url, headers: {}, timeoutSeconds: 30 });
  assert.ok(answer.answer === "none");
  assert.doesNotMatch(answer.phrase, /c4n4ry/);
  const [opened] = asked.filter((what) => what.startsWith("open"));
  return opened !== undefined && answer.phrase === "nothing listens on the port"
    ? opened
    : `${answer.phrase}${answer.transient ? " (again)" : ""}`;
}

const HTTP = "http://core.ilm.svc/api";
const WHAT = "Service ilm/core of platformUrl";

const cases: [name: string, url: string, place: Place, expected: string][] = [
  ["the port of plain HTTP", HTTP, {}, "open ilm/core-1:8080"],
  [
    "the port of HTTPS",
    "https://core.ilm.svc.corp.local/api",
    { spec: { ports: [{ port: 443, targetPort: 8443 }] } },
    "open ilm/core-1:8443",
  ],
  [
    "a port of its own",
    "https://core.ilm.svc:8000/api",
    { spec: { ports: [{ port: 443 }, { port: 8000, targetPort: 9000 }] } },
    "open ilm/core-1:9000",
  ],
  ["no target", HTTP, { spec: { ports: [{ port: 80 }] } }, "open ilm/core-1:80"],
  [
    "a port for datagrams beside it",
    HTTP,
    { spec: { ports: [{ port: 80, protocol: "UDP", targetPort: 1 }, ...PORTS.ports] } },
    "open ilm/core-1:8080",
  ],
  ["a headless Service", "http://core.ilm.svc:8080", { spec: { clusterIP: "None" } }, "open ilm/core-1:8080"],
  [
    "a named target",
    HTTP,
    { spec: NAMED, pods: found([pod("core-1", [{ name: "ops", containerPort: 1 }, api(8081)])]) },
    "open ilm/core-1:8081",
  ],
  [
    "a named target of a sidecar",
    HTTP,
    {
      spec: NAMED,
      pods: found([
        {
          ...pod("core-1"),
          spec: {
            containers: [{}],
            initContainers: [{ ports: [api(1)] }, { restartPolicy: "Always", ports: [api(8082)] }],
          },
        },
      ]),
    },
    "open ilm/core-1:8082",
  ],
  [
    "pods of two releases, of which one does not know the name",
    HTTP,
    { spec: NAMED, pods: found([pod("core-1"), pod("core-2", [api(8081, { protocol: "TCP" })])]) },
    "open ilm/core-2:8081",
  ],
  [
    "pods that come and go",
    HTTP,
    { pods: found([pod("core-3"), pod("core-0", [], {}, false), pod("core-1", [], LEAVING), pod("core-2")]) },
    "open ilm/core-2:8080",
  ],
  ["no Service", HTTP, { service: MISSING }, `${WHAT} does not exist`],
  [
    "a Service that is not for us",
    HTTP,
    { service: DENIED },
    `${WHAT} may not be read: the identity may not get services in namespace ilm`,
  ],
  ["no API server", HTTP, { service: DOWN }, `${WHAT} can't be read (again)`],
  ["no selector", HTTP, { spec: { ...PORTS, selector: {} } }, `${WHAT} has no selector`],
  [
    "a Service that is a name elsewhere",
    HTTP,
    { spec: { type: "ExternalName", externalName: "c4n4ry", selector: undefined } },
    `${WHAT} has no selector`,
  ],
  ["no such port", "http://core.ilm.svc:8080/api", {}, `${WHAT} has no port 8080`],
  [
    "a port for datagrams only",
    HTTP,
    { spec: { ports: [{ port: 80, protocol: "UDP" }] } },
    `${WHAT} has no port 80`,
  ],
  [
    "pods that are not for us",
    HTTP,
    { pods: DENIED },
    `the pods of ${WHAT} may not be read: the identity may not list pods in namespace ilm`,
  ],
  ["pods that can't be read", HTTP, { pods: DOWN }, `the pods of ${WHAT} can't be read (again)`],
  ["no pods", HTTP, { pods: found([]) }, `${WHAT} has no ready pod (again)`],
  ["no ready pod", HTTP, { pods: found([pod("core-1", [], {}, false)]) }, `${WHAT} has no ready pod (again)`],
  [
    "a name that no pod knows",
    HTTP,
    { spec: NAMED, pods: found([pod("core-1", [api(8081, { protocol: "UDP" })])]) },
    `${WHAT} has no ready pod with the target of its port 80`,
  ],
  [
    "no right to port-forward",
    HTTP,
    { failure: "forbidden" },
    "the identity may not get and create pods/portforward in namespace ilm",
  ],
  ["a pod that has gone", HTTP, { failure: "missing" }, "there is no such pod (again)"],
  [
    "a kubelet that is down",
    HTTP,
    { failure: "unreachable" },
    "the API server could not open a port-forward to the pod (again)",
  ],
];

for (const [name, url, place, expected] of cases)
  test(`the way into the cluster: ${name}`, async () => {
    assert.equal(await callTo(url, place), expected);
  });

test("the Service and its pods are looked for by their names alone", async () => {
  const { cluster, asked } = clusterWith({});
  const url = "http://Core.ILM.svc.corp.local/api";
  const route = { connect: connectInCluster(cluster, url, "corp.local") };
  await sendOver(route)({ method: "POST", url, headers: {}, timeoutSeconds: 30 });
  assert.deepEqual(asked, ["get Service ilm/core", "list Pod ilm app=core,tier=api", "open ilm/core-1:8080"]);
  for (const elsewhere of [
    "https://ilm.example.com/api",
    "http://core.ilm.svc.cluster.local",
    "http://10.0.0.1",
  ])
    assert.equal(connectInCluster(cluster, elsewhere, "corp.local"), undefined);
});

test("a registration waits for pods, and for nothing that a person has to mend", async () => {
  const sleeps = async (place: Place): Promise<number[]> => {
    const outside = world();
    const { cluster } = clusterWith(place);
    outside.sendTo = (url, route) => sendOver({ ...route, connect: connectInCluster(cluster, url, "c") });
    const known = await register(outside, { ...registration, platformUrl: HTTP }, undefined);
    assert.equal(outcomeOf(known), "unavailable");
    return outside.slept;
  };
  for (const place of [
    { service: MISSING },
    { service: DENIED },
    { spec: { ports: [] } },
    { pods: DENIED },
    { failure: "forbidden" },
  ] satisfies Place[])
    assert.deepEqual(await sleeps(place), [], JSON.stringify(place));
  assert.deepEqual(await sleeps({ pods: found([]) }), [5, 10, 20]);
});

test("a connector is taken out of the inventory the way that it came, past the corporate proxy", async (t) => {
  const platform = await startPlatform(t);
  const outside = world();
  const { cluster } = clusterWith({});
  cluster.openStream = () => Promise.resolve(connect(Number(new URL(platform.url).port), "127.0.0.1"));
  outside.sendTo = (url, route) => sendOver({ ...route, connect: connectInCluster(cluster, url, "c") });
  const egress = { httpProxy: "http://127.0.0.1:1" };
  const known = await register(outside, { ...registration, platformUrl: HTTP, egress }, undefined);
  assert.equal(outcomeOf(known), "registered");
  const deletion = { connector: "x", deregisterOnDelete: true, place: registration.place, egress };
  await deregister(outside, deletion, known);
  assert.deepEqual(
    platform.received.map(({ method, path, headers }) => [method, path, headers.host]),
    [
      ["POST", "/api/v2/connector/register", "core.ilm.svc"],
      ["DELETE", "/api/v1/connectors/3f0b9c1e-7a52-4a44-9d1c-5c8c0b7f8a11", "core.ilm.svc"],
    ],
  );
});
