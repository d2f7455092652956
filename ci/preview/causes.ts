import { REPAIRS_ANNOTATION } from "../../components/children/owner.ts";
import {
  CHECKSUM_ANNOTATION,
  CHECKSUM_KEY_ID_ANNOTATION,
  checksumKeyId,
  GUARDED_REFERENCES_ANNOTATION,
  REFERENCE_DIGESTS_ANNOTATION,
  TOKEN_EXPIRES_AT_ANNOTATION,
} from "../../components/workload/checksum.ts";
import type { Step } from "./read.ts";
import type { Shown, TokenSource } from "./state.ts";

/** Why an object changes. */
export type Cause =
  /** All checksums have changed with their key; which values did besides can't be told. */
  | { type: "checksum key"; how: "changed" | "added" | "removed" }
  | ({ type: "token rotated" } & Partial<TokenSource>)
  | { type: "token moved"; from: TokenSource; to: TokenSource }
  /** What the pods read; without keys, all of it. */
  | { type: "reference"; object: string; how: "changed" | "added" | "removed"; keys: string[] }
  | { type: "image" | "replicas"; from: string | undefined; to: string | undefined }
  /** Keys of a Secret of ours: its values come from the stack file. */
  | { type: "secret data"; keys: string[] }
  /** What the stack file, or the program, says differently. */
  | { type: "args"; paths: string[] }
  | { type: "repair"; edits: Edit[] }
  /** The pods' checksum has changed and nothing tells why. */
  | { type: "checksum" }
  /** The state has the object and the cluster does not. */
  | { type: "gone" }
  /**
   * `asks`: the platform is asked to register the connector. `keeps`: nobody is asked; the uuid that is given, or what
   * deleting it takes, is kept. `forgets`: what is known of it is deleted.
   */
  | { type: "registration"; how: "asks" | "keeps" | "forgets" };

/** What somebody added to an object, or changed in it. */
export interface Edit {
  manager: string;
  paths: string[];
}

const annotation = (name: string): string => `metadata.annotations["${name}"]`;
export const CHECKSUM = `spec.template.${annotation(CHECKSUM_ANNOTATION)}`;
export const REPAIRS = annotation(REPAIRS_ANNOTATION);
const GUARDED = annotation(GUARDED_REFERENCES_ANNOTATION);
const IMAGE = "spec.template.spec.containers[0].image";
/** Fields of ours that only tell why others change. */
export const BOOKKEEPING: readonly string[] = [
  annotation(CHECKSUM_KEY_ID_ANNOTATION),
  annotation(REFERENCE_DIGESTS_ANNOTATION),
  annotation(TOKEN_EXPIRES_AT_ANNOTATION),
  REPAIRS,
  GUARDED,
];

/** The fields that change for their own sake, in words that a reviewer knows. */
export function changedFields(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (path === CHECKSUM) return "configuration checksum";
    if (path === REPAIRS) return "fields of others";
    return BOOKKEEPING.includes(path) ? [] : path;
  });
}

/** Why a step is taken; `edits` are the foreign ones that it undoes. */
export function causesOf(step: Step, edits: readonly Edit[], isGone: boolean): Cause[] {
  const { op, before, after, paths } = step;
  if (op === "create") return isGone ? [{ type: "gone" }] : [];
  if (op === "delete") return [];
  const rekeyed = before && after && paths.includes(CHECKSUM) ? keyCauses(before, after) : [];
  const references = before && after ? referenceCauses(before, after, rekeyed.length > 0) : [];
  const repaired = paths.includes(REPAIRS);
  const image = paths.some((path) => isSameField(path, IMAGE))
    ? valueCause("image", before?.image, after?.image)
    : [];
  const replicas = paths.includes("spec.replicas")
    ? valueCause("replicas", before?.replicas, after?.replicas)
    : [];
  const rest = paths.filter(
    (path) =>
      path !== CHECKSUM &&
      !BOOKKEEPING.includes(path) &&
      !(image.length > 0 && path === IMAGE) &&
      !(replicas.length > 0 && path === "spec.replicas") &&
      !(paths.includes(GUARDED) && /^spec\.template\.spec\.containers\[\d+\]\.env/.test(path)) &&
      !(references.some(({ type }) => type === "token moved") && path.endsWith(".secretKeyRef.name")) &&
      !(repaired && edits.some((edit) => edit.paths.some((edited) => isSameField(edited, path)))),
  );
  const isSecret = step.type === "kubernetes:core/v1:Secret";
  const data = rest.flatMap((path) =>
    isSecret ? (/^(?:data|stringData)\.(.+)$/.exec(path)?.[1] ?? []) : [],
  );
  const args = rest.filter((path) => !isSecret || !/^(?:data|stringData)\./.test(path));
  const causes: Cause[] = [...rekeyed, ...references];
  if (paths.includes(CHECKSUM) && causes.length === 0) causes.push({ type: "checksum" });
  causes.push(...image, ...replicas);
  if (data.length > 0) causes.push({ type: "secret data", keys: data });
  if (args.length > 0) causes.push({ type: "args", paths: args });
  if (repaired) causes.push({ type: "repair", edits: [...edits] });
  return causes;
}

