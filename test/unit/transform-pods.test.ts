import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { proxyManifests } from "../../components/proxy/manifests.ts";
import type { Deployment } from "../../components/workload/manifest.ts";
import { LABELS, proxyInput } from "./support.ts";

const RESTRICTED = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};
const DIGESTS = { "pulumi-proxies.dev/reference-digests": "{}" };
const CHECKSUM = "otilm.com/config-checksum";
const INPUT = proxyInput(
  {
    podAnnotations: { "example.com/a": "b" },
    sidecars: [{ name: "side", image: "s:1", securityContext: { runAsUser: 7 } }],
    initContainers: [{ name: "init", image: "i:1" }],
    securityContext: { fsGroup: 5 },
  },
  { checksum: "f".repeat(64), annotations: DIGESTS },
);

/** A pod as a transform sees it. */
interface Pod extends Record<string, unknown> {
  containers: Record<string, unknown>[];
  initContainers?: Record<string, unknown>[];
}

const render = (change: (pod: Pod, deployment: Deployment) => void, input = INPUT): Deployment =>
  proxyManifests(input, {
    deployment: (manifest: Deployment) => {
      change(manifest.spec.template.spec as unknown as Pod, manifest);
    },
  }).deployment;
const before = proxyManifests(INPUT).deployment;
const podOf = ({ spec }: Deployment): Pod => spec.template.spec as unknown as Pod;

test("the checksum and the workload's labels stay on the pods, other annotations are the transform's", () => {
  const { metadata } = render((_, { spec }) => {
    spec.template.metadata = {
      labels: { more: "x", "otilm.com/proxy": "other" },
      annotations: { [CHECKSUM]: "0", "example.com/c": "d" },
    };
  }).spec.template;
  assert.deepEqual(metadata, {
    labels: { more: "x", ...LABELS },
    annotations: { "example.com/c": "d", [CHECKSUM]: "f".repeat(64) },
  });
});

test("a checksum that is not there can't be made up", () => {
  const none = proxyInput({});
  const { metadata } = render((_, { spec }) => {
    spec.template.metadata.annotations = { [CHECKSUM]: "0" };
  }, none).spec.template;
  assert.deepEqual(metadata.annotations ?? {}, {});
});

test("without its metadata a template still has labels and checksum", () => {
  const { metadata } = render((_, { spec }) => {
    delete (spec.template as Partial<typeof spec.template>).metadata;
  }).spec.template;
  assert.deepEqual(metadata, { labels: LABELS, annotations: { [CHECKSUM]: "f".repeat(64) } });
});

test("what the next run compares with stays on the Deployment", () => {
  const { metadata } = render((_, deployment) => {
    deployment.metadata.annotations = { "example.com/c": "d", "pulumi-proxies.dev/reference-digests": "x" };
  });
  assert.deepEqual(metadata.annotations, { "example.com/c": "d", ...DIGESTS });
});

test("the hardening of the pod survives, a group of its own stays", () => {
  const pod = podOf(
    render((spec) => {
      spec["securityContext"] = {
        runAsNonRoot: false,
        fsGroup: 9,
        runAsUser: 3,
        seccompProfile: { type: "x" },
      };
    }),
  );
  assert.deepEqual(pod["securityContext"], {
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
    fsGroup: 9,
    runAsUser: 3,
  });
  const without = podOf(render((spec) => delete spec["securityContext"]));
  assert.deepEqual(without["securityContext"], {
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
  });
});

test("the hardening of the main container survives; only its root file system may be made writable", () => {
  const main = (securityContext: unknown): unknown =>
    podOf(
      render(({ containers }) => {
        Object.assign(containers[0] ?? {}, { securityContext });
      }),
    ).containers[0]?.["securityContext"];
  assert.deepEqual(main(undefined), { ...RESTRICTED, readOnlyRootFilesystem: true });
  assert.deepEqual(
    main({
      privileged: true,
      runAsNonRoot: false,
      allowPrivilegeEscalation: true,
      capabilities: { add: ["NET_ADMIN"] },
      seccompProfile: { type: "Unconfined" },
    }),
    { ...RESTRICTED, privileged: false, readOnlyRootFilesystem: true },
  );
  assert.deepEqual(main({ readOnlyRootFilesystem: false, runAsUser: 3 }), {
    ...RESTRICTED,
    runAsUser: 3,
    readOnlyRootFilesystem: false,
  });
});

