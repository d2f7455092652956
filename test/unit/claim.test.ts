import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Cluster,
  DEPLOYMENTS,
  type JsonPatchOperation,
  type KubeObject,
  type Outcome,
  type PatchOutcome,
} from "../../components/cluster/cluster.ts";
import {
  claim,
  claimed,
  foreignFields,
  hasOtherManagers,
  lastOtherManager,
} from "../../components/cluster/ownership.ts";
import { entry, envItem, inContainer, managed, OURS, OUR_FIELDS } from "./managed.ts";

const nobody = () => false;

test("a claim makes one entry of ours, the union of all fields", () => {
  const result = claimed(
    managed(
      entry(
        "pulumi-proxies",
        inContainer({ ".": {}, "f:image": {}, "f:env": { [envItem("A")]: { "f:value": {} } } }),
        {
          operation: "Apply",
        },
      ),
      entry("kubectl-set", inContainer({ "f:env": { [envItem("EVIL")]: { ".": {}, "f:value": {} } } })),
      entry("kubectl-scale", { "f:spec": { "f:replicas": {} } }),
      entry("pulumi-proxies", { "f:metadata": { "f:labels": { "f:left": {} } } }),
    ),
    nobody,
  );
  const container = {
    ".": {},
    "f:image": {},
    "f:env": { [envItem("A")]: { "f:value": {} }, [envItem("EVIL")]: { ".": {}, "f:value": {} } },
  };
  assert.deepEqual(result, [
    {
      manager: "pulumi-proxies",
      operation: "Apply",
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:metadata": { "f:labels": { "f:left": {} } },
        "f:spec": {
          "f:replicas": {},
          "f:template": { "f:spec": { "f:containers": { 'k:{"name":"proxy"}': container } } },
        },
      },
    },
  ]);
});

test("a claim of an object that we never wrote takes all its fields: adoption", () => {
  const result = claimed(
    managed(
      entry("ilm-operator", {
        "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
        "f:spec": { "f:replicas": {} },
      }),
    ),
    nobody,
  );
  assert.deepEqual(result, [
    {
      manager: "pulumi-proxies",
      operation: "Apply",
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:app": {} } }, "f:spec": { "f:replicas": {} } },
    },
  ]);
});

test("what may stay stays with its manager, entry by entry as it was", () => {
  const hpa = entry("autoscaler", { "f:spec": { "f:replicas": {}, "f:other": {} } });
  const result = claimed(
    managed(OURS, hpa),
    (manager, path) => manager === "autoscaler" && path.at(-1) === "f:replicas",
  );
  assert.equal(result.length, 2);
  assert.deepEqual(result[1], { ...hpa, fieldsV1: { "f:spec": { "f:replicas": {} } } });
  const ours = result[0]?.fieldsV1?.["f:spec"] ?? {};
  assert.ok("f:other" in ours);
});

test("a field that is allowed to others is still ours where we wrote it", () => {
  const result = claimed(managed(OURS), () => true);
  assert.deepEqual(result, [
    {
      manager: "pulumi-proxies",
      operation: "Apply",
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: OUR_FIELDS,
    },
  ]);
});

test("kubectl's fields that may stay get a name that the provider does not take for its own", () => {
  const paused = { "f:spec": { "f:paused": {} } };
  const kept = (...managers: string[]) =>
    claimed(managed(OURS, ...managers.map((manager) => entry(manager, paused))), () => true).map(
      ({ manager }) => manager,
    );
  assert.deepEqual(kept("kubectl-rollout", "autoscaler"), [
    "pulumi-proxies",
    "kept-kubectl-rollout",
    "autoscaler",
  ]);
  assert.deepEqual(kept("kept-kubectl-rollout"), ["pulumi-proxies", "kept-kubectl-rollout"]);
});

test("of one manager's entries that may stay nothing is lost", () => {
  const result = claimed(
    managed(
      OURS,
      entry("kept-kubectl-rollout", { "f:spec": { "f:paused": {} } }),
      entry("kubectl-rollout", { "f:spec": { "f:other": {} } }),
    ),
    () => true,
  );
  assert.deepEqual(
    result.slice(1).map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
    [["kept-kubectl-rollout", { "f:spec": { "f:paused": {}, "f:other": {} } }]],
  );
});

test("what was kept once is judged and told under its manager's own name", () => {
  const object = managed(OURS, entry("kept-kubectl-rollout", { "f:spec": { "f:x": {} } }));
  assert.deepEqual(foreignFields(object, nobody), [{ manager: "kubectl-rollout", paths: ["spec.x"] }]);
  assert.deepEqual(
    foreignFields(object, (manager) => manager === "kubectl-rollout"),
    [],
  );
});

test("other managers are seen, those of subresources are not", () => {
  const status = entry("kube-controller-manager", { "f:status": {} }, { subresource: "status" });
  assert.equal(hasOtherManagers(managed(OURS, status)), false);
  assert.equal(hasOtherManagers(managed(OURS, entry("kubectl", {}))), true);
  assert.equal(hasOtherManagers({ metadata: { name: "x" } }), false);
});

