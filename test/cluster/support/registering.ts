import type { TestZone } from "./zone.ts";

/** Grants what registering needs beyond the rights of a zone. */
export async function grantRegistering(zone: TestZone): Promise<void> {
  const metadata = { name: "registration" };
  const rule = (resources: string[], verbs: string[]): object => ({ apiGroups: [""], resources, verbs });
  await zone.apply(
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata,
      rules: [rule(["configmaps"], ["get", "create", "patch", "delete"]), rule(["secrets"], ["get"])],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name },
      subjects: [{ kind: "User", name: "update" }],
    },
  );
}
