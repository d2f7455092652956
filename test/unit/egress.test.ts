import assert from "node:assert/strict";
import { test } from "node:test";
import { egressEnv, mergeEgress } from "../../components/workload/egress.ts";
import { egressSpec, type EgressSpec } from "../../components/workload/network-specs.ts";
import { CANARY, env, identity } from "./support.ts";
import { refused } from "./spec-rows.ts";

const HTTP = "http://egress.example.com:3128";
const HTTPS = "http://egress.example.com:3129";
const OWN = "dc-east,dc-east.proxies";
const API = "kubernetes.default,kubernetes.default.svc,$(KUBERNETES_SERVICE_HOST)";
const CLUSTER = `localhost,127.0.0.1,::1,${OWN},.svc,.svc.cluster.local,${API}`;

test("an egress proxy is set in both letter cases of each variable, in a stable order", () => {
  assert.deepEqual(egressEnv({ httpProxy: HTTP, httpsProxy: HTTPS }, identity, "cluster.local"), [
    { name: "HTTP_PROXY", value: HTTP },
    { name: "http_proxy", value: HTTP },
    { name: "HTTPS_PROXY", value: HTTPS },
    { name: "https_proxy", value: HTTPS },
    { name: "NO_PROXY", value: CLUSTER },
    { name: "no_proxy", value: CLUSTER },
  ]);
});

test("a variable that is not given is absent", () => {
  assert.deepEqual(
    egressEnv({ httpsProxy: HTTPS }, identity, "cluster.local").map(({ name }) => name),
    ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"],
  );
  assert.deepEqual(
    egressEnv({ httpProxy: HTTP }, identity, "cluster.local").map(({ name }) => name),
    ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"],
  );
});

test("no egress proxy means no variables, NO_PROXY included", () => {
  assert.deepEqual(egressEnv({ enabled: false, httpProxy: HTTP }, identity, "cluster.local"), []);
  assert.deepEqual(egressEnv({}, identity, "cluster.local"), []);
  assert.deepEqual(egressEnv({ noProxy: ["10.0.0.0/8"] }, identity, "cluster.local"), []);
});

function noProxy(entries: string[], domain = "cluster.local"): string | undefined {
  return egressEnv({ httpProxy: HTTP, noProxy: entries }, identity, domain).find(
    ({ name }) => name === "NO_PROXY",
  )?.value;
}

test("the user's NO_PROXY entries come first, in their order", () => {
  assert.equal(
    noProxy(["z.example.com", "10.0.0.0/8", "a.example.com"]),
    `z.example.com,10.0.0.0/8,a.example.com,${CLUSTER}`,
  );
});

test("NO_PROXY holds no entry twice, and a repeated one keeps its first place", () => {
  assert.equal(
    noProxy([".svc", "a", "a", "localhost"]),
    `.svc,a,localhost,127.0.0.1,::1,${OWN},.svc.cluster.local,${API}`,
  );
});

test("NO_PROXY follows the cluster's own domain", () => {
  assert.equal(noProxy([], "k8s.example"), `localhost,127.0.0.1,::1,${OWN},.svc,.svc.k8s.example,${API}`);
});

const zone = { egress: { httpProxy: HTTP, httpsProxy: HTTPS }, clusterDomain: "cluster.local" };
const TOKEN_ENV = ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"];

test("the zone's egress proxy reaches the container behind inline variables and before the token", () => {
  assert.deepEqual(
    env({ env: [{ name: "LOG_LEVEL", value: "debug" }] }, { zone }).map(({ name }) => name),
    [
      "LOG_LEVEL",
      "HTTP_PROXY",
      "http_proxy",
      "HTTPS_PROXY",
      "https_proxy",
      "NO_PROXY",
      "no_proxy",
      ...TOKEN_ENV,
    ],
  );
});

for (const own of ["HTTPS_PROXY", "https_proxy"]) {
  test(`a component's own ${own} wins over the zone's in both letter cases`, () => {
    const rendered = env({ env: [{ name: own, value: "http://other:1" }] }, { zone });
    assert.deepEqual(
      rendered.filter(({ name }) => name.toUpperCase() === "HTTPS_PROXY"),
      [{ name: own, value: "http://other:1" }],
    );
    assert.equal(rendered.find(({ name }) => name === "HTTP_PROXY")?.value, HTTP);
  });
}

