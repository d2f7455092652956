import type { FieldSet, KubeObject, ManagedFieldsEntry } from "../../components/cluster/cluster.ts";

export const PROXY_ITEM = 'k:{"name":"proxy"}';
export const SIDECAR_ITEM = 'k:{"name":"sidecar"}';

/** A field set of a Deployment's one container. */
export function inContainer(fields: FieldSet, item = PROXY_ITEM): FieldSet {
  return { "f:spec": { "f:template": { "f:spec": { "f:containers": { [item]: fields } } } } };
}

export const envItem = (name: string): string => `k:{"name":"${name}"}`;

/** What we own of a Deployment. */
export const OUR_FIELDS: FieldSet = {
  "f:metadata": { "f:labels": { "f:app": {} }, "f:annotations": { "f:pulumi-proxies.dev/owner": {} } },
  "f:spec": {
    "f:replicas": {},
    "f:template": {
      "f:metadata": { "f:annotations": { "f:otilm.com/config-checksum": {} } },
      "f:spec": {
        "f:containers": {
          [PROXY_ITEM]: {
            ".": {},
            "f:name": {},
            "f:image": {},
            "f:args": {},
            "f:env": { [envItem("A")]: { ".": {}, "f:name": {}, "f:value": {} } },
          },
        },
      },
    },
  },
};

export function entry(
  manager: string,
  fieldsV1: FieldSet,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return {
    manager,
    operation: "Update",
    apiVersion: "apps/v1",
    time: "2027-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1,
    ...more,
  };
}

export const OURS = entry("pulumi-proxies", OUR_FIELDS, { operation: "Apply" });

/** A live Deployment with these field managers. */
export function managed(...managedFields: ManagedFieldsEntry[]): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "dc-east", namespace: "proxies", resourceVersion: "7", managedFields },
  };
}
