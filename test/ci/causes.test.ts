// What a change is caused by and does to the pods, of every kind of change by itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEW, OLD, only, ROTATED, updated } from "./causes-support.ts";
import { CHECKSUM, deployment, DIGESTS, EXPIRES, KEY_ID, type RawStep, step } from "./support.ts";

const token = (digest: string, more: object = {}): object => ({
  "Secret/dc-east-config": { configToken: digest, ...more },
});

/** The digests of a token and a ConfigMap, all of them other ones, as made with these keys. */
const rekeyed = (
  from: string | undefined,
  to: string,
  more: object = { "ConfigMap/m": { c: "4" } },
  end = OLD,
): RawStep =>
  updated(
    deployment({ ...token("1"), "ConfigMap/m": { c: "2" } }, OLD, { keyId: from }),
    deployment({ ...token("3"), ...more }, end, { keyId: to }),
    [CHECKSUM, DIGESTS, KEY_ID, ...(end === OLD ? [] : [EXPIRES])],
  );

const TABLE: [string, RawStep, string[]][] = [
  [
    "the token of a Secret",
    updated(deployment(token("a"), OLD), deployment(token("b"), NEW), ROTATED),
    [
      "1 rollout (config token rotated, valid until 2027-02-27)",
      "rolls pods",
      "config token rotated (Secret dc-east-config, key configToken)",
    ],
  ],
  [
    "a token that does not say when it ends",
    updated(deployment(token("a")), deployment(token("b")), ROTATED),
    [
      "1 rollout (config token rotated)",
      "rolls pods",
      "config token rotated (Secret dc-east-config, key configToken)",
    ],
  ],
  [
    "a token that has ended already",
    updated(deployment(token("a"), OLD), deployment(token("b"), "2026-11-28T00:00:00Z"), ROTATED),
    [
      "1 rollout (config token rotated, EXPIRED on 2026-11-28)",
      "rolls pods",
      "config token rotated (Secret dc-east-config, key configToken)",
    ],
  ],
  [
    "a token under another key",
    updated(
      deployment({ "Secret/s": { token: "a" } }, OLD, { secret: "s", key: "token" }),
      deployment({ "Secret/s": { token: "b" } }, NEW, { secret: "s", key: "token" }),
      ROTATED,
    ),
    [
      "1 rollout (config token rotated, valid until 2027-02-27)",
      "rolls pods",
      "config token rotated (Secret s, key token)",
    ],
  ],
  [
    "another key of the token's Secret",
    updated(
      deployment(token("a", { tokenSigningKey: "a" }), OLD),
      deployment(token("a", { tokenSigningKey: "b" }), OLD),
      [CHECKSUM, DIGESTS],
    ),
    [
      "1 rollout (Secret dc-east-config, key tokenSigningKey changed)",
      "rolls pods",
      "Secret dc-east-config, key tokenSigningKey changed",
    ],
  ],
  [
    "keys of a ConfigMap, changed, added and removed",
    updated(
      deployment({ "ConfigMap/m": { a: "1", b: "1", c: "1" } }),
      deployment({ "ConfigMap/m": { a: "2", b: "2", d: "1" } }),
      [CHECKSUM, DIGESTS],
    ),
    [
      "1 rollout (ConfigMap m, keys a, b changed; ConfigMap m, key d added; ConfigMap m, key c removed)",
      "rolls pods",
      "ConfigMap m, keys a, b changed",
      "ConfigMap m, key d added",
      "ConfigMap m, key c removed",
    ],
  ],
  [
    "objects that are read now, and no longer",
    updated(deployment({ "ConfigMap/a": {} }), deployment({ "ConfigMap/b": {} }), [CHECKSUM, DIGESTS]),
    [
      "1 rollout (ConfigMap a is no longer read; ConfigMap b is read now)",
      "rolls pods",
      "ConfigMap a is no longer read",
      "ConfigMap b is read now",
    ],
  ],
  [
    "one digest for very many keys",
    updated(deployment({ "Secret/s": { "*": "a" } }), deployment({ "Secret/s": { k: "b" } }), [
      CHECKSUM,
      DIGESTS,
    ]),
    ["1 rollout (Secret s changed)", "rolls pods", "Secret s changed"],
  ],
  [
    "one digest for very many keys, and the token's end changes",
    updated(deployment({ "Secret/dc-east-config": { "*": "a" } }, OLD), deployment(token("b"), NEW), ROTATED),
    [
      "1 rollout (config token rotated, valid until 2027-02-27)",
      "rolls pods",
      "config token rotated (Secret dc-east-config, key configToken)",
    ],
  ],
  [
    "digests that somebody broke",
    updated({ annotations: { "pulumi-proxies.dev/reference-digests": "{" } }, deployment(token("b"), NEW), [
      DIGESTS,
    ]),
    [
      "1 update (Secret dc-east-config is read now)",
      "no effect on pods",
      "Secret dc-east-config is read now",
    ],
  ],
  [
    "the token comes from another Secret",
    updated(
      deployment({ "Secret/a": { configToken: "1" } }, OLD, { secret: "a" }),
      deployment({ "Secret/b": { configToken: "2" } }, NEW, { secret: "b" }),
      [...ROTATED, "spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.name"],
    ),
    [
      "1 rollout (config token now from Secret b, valid until 2027-02-27)",
      "rolls pods",
      "config token now from Secret b, key configToken (before: Secret a, key configToken)",
    ],
  ],
  [
    "a checksum that nothing explains",
    updated(deployment(token("a")), deployment(token("a")), [CHECKSUM]),
    ["1 rollout (configuration checksum)", "rolls pods", "configuration checksum"],
  ],
  [
    "another key of all checksums",
    rekeyed("aaaaaaaa", "bbbbbbbb"),
    ["1 rollout (checksumKey changed)", "rolls pods", "checksumKey changed"],
  ],
  [
    "a key of all checksums where there was none",
    rekeyed("none", "bbbbbbbb"),
    ["1 rollout (checksumKey added)", "rolls pods", "checksumKey added"],
  ],
  [
    "no key of all checksums any more",
    rekeyed("aaaaaaaa", "none"),
    ["1 rollout (checksumKey removed)", "rolls pods", "checksumKey removed"],
  ],
  [
    "another key of all checksums, and beside it what can be told all the same: the token's end, and which keys there are",
    rekeyed("aaaaaaaa", "bbbbbbbb", { "ConfigMap/m": { d: "4" } }, NEW),
    [
      "1 rollout (config token rotated, valid until 2027-02-27; checksumKey changed; ConfigMap m, key d added; ConfigMap m, key c removed)",
      "rolls pods",
      "checksumKey changed",
      "ConfigMap m, key d added",
      "ConfigMap m, key c removed",
      "config token rotated (Secret dc-east-config, key configToken)",
    ],
  ],
  [
    "checksums of which one side does not say with which key",
    rekeyed(undefined, "bbbbbbbb"),
    [
      "1 rollout (config token rotated, valid until 2026-12-29; ConfigMap m, key c changed)",
      "rolls pods",
      "ConfigMap m, key c changed",
      "config token rotated (Secret dc-east-config, key configToken)",
    ],
  ],
  [
    "checksums whose key somebody wrote over",
    rekeyed("mine", "bbbbbbbb"),
    [
      "1 rollout (config token rotated, valid until 2026-12-29; ConfigMap m, key c changed)",
      "rolls pods",
      "ConfigMap m, key c changed",
      "config token rotated (Secret dc-east-config, key configToken)",
    ],
  ],
  [
    "a version that begins to say with which key",
    updated(deployment(token("a"), OLD), deployment(token("a"), OLD, { keyId: "none" }), [KEY_ID]),
    ["1 update", "no effect on pods"],
  ],
  [
    "a key that somebody put in place of ours",
    updated(
      deployment(token("a"), OLD, { keyId: "cccccccc" }),
      deployment(token("a"), OLD, { keyId: "none" }),
      [KEY_ID],
    ),
    ["1 update", "no effect on pods"],
  ],
  [
    "image and replicas",
    updated(deployment({}), deployment({}, undefined, { image: "hub/proxy:2", replicas: 3 }), [
      "spec.replicas",
      "spec.template.spec.containers[0].image",
    ]),
    [
      "1 rollout (image hub/proxy:1 -> hub/proxy:2; replicas 1 -> 3)",
      "rolls pods",
      "image hub/proxy:1 -> hub/proxy:2",
      "replicas 1 -> 3",
    ],
  ],
  [
    "replicas alone",
    updated(deployment({}), deployment({}, undefined, { replicas: 0 }), ["spec.replicas"]),
    ["scales Deployment dc-east (replicas 1 -> 0)", "starts or stops pods", "replicas 1 -> 0"],
  ],
  [
    "args of the pods",
    updated(deployment({}), deployment({}), ["spec.template.spec.containers[0].resources.limits.memory"]),
    [
      "1 rollout (args: spec.template.spec.containers[0].resources.limits.memory)",
      "rolls pods",
      "args: spec.template.spec.containers[0].resources.limits.memory",
    ],
  ],
  [
    "args beside the pods",
    updated(deployment({}), deployment({}), ["metadata.labels.team", "spec.minReadySeconds"]),
    ["1 update (args)", "no effect on pods", "args: metadata.labels.team, spec.minReadySeconds"],
  ],
  [
    "a whole spec, of which no more is known",
    updated(deployment({}), deployment({}), ["spec"]),
    ["1 rollout (args: spec)", "rolls pods", "args: spec"],
  ],
  [
    "an update that does not say of what",
    updated(deployment({}), deployment({}), []),
    ["1 unknown operation (update on Deployment dc-east)", "unknown"],
  ],
  [
    "another object",
    step("update", { kind: "Service", paths: ["spec.ports[0].port"] }),
    ["1 update (args: spec.ports[0].port)", "no effect on pods", "args: spec.ports[0].port"],
  ],
  ["a new object", step("create", { kind: "Service" }), ["creates Service dc-east", "creates"]],
  ["an object that goes", step("delete", { kind: "Service" }), ["DELETES Service dc-east", "deletes"]],
  [
    "an operation that nobody knows",
    step("transmogrify", { kind: "Service" }),
    ["1 unknown operation (transmogrify on Service dc-east)", "unknown"],
  ],
  [
    "an object that must be replaced",
    step("replace", { kind: "Service", paths: ["spec.clusterIP"] }),
    ["REPLACES Service dc-east (args: spec.clusterIP)", "replaces", "args: spec.clusterIP"],
  ],
  ["the provider", step("create", { kind: "Provider", name: "zone" }), ["creates Provider zone", "creates"]],
];

for (const [what, change, expected] of TABLE) {
  test(`cause and effect: ${what}`, () => {
    assert.deepEqual(only([change]), expected);
  });
}