test("the last of other managers: whoever scales is one, who keeps the status is none, and a kept one has its own name", () => {
  const at = (time: string, manager: string, subresource?: string) =>
    entry(manager, {}, { time, ...(subresource !== undefined && { subresource }) });
  const restart = at("2026-01-01T00:00:02Z", "kept-kubectl-rollout");
  const before = at("2026-01-01T00:00:01Z", "helm");
  const status = at("2026-01-01T00:00:09Z", "kube-controller-manager", "status");
  const scale = at("2026-01-01T00:00:03Z", "kube-controller-manager", "scale");
  assert.equal(lastOtherManager(managed(OURS, before, restart, status)), "kubectl-rollout");
  assert.equal(lastOtherManager(managed(OURS, restart, scale, before)), "kube-controller-manager");
  assert.equal(lastOtherManager(managed(OURS, status)), undefined);
  assert.equal(lastOtherManager({ metadata: { name: "x" } }), undefined);
});

test("owner references are claimed: the apply that follows drops them, and the object goes with nobody", () => {
  const owned = { "f:metadata": { "f:ownerReferences": { ".": {}, 'k:{"uid":"1"}': {} } } };
  const [ours] = claimed(managed(OURS, entry("ilm-operator", owned)), nobody);
  assert.ok(ours?.fieldsV1?.["f:metadata"]?.["f:ownerReferences"]?.['k:{"uid":"1"}']);
});

test("entries of subresources are left untouched", () => {
  const status = entry(
    "kube-controller-manager",
    { "f:status": { "f:replicas": {} } },
    { subresource: "status" },
  );
  const scale = entry("autoscaler", { "f:spec": { "f:replicas": {} } }, { subresource: "scale" });
  const ourStatus = entry("pulumi-proxies", { "f:status": {} }, { subresource: "status" });
  const result = claimed(managed(status, OURS, scale, ourStatus), nobody);
  assert.deepEqual(result.slice(1), [status, scale, ourStatus]);
});

test("a claim changes nothing of the object that it reads", () => {
  const object = managed(OURS, entry("x", { "f:spec": { "f:y": {} } }));
  const before = structuredClone(object);
  claimed(object, nobody);
  assert.deepEqual(object, before);
});

interface Asked {
  patches: (readonly JsonPatchOperation[])[];
  reads: number;
}

/** A cluster that answers reads and patches from these lists, the last answer for ever. */
function answering(reads: Outcome<KubeObject>[], patches: PatchOutcome[]): Cluster & Asked {
  const never = () => Promise.reject(new Error("not expected"));
  const cluster: Cluster & Asked = {
    patches: [],
    reads: 0,
    get: (resource, namespace, name) => {
      assert.deepEqual([resource.kind, namespace, name], ["Deployment", "proxies", "dc-east"]);
      return Promise.resolve(reads[Math.min(cluster.reads++, reads.length - 1)] ?? { outcome: "missing" });
    },
    jsonPatch: (_resource, _namespace, _name, patch) => {
      cluster.patches.push(patch);
      return Promise.resolve(
        patches[Math.min(cluster.patches.length, patches.length) - 1] ?? { outcome: "missing" },
      );
    },
    list: never,
    serves: never,
    openStream: never,
    ask: never,
    dryRunCreate: never,
    create: never,
    remove: never,
  };
  return cluster;
}

const live = (resourceVersion: string): Outcome<KubeObject> => {
  const object = managed(OURS, entry("x", { "f:spec": { "f:y": {} } }));
  return { outcome: "found", value: { ...object, metadata: { ...object.metadata, resourceVersion } } };
};
const conflict: PatchOutcome = { outcome: "conflict", detail: "the object has been modified" };
const claimIt = (cluster: Cluster) => claim(cluster, DEPLOYMENTS, "proxies", "dc-east", nobody);

test("a claim replaces the field managers of exactly the version that was read", async () => {
  const cluster = answering([live("7")], [live("8")]);
  await claimIt(cluster);
  assert.deepEqual(cluster.patches, [
    [
      { op: "test", path: "/metadata/resourceVersion", value: "7" },
      {
        op: "replace",
        path: "/metadata/managedFields",
        value: claimed(managed(OURS, entry("x", { "f:spec": { "f:y": {} } })), nobody),
      },
    ],
  ]);
});

test("a claim reads again when the object changed under it", async () => {
  const cluster = answering([live("7"), live("8")], [conflict, live("9")]);
  await claimIt(cluster);
  assert.deepEqual(
    cluster.patches.map(([first]) => first?.value),
    ["7", "8"],
  );
});

test("a claim gives up on an object that changes for ever", async () => {
  const cluster = answering([live("7")], [conflict]);
  await assert.rejects(
    claimIt(cluster),
    /^Error: Deployment proxies\/dc-east could not be claimed, it changes too fast: the object has been modified$/,
  );
  assert.equal(cluster.patches.length, 5);
});

test("an object that is gone needs no claim", async () => {
  const cluster = answering([{ outcome: "missing" }], []);
  await claimIt(cluster);
  assert.deepEqual(cluster.patches, []);
  await claimIt(answering([live("7")], [{ outcome: "missing" }]));
});

for (const outcome of ["forbidden", "unreachable"] as const) {
  test(`a claim says so when reading or patching is ${outcome}`, async () => {
    const no = { outcome, detail: "because" } as const;
    await assert.rejects(claimIt(answering([no], [])), /could not be read: because$/);
    await assert.rejects(claimIt(answering([live("7")], [no])), /could not be claimed: because$/);
  });
}
