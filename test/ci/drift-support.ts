import type { FieldSet, KubeObject, ManagedFieldsEntry } from "../../components/cluster/cluster.ts";
import { changeFindings } from "../../ci/drift/findings.ts";
import type { Finding, ZoneCheck } from "../../ci/drift/model.ts";
import { type LiveObject, liveObject } from "../../ci/drift/objects.ts";
import type { ZoneReport } from "../../ci/preview/model.ts";
import { STACK } from "./support.ts";

const OURS: FieldSet = {
  "f:spec": { "f:replicas": {}, "f:template": { "f:spec": { "f:containers": {} } } },
};

/** What somebody wrote, as the API server notes it. */
export function entry(
  manager: string,
  fieldsV1: FieldSet,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return { manager, operation: "Update", time: "2026-11-29T20:30:00Z", fieldsV1, ...more };
}

/** A live object of the proxy `dc-east`. */
export function live(
  kind: string,
  managedFields: readonly ManagedFieldsEntry[],
  { name = "dc-east", proxy = "dc-east", stack = STACK, allow = [] as string[], ours = OURS } = {},
): LiveObject {
  const object: KubeObject = {
    metadata: {
      name,
      annotations: { "pulumi-proxies.dev/owner": `pulumi-proxies/${stack}/Proxy/${proxy}` },
      managedFields: [entry("pulumi-proxies", ours, { operation: "Apply" }), ...managedFields],
    },
  };
  return liveObject(STACK, kind, object, allow);
}

/** Kind, component, object, what, and whether a run mends it. */
export function brief(findings: readonly Finding[]): (string | boolean)[][] {
  return findings.map(({ kind, component, object, what, mendable }) => [
    kind,
    `${component?.kind ?? "-"} ${component?.name ?? "-"}`,
    object === undefined ? "-" : `${object.kind} ${object.name}`,
    what,
    mendable,
  ]);
}

export function found(
  report: ZoneReport,
  objects: LiveObject[],
  intended?: ZoneReport,
): (string | boolean)[][] {
  return brief(changeFindings({ report, intended, objects }));
}

export function zone(parts: Partial<ZoneCheck> = {}): ZoneCheck {
  return { stack: STACK, findings: [], components: [], notes: [], ...parts };
}

const proxy = { kind: "Proxy", name: "dc-east" };

/** One finding of each kind. */
export const FINDINGS: Record<string, Finding> = {
  drift: {
    kind: "drift",
    component: proxy,
    object: { kind: "Deployment", name: "dc-east" },
    what: "spec.replicas (by kubectl-scale at 2026-11-29T20:30:00Z)",
    todo: "`pulumi up` puts it back (--fix)",
    mendable: true,
    edits: [{ paths: ["spec.replicas"], manager: "kubectl-scale", time: "2026-11-29T20:30:00Z" }],
  },
  deleted: {
    kind: "deleted",
    component: proxy,
    object: { kind: "Service", name: "dc-east" },
    what: "Service dc-east is gone from the cluster",
    todo: "`pulumi up` makes it anew (--fix)",
    mendable: true,
  },
  rotation: {
    kind: "rotation pending",
    component: proxy,
    object: { kind: "Deployment", name: "dc-east" },
    what: "config token rotated (Secret dc-east-config, key configToken)",
    todo: "`pulumi up` rolls the pods (--fix)",
    mendable: true,
  },
  expired: {
    kind: "token expired",
    component: proxy,
    what: "the config token expired at 2026-11-28T10:00:00Z",
    todo: "have a new token issued and put it in place",
    mendable: false,
  },
};
