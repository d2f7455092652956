import assert from "node:assert/strict";
import { test } from "node:test";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const file = (proxy: object = {}): StackFile => ({
  proxies: { p: { configTokenSecretRef: { name: "p-config" }, referenceTimeoutSeconds: 0, ...proxy } },
});

const checksum = async (zone: TestZone): Promise<string> => (await zone.outputs())["p"]?.configChecksum ?? "";

test("referenced objects are wired, roll the pods when they change, and are named when something is missing", async (t) => {
  const refs = {
    secretRefs: [
      { name: "credentials", type: "env", keys: [{ secretKey: "user", envVar: "BROKER_USER" }] },
      { name: "corp.ca", type: "volume", mountPath: "/etc/ssl/corp" },
    ],
    configMapRefs: [{ name: "settings", type: "env" }],
  };
  const zone = await TestZone.open(t, file(refs));
  await zone.putToken("p-config", "30d");
  await zone.apply(
    { apiVersion: "v1", kind: "Secret", metadata: { name: "credentials" }, stringData: { other: "x" } },
    { apiVersion: "v1", kind: "Secret", metadata: { name: "corp.ca" }, stringData: { "ca.crt": "v1" } },
  );
  assert.match((await zone.up()).output, /warning: MissingKey: Secret "credentials" has no key "user"/);
  await zone.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "credentials" },
    stringData: { user: "x" },
  });
  assert.match((await zone.up()).output, /warning: MissingConfigMap: ConfigMap "settings" not found/);
  await zone.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings" },
    data: { LEVEL: "1" },
  });
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
  const first = await checksum(zone);

  await zone.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings" },
    data: { LEVEL: "2" },
  });
  assert.equal((await zone.up()).changes["update"], 1);
  assert.notEqual(await checksum(zone), first);
  zone.write(file({ ...refs, secretRefs: refs.secretRefs.toReversed() }));
  const before = await checksum(zone);
  assert.equal((await zone.up()).code, 0);
  assert.equal(await checksum(zone), before, "the order of references has no say in the checksum");
});

test("an account that exists is used and never owned; one that does not is made", async (t) => {
  const zone = await TestZone.open(
    t,
    file({ serviceAccount: { name: "theirs", annotations: { "example.com/role": "x" } } }),
  );
  await zone.putToken("p-config", "30d");
  await zone.kube("create", "serviceaccount", "theirs");
  const before = await zone.get("serviceaccount", "theirs");
  assert.equal((await zone.up()).code, 0);
  assert.equal(
    at(await zone.get("deployment", "p"), "spec", "template", "spec", "serviceAccountName"),
    "theirs",
  );
  assert.equal(
    (await zone.get("serviceaccount", "theirs")).metadata.resourceVersion,
    before.metadata.resourceVersion,
  );

  zone.write(file({ serviceAccount: { name: "made", annotations: { "example.com/role": "x" } } }));
  assert.equal((await zone.up()).code, 0);
  assert.equal((await zone.get("serviceaccount", "made")).metadata.annotations?.["example.com/role"], "x");
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
  assert.equal((await zone.destroy()).code, 0);
  assert.deepEqual(
    (await zone.list("serviceaccounts")).map(({ metadata }) => metadata.name),
    ["default", "theirs"],
  );
});

test("no ordinary edit replaces an object", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  await zone.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings" },
    data: { LEVEL: "1" },
  });
  assert.equal((await zone.up()).code, 0);
  const begin = await zone.get("deployment", "p");
  const { uid } = begin.metadata;
  const edits = [
    { image: { tag: "2.0.0" } },
    { replicas: 2, podLabels: { team: "edge" }, podAnnotations: { "example.com/a": "b" } },
    { env: [{ name: "A", value: "1" }], resources: { requests: { cpu: "100m" } } },
    { configMapRefs: [{ name: "settings", type: "volume", mountPath: "/etc/settings" }] },
    {
      volumes: [
        { name: "scratch", mountPath: "/scratch", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
      ],
    },
    {
      sidecars: [{ name: "side", image: "example.com/side:1" }],
      initContainers: [{ name: "init", image: "example.com/init:1" }],
    },
    {
      probes: { liveness: { path: "/live", periodSeconds: 5 }, startup: {} },
      terminationGracePeriodSeconds: 120,
    },
    { podDisruptionBudget: { enabled: true, maxUnavailable: 1 } },
    { podDisruptionBudget: { enabled: true, minAvailable: "50%" } },
    {
      securityContext: { readOnlyRootFilesystem: false, fsGroup: 1000 },
      tolerations: [{ operator: "Exists" }],
    },
    { networkPolicy: { enabled: false } },
    { strategy: { type: "Recreate" }, automountServiceAccountToken: true },
    { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0 } }, minReadySeconds: 1 },
    { resources: { requests: { cpu: "100m" } }, autoscaling: { enabled: true, maxReplicas: 3 } },
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" },
      ],
      writablePaths: [{ path: "/var/cache", sizeLimit: "1Gi" }],
    },
    {
      egress: { httpsProxy: "http://egress.example.com:3128" },
      networkPolicy: { allowFrom: [{ namespaceSelector: {} }], egress: [] },
    },
    {},
  ];
  for (const edit of edits) {
    zone.write(file(edit));
    const run = await zone.up();
    assert.equal(run.code, 0, run.output);
    assert.equal(run.changes["replace"], undefined, JSON.stringify(edit));
  }
  const end = await zone.get("deployment", "p");
  assert.equal(end.metadata.uid, uid);
  assert.deepEqual(at(end, "spec"), at(begin, "spec"), "nothing of the edits is left behind");
});
