import type { FieldSet } from "./cluster.ts";

/** One leaf of a field set, from the root: `["f:metadata", "f:labels", "f:team"]`. */
export type FieldPath = readonly string[];

/** The union of field sets. */
export function union(sets: readonly FieldSet[]): FieldSet {
  const result: FieldSet = {};
  for (const set of sets) {
    for (const [key, child] of Object.entries(set)) result[key] = union([result[key] ?? {}, child]);
  }
  return result;
}

/** The leaves of a set. A list item or map that is owned as such (`.`) is a leaf only when nothing is owned in it. */
export function leaves(set: FieldSet, prefix: FieldPath = []): FieldPath[] {
  return Object.entries(set).flatMap(([key, child]) => {
    if (key === ".") return [];
    const path = [...prefix, key];
    const below = leaves(child, path);
    return below.length > 0 ? below : [path];
  });
}

/** Whether a set holds a path, or an atomic field above it. */
export function covers(set: FieldSet, path: FieldPath): boolean {
  let node = set;
  for (const key of path) {
    const child = node[key];
    if (child === undefined) return false;
    if (Object.keys(child).length === 0) return true;
    node = child;
  }
  return true;
}

/** Splits a set in two by its leaves; the markers of owned list items (`.`) go with whichever part needs the item. */
export function partition(
  set: FieldSet,
  choose: (path: FieldPath) => boolean,
  prefix: FieldPath = [],
): { chosen: FieldSet; rest: FieldSet } {
  const chosen: FieldSet = {};
  const rest: FieldSet = {};
  for (const [key, child] of Object.entries(set)) {
    if (key === ".") continue;
    const path = [...prefix, key];
    if (leaves(child).length === 0) {
      (choose(path) ? chosen : rest)[key] = child;
      continue;
    }
    const parts = partition(child, choose, path);
    if (Object.keys(parts.chosen).length > 0) chosen[key] = parts.chosen;
    if (Object.keys(parts.rest).length > 0) rest[key] = withMarker(parts.rest, child);
  }
  return { chosen, rest };
}

function withMarker(part: FieldSet, whole: FieldSet): FieldSet {
  return whole["."] === undefined ? part : { ".": {}, ...part };
}

/**
 * A path as people write it: `spec.template.spec.containers[sidecar].image`. Items of lists are named by their key
 * fields; values of sets are left out, since they may be anything.
 */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, key) => {
    if (key.startsWith("k:")) {
      const keys = JSON.parse(key.slice(2)) as Record<string, unknown>;
      return `${text}[${Object.values(keys).join("/")}]`;
    }
    if (key.startsWith("v:") || key.startsWith("i:")) return `${text}[]`;
    const name = key.replace(/^f:/, "");
    if (!/^[\w-]+$/.test(name)) return `${text}["${name}"]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}
