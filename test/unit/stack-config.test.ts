import assert from "node:assert/strict";
import { test } from "node:test";
import { checkStackConfig } from "../../stacks/config.ts";
import { CANARY } from "./support.ts";

const ZONE = { namespace: "proxies" };
const REF = { configTokenSecretRef: { name: "s" } };

/** Checks a stack file; `configTokens` and `checksumKey` are secret unless `secretKeys` says otherwise. */
function checked(values: Record<string, unknown>, secretKeys = ["configTokens", "checksumKey"]) {
  const all: Record<string, unknown> = { zone: ZONE, ...values };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const texts = given.map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);
  return checkStackConfig({
    values: Object.fromEntries(texts) as Record<string, string>,
    secretKeys: new Set(secretKeys),
  });
}

test("a zone without proxies is a zone", () => {
  const { value, problems } = checked({});
  assert.deepEqual(problems, []);
  assert.deepEqual(value?.proxies, {});
  assert.deepEqual(value.ownTokens, []);
  assert.equal(value.zone.namespace, "proxies");
});

test("proxies and tokens of one's own are told apart", () => {
  const { value } = checked({
    proxies: { a: REF, b: { replicas: 2 }, c: null },
    configTokens: { b: "jwt", c: "jwt" },
  });
  assert.deepEqual(value?.proxies, { a: REF, b: { replicas: 2 }, c: {} });
  assert.deepEqual(value.ownTokens, ["b", "c"]);
});

test("connectors stand beside proxies, and share no name with one", () => {
  const image = { repository: "hub.example.com/x509", tag: "1.3.1" };
  const { value } = checked({ proxies: { a: REF }, connectors: { x509: { image } } });
  assert.deepEqual(value?.connectors, { x509: { image } });
  const { problems } = checked({ proxies: { a: REF }, connectors: { a: { image }, b: null } });
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["connectors.a", "connectors.b.image"],
  );
});

test("a map of secrets whose last one was removed is no secret, and no problem", () => {
  const { value, problems } = checked({ configTokens: {}, tokenSigningKeys: {} }, []);
  assert.deepEqual(problems, []);
  assert.deepEqual(value?.ownTokens, []);
});

test("defaults of all stacks are merged under the zone's, field by field", () => {
  const { value } = checked({
    defaults: {
      labels: { "app.kubernetes.io/part-of": "network-zones", team: "all" },
      image: { registry: "hub.example.com", pullPolicy: "Always" },
      egress: { httpProxy: "http://all:1" },
      tolerations: [{ key: "all" }],
      billOfMaterials: { proxy: { tag: "1.0.0" } },
    },
    zone: {
      ...ZONE,
      defaults: {
        labels: { team: "zone" },
        image: { registry: "mirror.example.com" },
        egress: { httpsProxy: "http://zone:1" },
        tolerations: [{ key: "zone" }],
      },
    },
  });
  assert.deepEqual(value?.zone.defaults, {
    labels: { "app.kubernetes.io/part-of": "network-zones", team: "zone" },
    image: { registry: "mirror.example.com", pullPolicy: "Always" },
    egress: { httpProxy: "http://all:1", httpsProxy: "http://zone:1" },
    tolerations: [{ key: "zone" }],
    billOfMaterials: { proxy: { tag: "1.0.0" } },
  });
});

