import type { SecurityContext } from "./manifest.ts";

/** Pod level of the `restricted` Pod Security Standard. No UID or GID: OpenShift assigns them from a range. */
export const podSecurityContext = {
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
} as const;

/** Container level of the `restricted` Pod Security Standard, with a read-only root file system. */
export function containerSecurityContext(): SecurityContext {
  return {
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
    readOnlyRootFilesystem: true,
  };
}
