import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { checkProxy } from "../../components/proxy/checks.ts";
import { writablePathsSpec } from "../../components/workload/config-specs.ts";
import { volumeName } from "../../components/workload/validation.ts";
import { writableVolumes } from "../../components/workload/writable-paths.ts";
import { CANARY, container, render, TMP } from "./support.ts";
import { accepted, refused } from "./spec-rows.ts";

/** Path -> size limit of the scratch space that a spec comes to. */
const paths = (spec: ProxySpec): Record<string, string | undefined> =>
  Object.fromEntries(
    writableVolumes(spec).map(({ mountPath, emptyDir }) => [mountPath, emptyDir?.sizeLimit]),
  );

const rows: [string, ProxySpec, Record<string, string>][] = [
  ["nothing", {}, { "/tmp": "64Mi" }],
  [
    "a root file system that is read-only",
    { securityContext: { readOnlyRootFilesystem: true } },
    { "/tmp": "64Mi" },
  ],
  ["a security context without a word on it", { securityContext: { fsGroup: 1 } }, { "/tmp": "64Mi" }],
  ["a root file system that is writable", { securityContext: { readOnlyRootFilesystem: false } }, {}],
  ["an empty list", { writablePaths: [] }, {}],
  ["a path of one's own, in place of /tmp", { writablePaths: [{ path: "/cache" }] }, { "/cache": "64Mi" }],
  [
    "paths beside a writable root file system",
    {
      securityContext: { readOnlyRootFilesystem: false },
      writablePaths: [{ path: "/b", sizeLimit: "1Gi" }, { path: "/a" }],
    },
    { "/b": "1Gi", "/a": "64Mi" },
  ],
  ["a volume at /tmp", { volumes: [{ name: "v", mountPath: "/tmp" }] }, {}],
  ["a volume at /tmp/", { volumes: [{ name: "v", mountPath: "/tmp/" }] }, {}],
  ["a volume below /tmp", { volumes: [{ name: "v", mountPath: "/tmp/x" }] }, { "/tmp": "64Mi" }],
  ["a volume at /tmpfs", { volumes: [{ name: "v", mountPath: "/tmpfs" }] }, { "/tmp": "64Mi" }],
  ["a Secret at /tmp", { secretRefs: [{ name: "s", type: "volume", mountPath: "/tmp" }] }, {}],
  ["a ConfigMap at /tmp/", { configMapRefs: [{ name: "s", type: "volume", mountPath: "/tmp/" }] }, {}],
  [
    "a claim at /tmp",
    { volumes: [{ name: "v", mountPath: "/tmp", persistentVolumeClaim: { claimName: "c" } }] },
    {},
  ],
  ["references as variables", { secretRefs: [{ name: "tmp", type: "env" }] }, { "/tmp": "64Mi" }],
];