const bad: [string, Parameters<typeof checked>, { path: string; message: RegExp }[]][] = [
  [
    "an unknown key",
    [{ proxys: { a: REF } }],
    [{ path: "proxys", message: /unknown field "proxys"; did you mean "proxies"\?/ }],
  ],
  ["no namespace", [{ zone: {} }], [{ path: "zone.namespace", message: /expected string/ }]],
  ["no zone", [{ zone: undefined }], [{ path: "zone.namespace", message: /expected string/ }]],
  ["a zone that is text", [{ zone: CANARY }], [{ path: "zone", message: /expected a map/ }]],
  ["a zone that is a list", [{ zone: [CANARY] }], [{ path: "zone", message: /expected a map/ }]],
  ["proxies as a list", [{ proxies: [] }], [{ path: "proxies", message: /expected a map/ }]],
  ["proxies as text", [{ proxies: CANARY }], [{ path: "proxies", message: /expected a map/ }]],
  ["proxies as a number", [{ proxies: "1" }], [{ path: "proxies", message: /expected a map/ }]],
  ["defaults as text", [{ defaults: CANARY }], [{ path: "defaults", message: /expected a map/ }]],
  ["tokens as text", [{ configTokens: CANARY }], [{ path: "configTokens", message: /expected a map/ }]],
  ["a proxy as text", [{ proxies: { a: CANARY } }], [{ path: "proxies.a", message: /expected object/ }]],
  [
    "an unknown field of a proxy",
    [{ proxies: { a: { ...REF, replica: 1 } } }],
    [{ path: "proxies.a", message: /did you mean "replicas"/ }],
  ],
  [
    "a wrong type",
    [{ proxies: { a: { ...REF, replicas: CANARY } } }],
    [{ path: "proxies.a.replicas", message: /expected number/ }],
  ],
  [
    "a bad quantity",
    [{ proxies: { a: { ...REF, resources: { limits: { memory: CANARY } } } } }],
    [{ path: "proxies.a.resources.limits.memory", message: /128Mi/ }],
  ],
  [
    "a name with a dot",
    [{ proxies: { "dc.east": REF } }],
    [{ path: 'proxies["dc.east"]', message: /its name must be lower-case letters/ }],
  ],
  [
    "a name with a leading digit",
    [{ proxies: { "1-east": REF } }],
    [{ path: 'proxies["1-east"]', message: /starting with a letter/ }],
  ],
  [
    "a name of 64 characters",
    [{ proxies: { ["x".repeat(64)]: REF } }],
    [{ path: `proxies.${"x".repeat(64)}`, message: /at most 63 characters/ }],
  ],
  [
    "both forms of a token",
    [{ proxies: { a: REF }, configTokens: { a: CANARY } }],
    [{ path: "proxies.a", message: /keep one/ }],
  ],
  ["no token", [{ proxies: { a: {} } }], [{ path: "proxies.a", message: /no token.*'configTokens\.a'/ }]],
  [
    "a token for no proxy",
    [{ proxies: { "dc-east": {} }, configTokens: { "dc-east": "jwt", "dc-esat": CANARY } }],
    [{ path: "configTokens.dc-esat", message: /did you mean "dc-east"/ }],
  ],
  [
    "a token that is no text",
    [{ proxies: { a: {} }, configTokens: { a: { x: CANARY } } }],
    [{ path: "configTokens.a", message: /expected a string/ }],
  ],
  [
    "a secure leaf in proxies",
    [{ proxies: { a: REF } }, ["configTokens", "proxies"]],
    [{ path: "proxies", message: /holds a secure value.*configTokens/ }],
  ],
  ["a secure leaf in the zone", [{}, ["zone"]], [{ path: "zone", message: /holds a secure value/ }]],
  [
    "a secure leaf in the defaults",
    [{ defaults: {} }, ["defaults"]],
    [{ path: "defaults", message: /holds a secure value/ }],
  ],
  [
    "a secure leaf in proxies beside tokens of one's own",
    [{ proxies: { a: {} }, configTokens: { a: "jwt" } }, ["configTokens", "proxies"]],
    [{ path: "proxies", message: /holds a secure value/ }],
  ],
  [
    "tokens that are no secret",
    [{ proxies: { a: {} }, configTokens: { a: CANARY } }, []],
    [{ path: "configTokens", message: /must be secret.*--secret/ }],
  ],
  [
    "a checksum key that is no secret",
    [{ checksumKey: CANARY }, []],
    [{ path: "checksumKey", message: /must be secret/ }],
  ],
  [
    "bad defaults",
    [{ defaults: { egress: { httpProxy: CANARY } } }],
    [{ path: "defaults.egress.httpProxy", message: /URL/ }],
  ],
  [
    "a bad zone label",
    [{ zone: { ...ZONE, defaults: { labels: { a: `${CANARY} ` } } } }],
    [{ path: "zone.defaults.labels.a", message: /letters, digits/ }],
  ],
  [
    "an unknown zone field",
    [{ zone: { ...ZONE, contxt: CANARY } }],
    [{ path: "zone", message: /unknown field "contxt"/ }],
  ],
  [
    "a UID that is none",
    [{ zone: { ...ZONE, cluster: { namespaceUid: CANARY } } }],
    [{ path: "zone.cluster.namespaceUid", message: /UID of a namespace/ }],
  ],
  [
    "an empty context",
    [{ zone: { ...ZONE, cluster: { context: "" } } }],
    [{ path: "zone.cluster.context", message: />=1/ }],
  ],
  [
    "a drift mode that does not exist",
    [{ zone: { ...ZONE, drift: CANARY } }],
    [{ path: "zone.drift", message: /"repair"\|"warn"/ }],
  ],
  [
    "two bad proxies",
    [{ proxies: { a: { ...REF, replicas: -1 }, b: {} } }],
    [
      { path: "proxies.a.replicas", message: />=0/ },
      { path: "proxies.b", message: /no token/ },
    ],
  ],
];

for (const [what, args, expected] of bad) {
  test(`${what}: ${expected.length === 1 ? "one problem" : `${expected.length} problems`} with path and allowed form, no value`, () => {
    const { value, problems } = checked(...args);
    assert.equal(value, undefined);
    assert.deepEqual(
      problems.map(({ path }) => path),
      expected.map(({ path }) => path),
    );
    for (const [index, { message }] of expected.entries())
      assert.match(problems[index]?.message ?? "", message);
    assert.equal(JSON.stringify(problems).includes(CANARY), false);
  });
}

test("what a secure leaf stands beside is not looked at, let alone quoted", () => {
  const { problems } = checked({ proxies: { [CANARY]: { replicas: CANARY } } }, ["proxies"]);
  assert.equal(problems.length, 1);
  assert.equal(JSON.stringify(problems).includes(CANARY), false);
});
