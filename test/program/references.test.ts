import assert from "node:assert/strict";
import { test } from "node:test";
import { configChecksum, type ReferencedObject } from "../../components/workload/checksum.ts";
import type { ProxyArgs } from "../../components/index.ts";
import type { KubeObject } from "../../components/cluster/cluster.ts";
import { metadata, podAnnotations, the } from "./support/engine.ts";
import { REF, runProxy } from "./support/proxy.ts";
import { deployment, FORBIDDEN, found, jwt, MISSING, secret, type World } from "./support/zone.ts";

const CHECKSUM = "otilm.com/config-checksum";
const DIGESTS = "pulumi-proxies.dev/reference-digests";
const CANARY = "c4n4ry-s3cr3t";
const TOKEN = jwt(1830297600);

const configMap = (
  name: string,
  data: Record<string, string>,
  binaryData?: Record<string, string>,
): KubeObject => ({ metadata: { name, namespace: "proxies" }, data, ...(binaryData && { binaryData }) });

const READS: NonNullable<World["reads"]> = {
  "Secret/dc-east-config": found(secret("dc-east-config", { configToken: TOKEN })),
  "Secret/db": found(secret("db", { pw: CANARY, other: "x" })),
  "Secret/tls": found(secret("tls", { "tls.crt": "c" })),
  "ConfigMap/settings": found(configMap("settings", { LEVEL: CANARY })),
  "ConfigMap/ca": found(configMap("ca", {}, { "ca.der": Buffer.from("der").toString("base64") })),
};
const ARGS = {
  ...REF,
  secretRefs: [
    { name: "db", type: "env", keys: [{ secretKey: "pw", envVar: "DB_PASSWORD" }] },
    { name: "tls", type: "volume", mountPath: "/tls" },
  ],
  configMapRefs: [
    { name: "settings", type: "env" },
    { name: "ca", type: "volume", mountPath: "/ca", keys: [{ configMapKey: "ca.der" }] },
  ],
  referenceTimeoutSeconds: 0,
} satisfies Omit<ProxyArgs, "zone">;

/** Every condition of a first run begins with it. */
const lastTransitionTime = "2027-01-01T00:00:00Z";

const bytes = (values: Record<string, string>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value)]));
const COVERED: ReferencedObject[] = [
  { kind: "Secret", name: "dc-east-config", data: bytes({ configToken: TOKEN }) },
  { kind: "Secret", name: "db", data: bytes({ pw: CANARY, other: "x" }) },
  { kind: "Secret", name: "tls", data: bytes({ "tls.crt": "c" }) },
  { kind: "ConfigMap", name: "settings", data: bytes({ LEVEL: CANARY }) },
  { kind: "ConfigMap", name: "ca", data: {}, binaryData: bytes({ "ca.der": "der" }) },
];