test("containers that a transform adds are hardened, those that it leaves alone stay as they are", () => {
  const pod = podOf(
    render((spec) => {
      spec.containers.push({
        name: "more",
        image: "m:1",
        securityContext: { privileged: true, runAsUser: 0 },
      });
      spec.initContainers?.push({ name: "native", image: "n:1", restartPolicy: "Always" });
    }),
  );
  assert.deepEqual(pod.containers.slice(0, 2), podOf(before).containers);
  assert.deepEqual(pod.containers[2], {
    name: "more",
    image: "m:1",
    securityContext: { runAsUser: 0, ...RESTRICTED, privileged: false },
  });
  assert.deepEqual(pod.initContainers, [
    { name: "init", image: "i:1", securityContext: RESTRICTED },
    { name: "native", image: "n:1", restartPolicy: "Always", securityContext: RESTRICTED },
  ]);
});

test("a sidecar that a transform changes is hardened anew", () => {
  const pod = podOf(
    render(({ containers }) => {
      Object.assign(containers[1] ?? {}, { securityContext: { allowPrivilegeEscalation: true } });
    }),
  );
  assert.deepEqual(pod.containers[1]?.["securityContext"], { ...RESTRICTED, privileged: false });
});

test("the main container comes first again, and keeps the token's variables", () => {
  const pod = podOf(
    render((spec) => {
      spec.containers.reverse();
      const main = spec.containers.find(({ name }) => name === "proxy");
      Object.assign(main ?? {}, {
        image: "mine:1",
        env: [
          { name: "PROXY_CONFIG_TOKEN", value: "in clear" },
          { name: "B", value: "2" },
        ],
      });
    }),
  );
  assert.deepEqual(
    pod.containers.map(({ name }) => name),
    ["proxy", "side"],
  );
  const [main] = pod.containers;
  assert.equal(main?.["image"], "mine:1");
  const [config, key] = before.spec.template.spec.containers[0].env ?? [];
  assert.deepEqual(main["env"], [{ name: "B", value: "2" }, config, key]);
});

test("other fields of the pod are the transform's", () => {
  const pod = podOf(
    render((spec) => {
      Object.assign(spec, { dnsPolicy: "None", hostAliases: [], runtimeClassName: "gvisor" });
      delete spec["serviceAccountName"];
    }),
  );
  assert.deepEqual(
    [pod["dnsPolicy"], pod["hostAliases"], pod["runtimeClassName"], pod["serviceAccountName"]],
    ["None", [], "gvisor", undefined],
  );
});

const refused: [string, (pod: Pod, deployment: Deployment) => void, RegExp][] = [
  ...["hostNetwork", "hostPID", "hostIPC"].map((field): [string, (pod: Pod) => void, RegExp] => [
    `sets ${field}`,
    (pod) => void (pod[field] = true),
    /must not put the pods into namespaces of the host$/,
  ]),
  [
    "removes the main container",
    ({ containers }) => void containers.shift(),
    /must leave the container "proxy" in place$/,
  ],
  [
    "renames the main container",
    ({ containers }) => void Object.assign(containers[0] ?? {}, { name: "mine" }),
    /must leave the container "proxy" in place$/,
  ],
  [
    "removes all containers",
    (pod) => delete (pod as Partial<Pod>).containers,
    /must leave spec\.template\.spec\.c/,
  ],
  [
    "removes the template",
    (_, { spec }) => delete (spec as Partial<typeof spec>).template,
    /must leave spec\.template\.spec\.containers in place$/,
  ],
  [
    "removes the spec",
    (_, deployment) => delete (deployment as Partial<Deployment>).spec,
    /must leave spec\.template\.spec\.containers in place$/,
  ],
];

for (const [what, change, message] of refused) {
  test(`a transform that ${what} is refused`, () => {
    assert.throws(() => render(change), {
      message: new RegExp(`^transform\\.deployment: ${message.source}`),
    });
  });
}

test("host namespaces that are switched off are no problem", () => {
  const { spec } = render((pod) => void Object.assign(pod, { hostNetwork: false, hostPID: false })).spec
    .template;
  assert.deepEqual(spec, before.spec.template.spec);
});

test("a transform sees the variables of references, and may take them away", () => {
  const spec: ProxySpec = { secretRefs: [{ name: "db", type: "env", keys: [{ secretKey: "PW" }] }] };
  const seen: unknown[] = [];
  const pod = podOf(
    render(({ containers }) => {
      seen.push(...((containers[0]?.["env"] ?? []) as { name: string }[]).map(({ name }) => name));
      Object.assign(containers[0] ?? {}, { env: [] });
    }, proxyInput(spec)),
  );
  assert.deepEqual(seen, ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY", "PW"]);
  assert.deepEqual(
    (pod.containers[0]?.["env"] as { name: string }[]).map(({ name }) => name),
    ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"],
  );
});