for (const [what, spec, expected] of rows) {
  test(`with ${what} the scratch space is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(paths(spec), expected);
  });
}

const names: [path: string, name: RegExp][] = [
  ["/tmp", /^writable-tmp$/],
  ["/var/cache/proxy", /^writable-var-cache-proxy$/],
  [`/${"x".repeat(54)}`, /^writable-x{54}$/],
  [`/${"x".repeat(55)}`, /^writable-[0-9a-f]{8}$/],
  [`/${"x/".repeat(500)}`, /^writable-[0-9a-f]{8}$/],
  ["/", /^writable-[0-9a-f]{8}$/],
  ["/tmp/", /^writable-[0-9a-f]{8}$/],
  ["/Tmp", /^writable-[0-9a-f]{8}$/],
  ["/run-time", /^writable-[0-9a-f]{8}$/],
  ["/run/time", /^writable-run-time$/],
  ["/.cache", /^writable-[0-9a-f]{8}$/],
  ["/a_b", /^writable-[0-9a-f]{8}$/],
  ["/a.b", /^writable-[0-9a-f]{8}$/],
  ["/a b", /^writable-[0-9a-f]{8}$/],
  ["/é", /^writable-[0-9a-f]{8}$/],
];

for (const [path, expected] of names) {
  test(`the volume at ${path.slice(0, 70)} has a valid name`, () => {
    const [volume] = writableVolumes({ writablePaths: [{ path }] });
    assert.match(volume?.name ?? "", expected);
    assert.ok(volumeName.safeParse(volume?.name).success);
  });
}

test("no two paths share a name", () => {
  const writablePaths = names.map(([path]) => ({ path }));
  const all = writableVolumes({ writablePaths }).map(({ name }) => name);
  assert.equal(new Set(all).size, names.length);
});

test("scratch space is a volume of the pod, mounted before plain volumes and for the main container alone", () => {
  const spec: ProxySpec = {
    secretRefs: [{ name: "ca", type: "volume", mountPath: "/ca" }],
    volumes: [{ name: "v", mountPath: "/v", emptyDir: {} }],
    sidecars: [{ name: "side", image: "i:1" }],
  };
  const [main, side] = render(spec).deployment.spec.template.spec.containers;
  assert.deepEqual(main.volumeMounts, [
    { name: "secret-ca", mountPath: "/ca", readOnly: true },
    ...TMP.volumeMounts,
    { name: "v", mountPath: "/v" },
  ]);
  assert.equal(side?.["volumeMounts"], undefined);
  assert.deepEqual(render(spec).deployment.spec.template.spec.volumes, [
    { name: "secret-ca", secret: { secretName: "ca" } },
    ...TMP.volumes,
    { name: "v", emptyDir: {} },
  ]);
});

test("a proxy that writes nowhere has no volume at all", () => {
  assert.equal("volumeMounts" in container({ writablePaths: [] }), false);
  assert.equal("volumes" in render({ writablePaths: [] }).deployment.spec.template.spec, false);
});

const taken: [string, ProxySpec, [path: string, message: RegExp][]][] = [
  ["two paths", { writablePaths: [{ path: "/a" }, { path: "/b" }] }, []],
  [
    "one path twice",
    { writablePaths: [{ path: "/a" }, { path: "/a" }] },
    [["p.writablePaths[1].path", /^is mounted by another volume too; keep one$/]],
  ],
  [
    "one path in two spellings",
    { writablePaths: [{ path: "/tmp" }, { path: "/tmp/" }] },
    [["p.writablePaths[1].path", /^is mounted by another volume too; keep one$/]],
  ],
  [
    "the path of a volume",
    { volumes: [{ name: "v", mountPath: "/a" }], writablePaths: [{ path: "/a" }] },
    [["p.writablePaths[0].path", /^is mounted by another volume too; keep one$/]],
  ],
  [
    "the path of a Secret",
    {
      secretRefs: [{ name: "s", type: "volume", mountPath: "/tmp" }],
      writablePaths: [{ path: "/tmp" }],
    },
    [["p.writablePaths[0].path", /^is mounted by another volume too; keep one$/]],
  ],
  [
    "the name that scratch space has",
    { volumes: [{ name: "writable-tmp", mountPath: "/v" }] },
    [["p.volumes[0].name", /^is the name of another volume too$/]],
  ],
];

for (const [what, spec, expected] of taken) {
  test(`${what}: ${expected.length === 0 ? "no problem" : "refused"}`, () => {
    const { problems } = checkProxy("dc-east", { configTokenSecretRef: { name: "s" }, ...spec }, false, "p");
    assert.deepEqual(
      problems.map(({ path }) => path),
      expected.map(([path]) => path),
    );
    for (const [index, [, message]] of expected.entries())
      assert.match(problems[index]?.message ?? "", message);
  });
}

accepted(writablePathsSpec, [
  ["no path", []],
  ["paths", [{ path: "/" }, { path: "/a b", sizeLimit: "1Gi" }]],
]);
refused(writablePathsSpec, [
  ["a relative path", [{ path: CANARY }], "p[0].path", /absolute path without ':'/],
  ["a path with a colon", [{ path: "/a:b" }], "p[0].path", /absolute path without ':'/],
  ["an odd size", [{ path: "/a", sizeLimit: "64XB" }], "p[0].sizeLimit", /quantity such as/],
  ["a path as text", [CANARY], "p[0]", /expected object/],
]);
