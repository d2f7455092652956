import assert from "node:assert/strict";
import { test } from "node:test";
import { type PodParts, podProblems } from "../../components/workload/pod-checks.ts";
import { CANARY } from "./support.ts";

const ENV = "is set by another entry too; keep one";
const MOUNT = "is mounted by another volume too; keep one";
const VOLUME = "is the name of another volume too";
const CONTAINER = "is the name of another container too";

const rows: [string, PodParts, [path: string, message: string][]][] = [
  ["nothing at all", {}, []],
  [
    "a key under an inline variable's name",
    {
      env: [{ name: "A" }, { name: "B" }],
      secretRefs: [{ name: "s", type: "env", keys: [{ secretKey: "x" }, { secretKey: "y", envVar: "B" }] }],
    },
    [["p.secretRefs[0].keys[1]", ENV]],
  ],
  [
    "a key whose own name is an inline variable's",
    {
      env: [{ name: "A" }],
      configMapRefs: [{ name: "c", type: "env", keys: [{ configMapKey: "A" }] }],
    },
    [["p.configMapRefs[0].keys[0]", ENV]],
  ],
  [
    "one variable from a Secret and a ConfigMap, of which the later is told",
    {
      configMapRefs: [
        { name: "c", type: "env" },
        { name: "d", type: "env", keys: [{ configMapKey: "a", envVar: "A" }] },
      ],
      secretRefs: [{ name: "s", type: "env", keys: [{ secretKey: "A" }] }],
    },
    [["p.configMapRefs[1].keys[0]", ENV]],
  ],
  [
    "one variable twice of one Secret",
    {
      secretRefs: [
        {
          name: "s",
          type: "env",
          keys: [{ secretKey: "a", envVar: "A" }, { secretKey: "b", envVar: "A" }, { secretKey: "A" }],
        },
      ],
    },
    [
      ["p.secretRefs[0].keys[1]", ENV],
      ["p.secretRefs[0].keys[2]", ENV],
    ],
  ],
  [
    "an inline variable twice, which is another check's business",
    { env: [{ name: "A" }, { name: "A" }] },
    [],
  ],
  [
    "keys of one name that are variables of two",
    {
      secretRefs: [{ name: "s", type: "env", keys: [{ secretKey: "A", envVar: "B" }, { secretKey: "A" }] }],
    },
    [],
  ],
  [
    "a file of a variable's name",
    {
      env: [{ name: "A" }],
      secretRefs: [{ name: "s", type: "volume", mountPath: "/s", keys: [{ secretKey: "A" }] }],
    },
    [],
  ],
  ["variables that differ in letter case", { env: [{ name: "A" }, { name: "a" }] }, []],
  [
    "whole objects, whose keys nobody knows",
    {
      secretRefs: [
        { name: "s", type: "env" },
        { name: "s", type: "env" },
      ],
    },
    [],
  ],
  [
    "one mount path of everything",
    {
      volumes: [
        { name: "a", mountPath: "/m" },
        { name: "b", mountPath: "/n" },
        { name: "c", mountPath: "/m" },
      ],
      configMapRefs: [{ name: "c", type: "volume", mountPath: "/m" }],
      secretRefs: [
        { name: "e", type: "env" },
        { name: "s", type: "volume", mountPath: "/m" },
        { name: "t", type: "volume", mountPath: "/m" },
      ],
    },
    [
      ["p.secretRefs[2].mountPath", MOUNT],
      ["p.configMapRefs[0].mountPath", MOUNT],
      ["p.volumes[0].mountPath", MOUNT],
      ["p.volumes[2].mountPath", MOUNT],
    ],
  ],
  [
    "one object at two paths",
    {
      secretRefs: [
        { name: "s", type: "volume", mountPath: "/a" },
        { name: "s", type: "volume", mountPath: "/b" },
      ],
    },
    [],
  ],
  [
    "two volumes of one name",
    {
      volumes: [
        { name: "a", mountPath: "/a" },
        { name: "a", mountPath: "/b" },
      ],
    },
    [["p.volumes[1].name", VOLUME]],
  ],
  [
    "volumes named like those of references",
    {
      volumes: [
        { name: "configmap-c", mountPath: "/v0" },
        { name: "secret-s", mountPath: "/v1" },
        { name: "secret-e", mountPath: "/v2" },
      ],
      secretRefs: [
        { name: "s", type: "volume", mountPath: "/s" },
        { name: "e", type: "env" },
      ],
      configMapRefs: [{ name: "c", type: "volume", mountPath: "/c" }],
    },
    [
      ["p.volumes[0].name", VOLUME],
      ["p.volumes[1].name", VOLUME],
    ],
  ],
  [
    "containers named like the main one",
    { initContainers: [{ name: "main", image: "i" }], sidecars: [{ name: "main", image: "i" }] },
    [
      ["p.initContainers[0].name", CONTAINER],
      ["p.sidecars[0].name", CONTAINER],
    ],
  ],
  [
    "an init container named like a sidecar, and two of each",
    {
      sidecars: [
        { name: "a", image: "i" },
        { name: "c", image: "i" },
        { name: "c", image: "i" },
      ],
      initContainers: [
        { name: "a", image: "i" },
        { name: "b", image: "i" },
        { name: "b", image: "i" },
      ],
    },
    [
      ["p.initContainers[2].name", CONTAINER],
      ["p.sidecars[0].name", CONTAINER],
      ["p.sidecars[2].name", CONTAINER],
    ],
  ],
  [
    "a volume, a variable and a container of one name",
    {
      env: [{ name: "x" }],
      volumes: [{ name: "x", mountPath: "/x" }],
      sidecars: [{ name: "x", image: "i" }],
    },
    [],
  ],
  [
    "everything twice: variables, mount paths, volumes, containers",
    {
      env: [{ name: "A" }],
      secretRefs: [{ name: "s", type: "env", keys: [{ secretKey: "A" }] }],
      volumes: [
        { name: "v", mountPath: "/v" },
        { name: "v", mountPath: "/v" },
      ],
      sidecars: [{ name: "main", image: "i" }],
    },
    [
      ["p.secretRefs[0].keys[0]", ENV],
      ["p.volumes[1].mountPath", MOUNT],
      ["p.volumes[1].name", VOLUME],
      ["p.sidecars[0].name", CONTAINER],
    ],
  ],
];

for (const [what, parts, expected] of rows) {
  test(`${what} ${expected.length === 0 ? "is no repetition" : "is told by path"}`, () => {
    assert.deepEqual(
      podProblems(parts, "main", "p"),
      expected.map(([path, message]) => ({ path, message })),
    );
  });
}

test("a path starts without a dot at the root", () => {
  const parts: PodParts = { sidecars: [{ name: "main", image: "i" }] };
  assert.deepEqual(podProblems(parts, "main", ""), [{ path: "sidecars[0].name", message: CONTAINER }]);
});

test("no message repeats a name", () => {
  const problems = podProblems(
    {
      env: [{ name: CANARY }],
      secretRefs: [
        { name: CANARY, type: "env", keys: [{ secretKey: CANARY }] },
        { name: CANARY, type: "volume", mountPath: CANARY },
      ],
      volumes: [{ name: `secret-${CANARY}`, mountPath: CANARY }],
      sidecars: [
        { name: CANARY, image: CANARY },
        { name: CANARY, image: CANARY },
      ],
    },
    "main",
    "p",
  );
  assert.equal(problems.length, 4);
  assert.equal(JSON.stringify(problems).includes(CANARY), false);
});
