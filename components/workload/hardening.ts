import type { ContainerSpec } from "./container-specs.ts";
import type { PodSpec, SecurityContext, UserContainer } from "./manifest.ts";

/** Pod level of the `restricted` Pod Security Standard. No UID or GID: OpenShift assigns them from a range. */
export function podSecurityContext(fsGroup: number | undefined): PodSpec["securityContext"] {
  return {
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
    ...(fsGroup !== undefined && { fsGroup }),
  };
}

/** Container level of the `restricted` Pod Security Standard, with a read-only root file system unless asked for. */
export function containerSecurityContext(readOnlyRootFilesystem = true): SecurityContext {
  return { ...restricted(), readOnlyRootFilesystem };
}

/**
 * Hardens a container that somebody else has written: what the standard asks for is forced, added capabilities are
 * taken away, and the rest stays as it is.
 */
export function hardenContainer({ securityContext, ...container }: ContainerSpec): UserContainer {
  if (securityContext === undefined) return { ...container, securityContext: restricted() };
  return {
    ...container,
    securityContext: { ...securityContext, ...restricted(), privileged: false },
  };
}

function restricted(): Omit<SecurityContext, "readOnlyRootFilesystem"> {
  return {
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  };
}
