import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import type { WorkloadTransform } from "../../components/workload/workload.ts";
import { proxyManifests } from "../../components/proxy/manifests.ts";
import type { Transform } from "../../components/workload/transform.ts";
import { identity, LABELS, proxyInput, SELECTOR } from "./support.ts";

const ALL: ProxySpec = {
  autoscaling: { enabled: true, maxReplicas: 3 },
  resources: { requests: { cpu: "100m" } },
  podDisruptionBudget: { enabled: true },
  metrics: { enabled: true, serviceMonitor: { enabled: true } },
  env: [{ name: "A", value: "1" }],
  podLabels: { team: "edge" },
  podAnnotations: { "example.com/a": "b" },
  sidecars: [{ name: "side", image: "s:1", securityContext: { runAsUser: 7 } }],
  initContainers: [{ name: "init", image: "i:1" }],
};
const INPUT = proxyInput(ALL, {
  identity: { ...identity, labels: { zone: "east" } },
  checksum: "f".repeat(64),
  annotations: { "pulumi-proxies.dev/reference-digests": "{}" },
});
const RENDERED = proxyManifests(INPUT);

const transform = (change: WorkloadTransform) => proxyManifests(INPUT, change);
const children = Object.keys(RENDERED) as (keyof typeof RENDERED)[];

for (const child of children) {
  const noop: [string, Transform][] = [
    ["does nothing", () => undefined],
    ["gives back what it was given", (manifest: object) => manifest],
    ["gives back a copy", (manifest: object) => structuredClone(manifest)],
    ["sets and unsets a field", (manifest: Record<string, unknown>) => ({ ...manifest, spare: undefined })],
  ];

  for (const [what, change] of noop) {
    test(`a transform of the ${child} that ${what} changes no byte`, () => {
      assert.equal(JSON.stringify(transform({ [child]: change })), JSON.stringify(RENDERED));
    });
  }

  test(`a transform of the ${child} changes it in place or by giving another back, and nothing else`, () => {
    const inPlace = transform({
      [child]: (manifest: { metadata: { annotations?: object } }) => {
        manifest.metadata.annotations = { ...manifest.metadata.annotations, "example.com/x": "y" };
      },
    });
    const returned = transform({
      [child]: ({ metadata, ...rest }: { metadata: { annotations?: object } }) => ({
        ...rest,
        metadata: { ...metadata, annotations: { ...metadata.annotations, "example.com/x": "y" } },
      }),
    });
    assert.deepEqual(inPlace, returned);
    const expected = structuredClone(RENDERED);
    Object.assign((expected[child].metadata.annotations ??= {}), { "example.com/x": "y" });
    assert.deepEqual(inPlace, expected);
  });

  test(`name, namespace, kind, labels and ties of the ${child} are its workload's, whatever a transform does`, () => {
    const spoiled = transform({
      [child]: (manifest: { kind: string; apiVersion: string; metadata: object; spec?: object }) => {
        manifest.kind = "Pod";
        manifest.apiVersion = "v2";
        manifest.metadata = { name: "other", namespace: "kube-system", labels: { more: "x" } };
        const tie = { matchLabels: { other: "x" } };
        manifest.spec = {
          ...manifest.spec,
          selector: tie,
          podSelector: tie,
          scaleTargetRef: { name: "other" },
        };
      },
    })[child];
    const before = RENDERED[child];
    assert.deepEqual([spoiled.apiVersion, spoiled.kind], [before.apiVersion, before.kind]);
    assert.deepEqual([spoiled.metadata.name, spoiled.metadata.namespace], ["dc-east", "proxies"]);
    assert.deepEqual(spoiled.metadata.labels, { ...LABELS, zone: "east", more: "x" });
    const ties = (manifest: object): unknown[] => {
      const { spec } = manifest as { spec?: Record<string, unknown> };
      if (child === "horizontalPodAutoscaler") return [spec?.["scaleTargetRef"]];
      return [spec?.[child === "networkPolicy" ? "podSelector" : "selector"]];
    };
    if (child !== "serviceAccount") assert.deepEqual(ties(spoiled), ties(before));
  });
}

test("labels of the workload itself win, those of a ServiceMonitor may be chosen", () => {
  const relabel: Transform = (manifest: { metadata: { labels: object } }) => {
    Object.assign(manifest.metadata.labels, { "otilm.com/proxy": "x", zone: "west" });
  };
  const { service, serviceMonitor } = transform({ service: relabel, serviceMonitor: relabel });
  assert.deepEqual(service.metadata.labels, { ...LABELS, zone: "west" });
  assert.deepEqual(serviceMonitor.metadata.labels, { ...LABELS, "otilm.com/proxy": "x", zone: "west" });
  assert.deepEqual(serviceMonitor.spec.selector.matchLabels, SELECTOR);
});

test("a transform can't reach what another run or manifest is rendered from", () => {
  const input = proxyInput({ ...ALL, podLabels: { team: "edge" } });
  const spoil: Transform = (manifest: { metadata: { labels: Record<string, string> } }) => {
    manifest.metadata.labels["app.kubernetes.io/name"] = "spoiled";
  };
  proxyManifests(input, Object.fromEntries(children.map((child) => [child, spoil])));
  assert.equal(JSON.stringify(proxyManifests(input)), JSON.stringify(proxyManifests(proxyInput(ALL))));
});

test("a transform of an object that is not made is not asked", () => {
  const never: Transform = () => {
    throw new Error("asked");
  };
  proxyManifests(proxyInput({ networkPolicy: { enabled: false } }), {
    horizontalPodAutoscaler: never,
    podDisruptionBudget: never,
    networkPolicy: never,
    serviceMonitor: never,
  });
});

class Output {
  readonly value = "x";
}
const failing: [string, Transform, RegExp][] = [
  [
    "throws",
    () => {
      throw new Error("no such thing");
    },
    /^transform\.service: no such thing$/,
  ],
  [
    "is async",
    async () => Promise.resolve(),
    /^transform\.service: must give back plain JSON, which the result/,
  ],
  ["gives back text", (() => "x") as unknown as Transform, /which the result is not/],
  [
    "sets an Output",
    (manifest: { spec: Record<string, unknown> }) => {
      manifest.spec["clusterIP"] = new Output();
    },
    /^transform\.service: must give back plain JSON, which spec\.clusterIP is not/,
  ],
  [
    "appends a Promise",
    (manifest: { spec: { ports: unknown[] } }) => {
      manifest.spec.ports.push(Promise.resolve({}));
    },
    /which spec\.ports\[2\] is not/,
  ],
  [
    "sets a function",
    (manifest: { metadata: object }) => {
      Object.assign(manifest.metadata, { annotations: { "example.com/x": () => "y" } });
    },
    /which metadata\.annotations\["example\.com\/x"\] is not/,
  ],
];

for (const [what, service, message] of failing) {
  test(`a transform that ${what} fails, in one line that names it`, () => {
    assert.throws(() => transform({ service }), { message });
  });
}

test("what a transform throws need not be an Error", () => {
  const deployment: Transform = () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw "plain text";
  };
  assert.throws(() => transform({ deployment }), { message: "transform.deployment: plain text" });
});
