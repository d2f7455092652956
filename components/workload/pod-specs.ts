import { z } from "zod";
import { annotations, objectName, strict } from "./validation.ts";

/** What of the hardening may be tuned. The rest is the `restricted` Pod Security Standard and can't be weakened. */
export interface SecurityContextSpec {
  /**
   * Accepted so that a resource can be pasted; pods always run as non-root.
   * @effect none on the pods
   */
  runAsNonRoot?: boolean | undefined;
  /**
   * Whether the main container's root file system is read-only.
   * @default true
   * @effect rolls the pods
   */
  readOnlyRootFilesystem?: boolean | undefined;
  /**
   * Group of every container and of its volumes, 0 to 2147483647. OpenShift assigns one when not given.
   * @effect rolls the pods
   */
  fsGroup?: number | undefined;
}

export const securityContextSpec = strict({
  runAsNonRoot: z.boolean().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  fsGroup: z.int().min(0).max(2147483647).optional(),
});

/** A probe over HTTP in place of the default one, as a whole. Without `path` there is no such probe. */
export interface ProbeSpec {
  /** Path on the http port. */
  path?: string | undefined;
  /** Seconds before the first probe; Kubernetes' default is 0. */
  initialDelaySeconds?: number | undefined;
  /** Seconds between probes; Kubernetes' default is 10. */
  periodSeconds?: number | undefined;
  /** Failures in a row that count; Kubernetes' default is 3. */
  failureThreshold?: number | undefined;
}

/**
 * Overrides of the three probes, each as a whole.
 * @effect rolls the pods
 */
export interface ProbesSpec {
  /** Restarts a container that fails it. */
  liveness?: ProbeSpec | undefined;
  /** Takes a pod that fails it out of the Service. */
  readiness?: ProbeSpec | undefined;
  /** Holds the other two back until it has succeeded; restarts a container that fails it. */
  startup?: ProbeSpec | undefined;
}

const seconds = z.int().min(0).max(2147483647).optional();
const probeSpec = strict({
  path: z
    .string()
    .regex(/^(\/|$)/, "must be a path that starts with /")
    .optional(),
  initialDelaySeconds: seconds,
  periodSeconds: seconds,
  failureThreshold: seconds,
});

export const probesSpec = strict({
  liveness: probeSpec.optional(),
  readiness: probeSpec.optional(),
  startup: probeSpec.optional(),
});

/** The identity of the pods towards the API server. */
export interface ServiceAccountSpec {
  /**
   * Name of the account. One that exists and is not ours is used and never changed; else it is made.
   * @default the component's name
   * @effect rolls the pods
   */
  name?: string | undefined;
  /**
   * Annotations of the account that is made, such as a cloud's workload identity.
   * @effect none on the pods
   */
  annotations?: Record<string, string> | undefined;
}

export const serviceAccountSpec = strict({
  name: objectName.optional(),
  annotations: annotations.optional(),
});
