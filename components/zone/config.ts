import { z } from "zod";
import { type EgressSpec, egressSpec } from "../workload/network-specs.ts";
import {
  type BomImage,
  bomImage,
  type ImageDefaults,
  imageDefaults,
  labelsSpec,
  type TolerationSpec,
  tolerationsSpec,
} from "../workload/specs.ts";
import { namespaceName, strict } from "../workload/validation.ts";

/** Kubernetes' own default. */
export const DEFAULT_CLUSTER_DOMAIN = "cluster.local";

/** Which cluster a zone lives in. */
export interface ClusterConfig {
  /** Context of the kubeconfig. Required outside a cluster: the current context is nobody's decision. */
  context?: string | undefined;
  /**
   * Path of a kubeconfig, from the project's folder; else KUBECONFIG or ~/.kube/config. Prefer those: of a path that is
   * named here, the provider leaves a copy with its credentials in the temporary folder in each run (mode 0600).
   */
  kubeconfig?: string | undefined;
  /** UID of the zone's namespace: another cluster behind the same context is then an error. Runs print it. */
  namespaceUid?: string | undefined;
  /**
   * DNS domain of the cluster's Services.
   * @default cluster.local
   */
  domain?: string | undefined;
}

/** What every workload of a zone gets unless it says otherwise. */
export interface ZoneDefaults {
  /** Registry mirror, pull policy, pull secrets. */
  image?: ImageDefaults | undefined;
  /** The corporate proxy through which pods reach the outside. */
  egress?: EgressSpec | undefined;
  tolerations?: TolerationSpec[] | undefined;
  /** Labels of every object and pod. */
  labels?: Record<string, string> | undefined;
  /** Image per component in place of the bill of materials that comes with this package. */
  billOfMaterials?: Record<string, BomImage> | undefined;
}

/** One network zone: a namespace of a cluster. */
export interface ZoneConfig {
  /** The namespace of all that belongs to the zone. It never changes: another one is another zone. */
  namespace: string;
  /**
   * Whether the namespace is made when it does not exist. It is never deleted: it holds Secrets of others.
   * @default false
   */
  createNamespace?: boolean | undefined;
  /**
   * Names that this stack had before, `<stack>` or `<project>/<stack>`: what carries one as its owner is taken as this
   * stack's, and marked anew. For one run, after a rename; the stack of the old name must not be destroyed any more.
   */
  formerStacks?: string[] | undefined;
  cluster?: ClusterConfig | undefined;
  /**
   * What happens to fields that others add to our objects: `repair` removes them, `warn` names them.
   * @default repair
   */
  drift?: "repair" | "warn" | undefined;
  /** Field managers whose fields may stay: an autoscaler, Reloader, an injector. */
  allowManagers?: string[] | undefined;
  defaults?: ZoneDefaults | undefined;
}

export const zoneDefaultsSchema = strict({
  image: imageDefaults.optional(),
  egress: egressSpec.optional(),
  tolerations: tolerationsSpec.optional(),
  labels: labelsSpec.optional(),
  billOfMaterials: z.record(z.string(), bomImage).optional(),
});

export const zoneConfigSchema = strict({
  namespace: namespaceName,
  createNamespace: z.boolean().optional(),
  formerStacks: z
    .array(z.string().regex(/^([^/\s]+\/)?[^/\s]+$/, "must be <stack> or <project>/<stack>"))
    .optional(),
  cluster: strict({
    context: z.string().min(1).optional(),
    kubeconfig: z.string().min(1).optional(),
    namespaceUid: z
      .guid("must be the UID of a namespace, as `kubectl get namespace -o yaml` shows it")
      .optional(),
    domain: z.string().min(1).optional(),
  }).optional(),
  drift: z.enum(["repair", "warn"]).optional(),
  allowManagers: z.array(z.string().min(1)).optional(),
  defaults: zoneDefaultsSchema.optional(),
});

/** A zone's defaults over those of all zones, field by field. */
export function mergeDefaults(general: ZoneDefaults, zone: ZoneDefaults | undefined): ZoneDefaults {
  return {
    ...general,
    ...zone,
    image: { ...general.image, ...zone?.image },
    egress: { ...general.egress, ...zone?.egress },
    labels: { ...general.labels, ...zone?.labels },
    billOfMaterials: { ...general.billOfMaterials, ...zone?.billOfMaterials },
  };
}
