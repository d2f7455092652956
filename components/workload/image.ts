import type { BomImage, ImageDefaults, ImageSpec } from "./specs.ts";

export interface ResolvedImage {
  /** `registry/repository/name:tag`, or `@digest` in place of the tag. */
  reference: string;
  /** The tag, or the digest where that alone pins the image; empty when neither is known. */
  version: string;
  pullPolicy: string;
  pullSecrets: string[];
  command?: string[];
  args?: string[];
}

/**
 * Resolves an image field by field: the component's own value first, then the zone's default, then the bill of
 * materials. A digest takes the place of the tag and is never defaulted.
 */
export function resolveImage(
  own: ImageSpec | undefined,
  zone: ImageDefaults | undefined,
  billOfMaterials: BomImage,
): ResolvedImage {
  const registry = own?.registry || zone?.registry || billOfMaterials.registry;
  const repository = own?.repository || zone?.repository || billOfMaterials.repository;
  const name = own?.name || billOfMaterials.name;
  const path = [registry, repository, name].filter(Boolean).join("/");
  const tag = own?.tag || billOfMaterials.tag || "";
  const suffix = own?.digest ? `@${own.digest}` : tag && `:${tag}`;
  return {
    reference: path && `${path}${suffix}`,
    version: own?.tag || own?.digest || tag,
    pullPolicy: own?.pullPolicy ?? zone?.pullPolicy ?? "IfNotPresent",
    pullSecrets: [...new Set([...(own?.pullSecrets ?? []), ...(zone?.pullSecrets ?? [])])],
    ...(own?.command && { command: own.command }),
    ...(own?.args && { args: own.args }),
  };
}
