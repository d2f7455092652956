import * as pulumi from "@pulumi/pulumi";
import { asServed } from "../cluster/as-served.ts";
import type { Resource } from "../cluster/cluster.ts";
import type { Manifest, Metadata } from "../workload/manifest.ts";
import type { Zone } from "../zone/zone.ts";
import { REPAIRS_ANNOTATION } from "./owner.ts";

/** What is told the engine of an object: its metadata, and the manifest with the rest. */
export interface Planned {
  metadata: pulumi.Input<object>;
  manifest: pulumi.Output<Manifest>;
}

/** An object as it is rendered. */
export function asRendered(manifest: pulumi.Output<Manifest>): Planned {
  return { metadata: manifest.metadata, manifest };
}

/**
 * What a preview tells of an object from which the update removes fields of others. The provider's dry run would apply
 * ours with those still there, and the API server refuses that where two fields exclude each other: ports of one name, a
 * variable with a value and a source, a request above the limit. So the dry run that counts is made here, of the
 * manifest alone; and the number of repairs is left unknown, since of what isn't known whole the provider makes none.
 */
export function plannedRepair(zone: Zone, resource: Resource, manifest: pulumi.Output<Manifest>): Planned {
  const { cluster, namespace } = zone.parts;
  const tried = manifest.apply(async (rendered) => {
    const { name, ...metadata } = rendered.metadata;
    const unnamed = { ...rendered, metadata: { ...metadata, generateName: `${name}-` } };
    const served = await cluster.dryRunCreate(resource, namespace, unnamed);
    // Refused, or not allowed to ask: the provider's own dry run says why.
    if (served.outcome !== "found") return { accepted: false, manifest: rendered };
    return {
      accepted: true,
      manifest: { ...(asServed(rendered, served.value) as Manifest), metadata: rendered.metadata },
    };
  });
  return { metadata: uncounted(tried), manifest: tried.manifest };
}

/** Metadata with an unknown number of repairs. A promise: an Output of which a part is unknown is unknown as a whole. */
async function uncounted(
  tried: pulumi.Output<{ accepted: boolean; manifest: Manifest }>,
): Promise<pulumi.Input<object>> {
  let metadata: Metadata | undefined;
  const read = tried.apply(({ accepted, manifest }) => {
    if (accepted) metadata = manifest.metadata;
  });
  // Settles when all of it is read, or known to be unknown.
  const isSecret = await pulumi.isSecret(read);
  if (metadata === undefined || isSecret) return tried.manifest.metadata;
  return { ...metadata, annotations: { ...metadata.annotations, [REPAIRS_ANNOTATION]: pulumi.unknown } };
}