test("a component can switch the zone's egress proxy off with an empty value", () => {
  const rendered = env({ env: [{ name: "HTTPS_PROXY", value: "" }] }, { zone });
  assert.deepEqual(
    rendered.filter(({ name }) => name.toUpperCase() === "HTTPS_PROXY"),
    [{ name: "HTTPS_PROXY", value: "" }],
  );
});

const ZONE_EGRESS: EgressSpec = { httpProxy: HTTP, httpsProxy: HTTPS, noProxy: [".corp", "10.0.0.0/8"] };

const merges: [string, EgressSpec | undefined, EgressSpec | undefined, EgressSpec][] = [
  ["neither", undefined, undefined, { noProxy: [] }],
  ["a zone's alone", undefined, ZONE_EGRESS, ZONE_EGRESS],
  ["a component's alone", ZONE_EGRESS, undefined, ZONE_EGRESS],
  [
    "one field of a component",
    { httpsProxy: "http://own:1" },
    ZONE_EGRESS,
    { ...ZONE_EGRESS, httpsProxy: "http://own:1" },
  ],
  [
    "a component's exceptions, before the zone's",
    { noProxy: ["z.own", ".corp", "a.own"] },
    ZONE_EGRESS,
    { ...ZONE_EGRESS, noProxy: ["z.own", ".corp", "a.own", ".corp", "10.0.0.0/8"] },
  ],
  ["a component that wants none", { enabled: false }, ZONE_EGRESS, { ...ZONE_EGRESS, enabled: false }],
  [
    "a component that wants what its zone does not",
    { enabled: true },
    { ...ZONE_EGRESS, enabled: false },
    { ...ZONE_EGRESS, enabled: true },
  ],
  [
    "fields of a component that are there without a value",
    { enabled: undefined, httpProxy: undefined, httpsProxy: undefined, noProxy: undefined },
    { ...ZONE_EGRESS, enabled: true },
    { ...ZONE_EGRESS, enabled: true },
  ],
];

for (const [what, own, of, expected] of merges) {
  test(`merged egress of ${what}`, () => {
    assert.deepEqual(mergeEgress(own, of), expected);
  });
}

test("a component's egress reaches its container, each exception once and in its first place", () => {
  const rendered = env(
    { egress: { httpProxy: "http://own:1", noProxy: ["z.own", ".corp", "localhost"] } },
    { zone: { ...zone, egress: ZONE_EGRESS } },
  );
  const value = (name: string): string | undefined => rendered.find((each) => each.name === name)?.value;
  assert.equal(value("HTTP_PROXY"), "http://own:1");
  assert.equal(value("https_proxy"), HTTPS);
  assert.equal(
    value("NO_PROXY"),
    `z.own,.corp,localhost,10.0.0.0/8,127.0.0.1,::1,${OWN},.svc,.svc.cluster.local,${API}`,
  );
});

test("a component without egress of its own renders what it did: switching it off leaves no variable", () => {
  assert.deepEqual(env({ egress: {} }, { zone }), env({}, { zone }));
  assert.deepEqual(
    env({ egress: { enabled: false } }, { zone }).map(({ name }) => name),
    TOKEN_ENV,
  );
});

refused(egressSpec, [
  ["credentials", { httpProxy: `http://u:${CANARY}@p:1` }, "p.httpProxy", /must not hold credentials/],
  ["another scheme", { httpsProxy: `socks5://${CANARY}` }, "p.httpsProxy", /http:\/\/ or https:\/\/ URL/],
  ["no URL", { httpsProxy: CANARY }, "p.httpsProxy", /URL/],
  ["a list in one entry", { noProxy: ["a", `b,${CANARY}`] }, "p.noProxy[1]", /without comma or space/],
  ["a switch as text", { enabled: CANARY }, "p.enabled", /expected boolean/],
]);
