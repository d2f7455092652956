import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { checkProxy } from "../../components/proxy/checks.ts";
import { CANARY } from "./support.ts";

const REF = { configTokenSecretRef: { name: "dc-east-config" } };

const FULL: ProxySpec = {
  ...REF,
  secretRefs: [
    { name: "ca", type: "volume", mountPath: "/etc/ca", keys: [{ secretKey: "ca.crt", path: "ca.pem" }] },
    { name: "db", type: "env", keys: [{ secretKey: "pw", envVar: "DB_PASSWORD" }] },
  ],
  configMapRefs: [{ name: "settings", type: "env" }],
  volumes: [
    { name: "tmp", mountPath: "/tmp" },
    { name: "data", mountPath: "/data", persistentVolumeClaim: { claimName: "data", readOnly: true } },
  ],
  securityContext: { runAsNonRoot: true, readOnlyRootFilesystem: false, fsGroup: 0 },
  terminationGracePeriodSeconds: 0,
  tokenExpiryWarning: "1w2d",
  nodeSelector: { "kubernetes.io/os": "linux" },
  affinity: { nodeAffinity: {} },
  initContainers: [{ name: "init", image: "i:1", securityContext: { privileged: true } }],
  sidecars: [{ name: "log", image: "s:1", env: [{ name: "A", value: "1" }] }],
  probes: { liveness: { path: "" }, readiness: { path: "/own", periodSeconds: 1 } },
  serviceAccount: { name: "shared", annotations: { "example.com/role": "r" } },
};

test("a proxy with every field is accepted as it is", () => {
  assert.deepEqual(checkProxy("dc-east", FULL, false, "p"), { spec: FULL, problems: [] });
});

test("a key that is mapped onto a reserved variable is left to the renderer, as the operator does", () => {
  const spec: ProxySpec = {
    ...REF,
    secretRefs: [{ name: "s", type: "env", keys: [{ secretKey: "x", envVar: "PROXY_CONFIG_TOKEN" }] }],
  };
  assert.deepEqual(checkProxy("dc-east", spec, false, "p"), { spec, problems: [] });
});

test("the Secret of the token may be referenced too", () => {
  const spec: ProxySpec = { ...REF, secretRefs: [{ name: "dc-east-config", type: "env" }] };
  assert.deepEqual(checkProxy("dc-east", spec, false, "p"), { spec, problems: [] });
});

test("an inline variable that is given twice is one problem", () => {
  const spec = { ...REF, env: [{ name: CANARY }, { name: CANARY }] };
  assert.deepEqual(checkProxy("dc-east", spec, false, "p").problems, [
    { path: "p.env[1].name", message: "is given twice; keep one" },
  ]);
});

test("what stands twice is told together with a bad name and a token too many", () => {
  const spec = {
    ...REF,
    volumes: [
      { name: "v", mountPath: "/v" },
      { name: "v", mountPath: "/v" },
    ],
    initContainers: [{ name: "proxy", image: "i" }],
  };
  const { problems } = checkProxy("DC", spec, true, "p");
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["p", "p.volumes[1].mountPath", "p.volumes[1].name", "p.initContainers[0].name", "p"],
  );
});

test("problems of many fields are all told, each by its path, and none repeats a value", () => {
  const { problems } = checkProxy(
    "dc-east",
    {
      ...REF,
      secretRefs: [{ name: CANARY, type: "volume" }],
      configMapRefs: [{ name: CANARY, type: "env", mountPath: `/${CANARY}` }],
      volumes: [{ name: "v", mountPath: `/${CANARY}`, emptyDir: { sizeLimit: CANARY } }],
      affinity: CANARY,
      sidecars: [{ name: "s", args: [CANARY] }],
      probes: { liveness: { path: CANARY } },
    },
    false,
    "p",
  );
  assert.deepEqual(
    problems.map(({ path }) => path),
    [
      "p.probes.liveness.path",
      "p.secretRefs[0].mountPath",
      "p.configMapRefs[0].mountPath",
      "p.volumes[0].emptyDir.sizeLimit",
      "p.affinity",
      "p.sidecars[0].image",
    ],
  );
  assert.equal(JSON.stringify(problems).includes(CANARY), false);
});