function valueCause(
  type: "image" | "replicas",
  from: string | number | undefined,
  to: string | number | undefined,
): Cause[] {
  return from === to ? [] : [{ type, from: from?.toString(), to: to?.toString() }];
}

/** Whether the checksums have another key; nothing where one side doesn't say. */
function keyCauses(before: Shown, after: Shown): Cause[] {
  const [old, next] = [keyIdOf(before), keyIdOf(after)];
  if (old === undefined || next === undefined || old === next) return [];
  return [{ type: "checksum key", how: old === NO_KEY ? "added" : next === NO_KEY ? "removed" : "changed" }];
}

/** Which keys of which Secrets and ConfigMaps have changed, from their digests. */
function referenceCauses(before: Shown, after: Shown, rekeyed: boolean): Cause[] {
  const [old, next] = [digestsOf(before), digestsOf(after)];
  const expiryChanged = expiresAt(before) !== expiresAt(after);
  const reading = { token: after.token, expiryChanged, rekeyed };
  const moved: Cause[] =
    before.token !== undefined && after.token !== undefined && !isSameToken(before.token, after.token)
      ? [{ type: "token moved", from: before.token, to: after.token }]
      : [];
  const told = moved.length > 0 ? [before.token, after.token].map((token) => `Secret ${token?.secret}`) : [];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  const causes = names.flatMap((name): Cause[] => {
    const object = name.replace("/", " ");
    const [a, b] = [old[name], next[name]];
    if (a === undefined || b === undefined) {
      if (told.includes(object)) return [];
      return [{ type: "reference", object, how: a === undefined ? "added" : "removed", keys: [] }];
    }
    return valueCauses(object, a, b, reading);
  });
  return [...moved, ...causes];
}

/** How digests are to be read. */
interface Reading {
  token: TokenSource | undefined;
  expiryChanged: boolean;
  /** Whether they are made with another key, and so tell no more than which keys there are. */
  rekeyed: boolean;
}

function valueCauses(
  object: string,
  old: Record<string, string>,
  next: Record<string, string>,
  { token, expiryChanged, rekeyed }: Reading,
): Cause[] {
  const holdsToken = token !== undefined && object === `Secret ${token.secret}`;
  const differs = (key: string): boolean =>
    rekeyed && Object.hasOwn(old, key) && Object.hasOwn(next, key)
      ? holdsToken && expiryChanged && [token.key, "*"].includes(key)
      : old[key] !== next[key];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(differs).sort();
  if (keys.length === 0) return [];
  // One digest for a whole object, at least on one side: its keys can't be compared.
  if (keys.includes("*")) {
    if (holdsToken && expiryChanged) return [{ type: "token rotated", ...token }];
    return [{ type: "reference", object, how: "changed", keys: [] }];
  }
  const rotated: Cause[] =
    holdsToken && keys.includes(token.key) ? [{ type: "token rotated", ...token }] : [];
  const others = keys.filter((key) => rotated.length === 0 || key !== token?.key);
  const how = (key: string): "changed" | "added" | "removed" =>
    old[key] === undefined ? "added" : next[key] === undefined ? "removed" : "changed";
  const grouped = (["changed", "added", "removed"] as const).flatMap((kind): Cause[] => {
    const these = others.filter((key) => how(key) === kind);
    return these.length > 0 ? [{ type: "reference", object, how: kind, keys: these }] : [];
  });
  return [...rotated, ...grouped];
}

function isSameToken(a: TokenSource, b: TokenSource): boolean {
  return a.secret === b.secret && a.key === b.key;
}

/** When the config token ends that an object tells of. */
export function expiresAt(state: Shown | undefined): string | undefined {
  return state?.annotations[TOKEN_EXPIRES_AT_ANNOTATION];
}

const NO_KEY = checksumKeyId(undefined);

/** An annotation that somebody edited tells nothing. */
function keyIdOf({ annotations }: Shown): string | undefined {
  const id = annotations[CHECKSUM_KEY_ID_ANNOTATION];
  return id === NO_KEY || /^[0-9a-f]{8}$/.test(id ?? "") ? id : undefined;
}

type Digests = Record<string, Record<string, string>>;

/** An annotation that somebody edited tells nothing of what was before; the next run puts it back. */
function digestsOf({ annotations }: Shown): Digests {
  let value: unknown;
  try {
    value = JSON.parse(annotations[REFERENCE_DIGESTS_ANNOTATION] ?? "{}");
  } catch {
    return {};
  }
  if (typeof value !== "object" || value === null) return {};
  const digests = Object.entries(value).flatMap(([name, keys]: [string, unknown]) => {
    if (typeof keys === "string") return [[name, { "*": keys }] as const];
    return typeof keys === "object" && keys !== null ? [[name, keys as Record<string, string>] as const] : [];
  });
  return Object.fromEntries(digests);
}

/** Whether two paths meet: managers name items of lists by their keys, the engine by their places. */
export function isSameField(edited: string, path: string): boolean {
  const [a, b] = [edited, path].map((name) => name.replace(/\[[^\]"]*\]/g, "[]").split(/\.|(?=\[)/));
  return (
    a !== undefined && b !== undefined && a.every((part, index) => index >= b.length || part === b[index])
  );
}
