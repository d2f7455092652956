// Which pods may start: the kubelet's own words for what they name and what is missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { V1Container, V1Pod, V1Volume } from "@kubernetes/client-node";
import { BEHAVIOUR } from "../../dev/kwok/annotations.ts";
import { judge } from "../../dev/kubelet/judge.ts";
import type { Kind } from "../../dev/kubelet/judge.ts";

const objects = new Map([
  ["Secret/token", new Set(["tls.crt"])],
  ["ConfigMap/settings", new Set(["level"])],
]);

function read(kind: Kind, name: string): Promise<ReadonlySet<string> | undefined> {
  return Promise.resolve(objects.get(`${kind}/${name}`));
}

function pod(containers: Partial<V1Container>[], volumes: V1Volume[] = [], annotations = {}): V1Pod {
  const named = containers.map((container, index) => ({ name: `c${index}`, ...container }));
  return { metadata: { namespace: "zone", name: "p", annotations }, spec: { containers: named, volumes } };
}

test("what exists, and what is optional, is no obstacle", async () => {
  const container: Partial<V1Container> = {
    env: [
      { name: "PLAIN", value: "x" },
      { name: "A", valueFrom: { secretKeyRef: { name: "token", key: "tls.crt" } } },
      { name: "B", valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } },
      { name: "C", valueFrom: { secretKeyRef: { name: "none", key: "k", optional: true } } },
      { name: "D", valueFrom: { configMapKeyRef: { name: "settings", key: "none", optional: true } } },
    ],
    envFrom: [{ secretRef: { name: "token" } }, { configMapRef: { name: "none", optional: true } }],
  };
  const volumes: V1Volume[] = [
    { name: "a", secret: { secretName: "token", items: [{ key: "tls.crt", path: "p" }] } },
    { name: "b", configMap: { name: "none", optional: true } },
    { name: "c", emptyDir: {} },
    {
      name: "d",
      projected: { sources: [{ configMap: { name: "settings" } }, { serviceAccountToken: { path: "t" } }] },
    },
  ];
  assert.deepEqual(await judge(pod([container], volumes), read), { verdict: "start", messages: {} });
});

const containerCases: [string, Partial<V1Container>, string][] = [
  [
    "Secret of env",
    { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "x", key: "k" } } }] },
    'secret "x" not found',
  ],
  [
    "key of a Secret",
    { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "token", key: "k" } } }] },
    "couldn't find key k in Secret zone/token",
  ],
  [
    "ConfigMap of env",
    { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "x", key: "k" } } }] },
    'configmap "x" not found',
  ],
  [
    "key of a ConfigMap",
    { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "settings", key: "k" } } }] },
    "couldn't find key k in ConfigMap zone/settings",
  ],
  ["Secret of envFrom", { envFrom: [{ secretRef: { name: "x" } }] }, 'secret "x" not found'],
  ["ConfigMap of envFrom", { envFrom: [{ configMapRef: { name: "x" } }] }, 'configmap "x" not found'],
];
for (const [what, container, message] of containerCases) {
  test(`missing: ${what}`, async () => {
    const judgement = await judge(pod([{}, container]), read);
    assert.deepEqual(judgement, { verdict: "config-missing", messages: { c1: message } });
  });
}

const volumeCases: [string, Omit<V1Volume, "name">, string][] = [
  ["Secret", { secret: { secretName: "x" } }, 'secret "x" not found'],
  ["key of a Secret", { secret: { secretName: "token", items: [{ key: "k", path: "p" }] } }, "secret key: k"],
  ["ConfigMap", { configMap: { name: "x" } }, 'configmap "x" not found'],
  [
    "key of a ConfigMap",
    { configMap: { name: "settings", items: [{ key: "k", path: "p" }] } },
    "config key: k",
  ],
  ["projected Secret", { projected: { sources: [{ secret: { name: "x" } }] } }, 'secret "x" not found'],
];
for (const [what, source, message] of volumeCases) {
  test(`missing volume source: ${what}`, async () => {
    const text = message.includes("key:") ? `references non-existent ${message}` : message;
    assert.deepEqual(await judge(pod([{}], [{ name: "v", ...source }]), read), {
      verdict: "volume-missing",
      messages: { "": `MountVolume.SetUp failed for volume "v" : ${text}` },
    });
  });
}

test("a misspelled behaviour keeps the pod from starting", async () => {
  const { verdict, messages } = await judge(pod([{}], [], { [BEHAVIOUR]: "slow" }), read);
  assert.equal(verdict, "config-missing");
  assert.match(messages["c0"] ?? "", /is "slow"; allowed: never-ready, .*slow:<seconds>/);
});