const checksumOf = async (args: Omit<ProxyArgs, "zone">, reads = READS): Promise<string | undefined> =>
  (await runProxy({ args, world: { reads } })).outputs.configChecksum;

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`the checksum covers every referenced object with all its keys, ${when}`, async () => {
    const recorded = await runProxy({ preview, args: ARGS, world: { reads: READS } });
    const registration = the(recorded, "Deployment");
    assert.deepEqual(podAnnotations(registration), { [CHECKSUM]: configChecksum(COVERED) });
    assert.equal(recorded.outputs.configChecksum, configChecksum(COVERED));
    const digests = JSON.parse(metadata(registration).annotations[DIGESTS] ?? "{}") as object;
    assert.deepEqual(Object.keys(digests), [
      "ConfigMap/ca",
      "ConfigMap/settings",
      "Secret/db",
      "Secret/dc-east-config",
      "Secret/tls",
    ]);
    assert.equal(recorded.outputs.phase, preview ? "Deploying" : "Running");
  });

  test(`every object is read once, and none of its data reaches the engine, ${when}`, async () => {
    const recorded = await runProxy({ preview, args: ARGS, world: { reads: READS } });
    assert.deepEqual(recorded.cluster.asked.filter((what) => /^(Secret|ConfigMap)\//.test(what)).sort(), [
      "ConfigMap/ca",
      "ConfigMap/settings",
      "Secret/db",
      "Secret/dc-east-config",
      "Secret/tls",
    ]);
    for (const text of [CANARY, Buffer.from(CANARY).toString("base64")]) {
      assert.equal(JSON.stringify(recorded).includes(text), false);
    }
  });

  const live = deployment(1, 1, { checksum: "f".repeat(64) });
  const unread: [string, World["reads"], reason: string, message: string][] = [
    ["Secret is missing", { "Secret/tls": MISSING }, "MissingSecret", 'Secret "tls" not found'],
    [
      "Secret has lost a key",
      { "Secret/db": found(secret("db", { other: CANARY })) },
      "MissingKey",
      'Secret "db" has no key "pw"',
    ],
    [
      "ConfigMap is missing",
      { "ConfigMap/settings": MISSING },
      "MissingConfigMap",
      'ConfigMap "settings" not found',
    ],
    [
      "ConfigMap has lost a key",
      { "ConfigMap/ca": found(configMap("ca", { other: CANARY })) },
      "MissingKey",
      'ConfigMap "ca" has no key "ca.der"',
    ],
    [
      "token has lost its key beside a missing ConfigMap",
      {
        "Secret/dc-east-config": found(secret("dc-east-config", { other: CANARY })),
        "ConfigMap/settings": MISSING,
      },
      "MissingTokenKey",
      'Secret "dc-east-config" has no key "configToken"',
    ],
  ];

  for (const [what, reads, reason, message] of unread) {
    test(`the last checksum stays and the phase is Failed when a ${what}, ${when}`, async () => {
      const recorded = await runProxy({
        preview,
        args: ARGS,
        world: {
          lists: { Deployment: found([live]) },
          reads: { ...READS, "Deployment/dc-east": found(live), ...reads },
        },
      });
      assert.deepEqual(podAnnotations(the(recorded, "Deployment")), { [CHECKSUM]: "f".repeat(64) });
      assert.equal(recorded.outputs.configChecksum, "f".repeat(64));
      assert.equal(recorded.outputs.phase, "Failed");
      assert.deepEqual(recorded.outputs.conditions, [
        { type: "Available", status: "False", reason, message, lastTransitionTime },
        { type: "Degraded", status: "True", reason, message, lastTransitionTime },
      ]);
      assert.deepEqual(recorded.logs, [{ severity: "warning", message: `${reason}: ${message}` }]);
      assert.equal(recorded.exitCode, undefined);
    });

    test(`there is no checksum before the first success when a ${what}, ${when}`, async () => {
      const recorded = await runProxy({ preview, args: ARGS, world: { reads: { ...READS, ...reads } } });
      assert.deepEqual(podAnnotations(the(recorded, "Deployment")), {});
      assert.equal(recorded.outputs.configChecksum, undefined);
      assert.equal(recorded.outputs.phase, "Failed");
    });
  }

  test(`a ConfigMap that may not be read keeps the checksum and leaves the phase, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      args: ARGS,
      world: {
        lists: { Deployment: found([live]) },
        reads: { ...READS, "Deployment/dc-east": found(live), "ConfigMap/ca": FORBIDDEN },
      },
    });
    assert.equal(recorded.outputs.configChecksum, "f".repeat(64));
    assert.equal(recorded.outputs.phase, "Running");
    const condition = recorded.outputs.conditions.find(({ type }) => type === "Degraded");
    assert.deepEqual(condition, {
      type: "Degraded",
      status: "Unknown",
      reason: "ReferenceUnreadable",
      message: 'ConfigMap "ca" could not be read: User "x" cannot do that',
      lastTransitionTime,
    });
  });
}

test("neither the order of references nor how an object is read, or how often, is part of the checksum", async () => {
  const expected = configChecksum(COVERED);
  const reversed = {
    secretRefs: ARGS.secretRefs.toReversed(),
    configMapRefs: ARGS.configMapRefs.toReversed(),
  };
  assert.equal(await checksumOf({ ...ARGS, ...reversed }), expected);
  const whole = [
    { name: "db", type: "volume" as const, mountPath: "/db" },
    { name: "db", type: "env" as const },
    { name: "tls", type: "env" as const },
    { name: "dc-east-config", type: "env" as const },
  ];
  assert.equal(await checksumOf({ ...ARGS, secretRefs: whole }), expected);
});

const changes: [string, World["reads"]][] = [
  ["a Secret's key that nobody maps", { "Secret/db": found(secret("db", { pw: CANARY, other: "y" })) }],
  ["a Secret's new key", { "Secret/tls": found(secret("tls", { "tls.crt": "c", new: "" })) }],
  ["a ConfigMap's value", { "ConfigMap/settings": found(configMap("settings", { LEVEL: "info" })) }],
  ["a ConfigMap's binary value", { "ConfigMap/ca": found(configMap("ca", {}, { "ca.der": "" })) }],
];

for (const [what, reads] of changes) {
  test(`${what} rolls the pods`, async () => {
    assert.notEqual(await checksumOf(ARGS, { ...READS, ...reads }), configChecksum(COVERED));
  });
}

test("a reference more or less rolls the pods, a plain volume does not read anything", async () => {
  assert.equal(await checksumOf({ ...ARGS, configMapRefs: [] }), configChecksum(COVERED.slice(0, 3)));
  const volumes = [{ name: "data", mountPath: "/data", persistentVolumeClaim: { claimName: "data" } }];
  assert.equal(await checksumOf({ ...ARGS, volumes }), configChecksum(COVERED));
});

test("references are covered beside a token of one's own", async () => {
  const recorded = await runProxy({
    args: { configToken: TOKEN, configMapRefs: ARGS.configMapRefs },
    world: { reads: READS, secrets: { "dc-east-config-token": MISSING } },
  });
  assert.equal(
    recorded.outputs.configChecksum,
    configChecksum([
      { kind: "Secret", name: "dc-east-config-token", data: bytes({ configToken: TOKEN }) },
      ...COVERED.slice(3),
    ]),
  );
});

test("a ConfigMap that another controller is about to create is waited for", async () => {
  const recorded = await runProxy({
    args: { ...ARGS, referenceTimeoutSeconds: 3 },
    world: {
      reads: {
        ...READS,
        "ConfigMap/settings": [MISSING, found(configMap("settings", { LEVEL: CANARY }))],
      },
    },
  });
  assert.equal(recorded.outputs.configChecksum, configChecksum(COVERED));
  assert.equal(recorded.outputs.phase, "Running");
});

// The kubelet looks for a variable's key in `data` alone: the pod would hang in CreateContainerConfigError.
test("a variable's key that stands among a ConfigMap's binary data is missing", async () => {
  const recorded = await runProxy({
    args: {
      ...REF,
      configMapRefs: [{ name: "ca", type: "env", keys: [{ configMapKey: "ca.der", envVar: "CA" }] }],
      referenceTimeoutSeconds: 0,
    },
    world: { reads: READS },
  });
  assert.equal(recorded.outputs.phase, "Failed");
  assert.equal(recorded.outputs.conditions[0]?.message, 'ConfigMap "ca" has no key "ca.der"');
});

for (const data of [
  "text",
  5,
  ["a"],
  { configToken: 5 },
  { configToken: null },
  { other: { nested: CANARY } },
]) {
  test(`an answer whose data are ${JSON.stringify(data)} is no Secret: nothing follows from it`, async () => {
    const answer = { metadata: { name: "dc-east-config" }, data };
    const recorded = await runProxy({
      args: { ...REF, referenceTimeoutSeconds: 0 },
      world: { reads: { ...READS, "Secret/dc-east-config": found(answer) } },
    });
    const degraded = recorded.outputs.conditions.find(({ type }) => type === "Degraded");
    assert.equal(degraded?.reason, "ReferenceUnreadable");
    assert.equal(
      degraded.message,
      'Secret "dc-east-config" could not be read: what the API server answered is no Secret',
    );
    assert.equal(recorded.outputs.configChecksum, undefined);
    assert.equal(recorded.exitCode, undefined);
  });
}

test("a key with a meaning to JavaScript counts in the checksum like any other", async () => {
  const of = async (value: string): Promise<string | undefined> => {
    const metadata = { name: "dc-east-config" };
    const data = JSON.parse(`{"configToken":"eA==","__proto__":"${value}"}`) as Record<string, string>;
    const reads = { "Secret/dc-east-config": found({ metadata, data }) };
    return (await runProxy({ args: REF, world: { reads } })).outputs.configChecksum;
  };
  assert.notEqual(await of("YQ=="), await of("Yg=="));
});
