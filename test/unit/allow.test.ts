import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldPath } from "../../components/cluster/fields.ts";
import { allowList } from "../../components/zone/allow.ts";

/** Annotations or labels of the object, or of the pod template. */
const meta = (map: "annotations" | "labels", key: string): FieldPath => [
  "f:metadata",
  `f:${map}`,
  `f:${key}`,
];
const template = (map: "annotations" | "labels", key: string): FieldPath => [
  "f:spec",
  "f:template",
  ...meta(map, key),
];

interface Row {
  who: string;
  allowed: FieldPath[];
  /** Near it, and drift. */
  drift: FieldPath[];
}

const rows: Row[] = [
  {
    who: "kubectl rollout restart",
    allowed: [template("annotations", "kubectl.kubernetes.io/restartedAt")],
    drift: [
      template("annotations", "kubectl.kubernetes.io/restartedAt2"),
      template("annotations", "kubectl.kubernetes.io/default-container"),
      template("labels", "kubectl.kubernetes.io/restartedAt"),
      meta("annotations", "kubectl.kubernetes.io/restartedAt"),
    ],
  },
  {
    who: "kubectl rollout pause",
    allowed: [["f:spec", "f:paused"]],
    drift: [
      ["f:spec", "f:pausedX"],
      ["f:spec", "f:template", "f:spec", "f:paused"],
      ["f:spec", "f:replicas"],
      ["f:spec", "f:strategy"],
    ],
  },
  {
    who: "kubectl apply's note",
    allowed: [meta("annotations", "kubectl.kubernetes.io/last-applied-configuration")],
    drift: [
      meta("labels", "kubectl.kubernetes.io/last-applied-configuration"),
      template("annotations", "kubectl.kubernetes.io/last-applied-configuration"),
    ],
  },
  {
    who: "the cause of a change",
    allowed: [meta("annotations", "kubernetes.io/change-cause")],
    drift: [
      meta("annotations", "kubernetes.io/change-cause-2"),
      template("annotations", "kubernetes.io/change-cause"),
    ],
  },
  {
    who: "the Deployment controller",
    allowed: [meta("annotations", "deployment.kubernetes.io/revision")],
    drift: [
      template("annotations", "deployment.kubernetes.io/revision"),
      meta("annotations", "deployment.kubernetes.io.evil/revision"),
      meta("labels", "deployment.kubernetes.io/revision"),
    ],
  },
  {
    who: "controllers that clean up",
    allowed: [
      ["f:metadata", "f:finalizers"],
      ["f:metadata", "f:finalizers", 'v:"service.kubernetes.io/load-balancer-cleanup"'],
    ],
    drift: [
      ["f:spec", "f:finalizers"],
      ["f:metadata", "f:ownerReferences", 'k:{"uid":"1"}'],
    ],
  },
  {
    who: "OpenShift's pull secrets of a ServiceAccount",
    allowed: [
      ["f:imagePullSecrets", 'k:{"name":"x"}'],
      ["f:secrets", 'k:{"name":"x"}', "f:name"],
    ],
    drift: [
      ["f:spec", "f:template", "f:spec", "f:imagePullSecrets", 'k:{"name":"x"}'],
      ["f:secretsX"],
      ["f:automountServiceAccountToken"],
    ],
  },
  {
    who: "OpenShift's book-keeping",
    allowed: [meta("annotations", "openshift.io/internal-registry-pull-secret-ref")],
    drift: [
      meta("labels", "openshift.io/x"),
      meta("annotations", "security.openshift.io/x"),
      meta("annotations", "openshift.iox/y"),
      template("annotations", "openshift.io/scc"),
    ],
  },
  {
    who: "Rancher",
    allowed: [
      meta("annotations", "field.cattle.io/publicEndpoints"),
      meta("annotations", "cattle.io/timestamp"),
      template("annotations", "cattle.io/timestamp"),
    ],
    drift: [
      template("labels", "cattle.io/x"),
      meta("annotations", "evil.cattle.io/x"),
      ["f:spec", "f:cattle.io/x"],
    ],
  },
  {
    who: "GKE's network endpoint groups",
    allowed: ["neg", "neg-status", "l4-rbs"].map((key) => meta("annotations", `cloud.google.com/${key}`)),
    drift: [
      meta("annotations", "cloud.google.com/load-balancer-type"),
      meta("annotations", "cloud.google.com/neg2"),
      meta("labels", "cloud.google.com/neg"),
    ],
  },
  {
    who: "Velero",
    allowed: [meta("labels", "velero.io/restore-name"), meta("labels", "velero.io/backup-name")],
    drift: [
      meta("annotations", "velero.io/restore-name"),
      template("labels", "velero.io/restore-name"),
      meta("labels", "velero.iox/y"),
    ],
  },
];

const allow = allowList([]);

for (const { who, allowed, drift } of rows) {
  for (const path of allowed) {
    test(`${who} may write ${path.join("/")}, whatever its manager is called`, () => {
      assert.equal(allow("kubectl-rollout", path), true);
      assert.equal(allow("anything", path), true);
    });
  }
  for (const path of drift) {
    test(`drift, although near ${who}: ${path.join("/")}`, () => {
      assert.equal(allow("kubectl-rollout", path), false);
    });
  }
}

const dangerous: FieldPath[] = [
  ["f:spec", "f:template", "f:spec", "f:containers", 'k:{"name":"sidecar"}', "f:image"],
  [
    "f:spec",
    "f:template",
    "f:spec",
    "f:containers",
    'k:{"name":"proxy"}',
    "f:env",
    'k:{"name":"X"}',
    "f:value",
  ],
  ["f:spec", "f:template", "f:spec", "f:hostNetwork"],
  ["f:spec", "f:ingress"],
  ["f:spec", "f:selector", "f:x"],
  ["f:data", "f:configToken"],
  meta("labels", "team"),
  meta("annotations", "pulumi-proxies.dev/owner"),
];

for (const path of dangerous) {
  test(`always drift: ${path.join("/")}`, () => {
    assert.equal(allow("kubectl-edit", path), false);
    assert.equal(allow("kube-controller-manager", path), false);
  });
}

test("a manager that the zone lists may write anything, and no other is let in by it", () => {
  const path: FieldPath = ["f:spec", "f:replicas"];
  const zoned = allowList(["Reloader", "kube-autoscaler"]);
  assert.equal(zoned("Reloader", path), true);
  assert.equal(zoned("kube-autoscaler", path), true);
  assert.equal(zoned("reloader", path), false);
  assert.equal(zoned("Reloader2", path), false);
  assert.equal(zoned("", path), false);
});
