import { createHash, createHmac, type Hash } from "node:crypto";

/** A Secret or ConfigMap as the checksum sees it. Values are decoded bytes. */
export interface ReferencedObject {
  kind: "Secret" | "ConfigMap";
  name: string;
  data: Record<string, Uint8Array>;
  /** ConfigMaps only; a key here never equals a key of `data`. */
  binaryData?: Record<string, Uint8Array>;
}

/** Pod template annotation that rolls the pods when a referenced object changes. */
export const CHECKSUM_ANNOTATION = "otilm.com/config-checksum";
/** Deployment annotation: when the token runs out (RFC 3339, UTC). */
export const TOKEN_EXPIRES_AT_ANNOTATION = "pulumi-proxies.dev/token-expires-at";
/** Deployment annotation: digest per key of each referenced object, as JSON. */
export const REFERENCE_DIGESTS_ANNOTATION = "pulumi-proxies.dev/reference-digests";
/** Deployment annotation: which `checksumKey` the digests were made with. */
export const CHECKSUM_KEY_ID_ANNOTATION = "pulumi-proxies.dev/checksum-key-id";
/** Deployment annotation: keys of the references that are wired key by key to keep reserved variables out, as JSON. */
export const GUARDED_REFERENCES_ANNOTATION = "pulumi-proxies.dev/guarded-references";

/**
 * One digest over all referenced objects: SHA-256, or HMAC-SHA-256 when the zone has a `checksumKey`; 64 hex digits.
 * Every field is preceded by its length, so that no two different contents share an encoding; objects and keys are
 * sorted bytewise, so that the order of the args has no say. An object that is named twice counts once.
 */
export function configChecksum(objects: readonly ReferencedObject[], key?: string): string {
  const hash = key === undefined ? createHash("sha256") : createHmac("sha256", key);
  const unique = new Map(objects.map((object) => [identify(object), object]));
  for (const id of [...unique.keys()].sort(bytewise)) feedObject(hash, unique.get(id) as ReferencedObject);
  return hash.digest("hex");
}

/** Keys of an object that have a digest each; beyond them, one digest has to do. */
const MOST_KEYS = 64;
/** Characters of all keys that have one. An object has 256 KiB for annotations. */
const MOST_CHARACTERS = 50_000;

/**
 * What changed, without saying what it is: `Secret/name` -> key -> first 8 hex digits of its digest, all sorted. An
 * object with very many keys has one digest, under `*`; where all have, together, every object.
 */
export function referenceDigests(
  objects: readonly ReferencedObject[],
  key?: string,
): Record<string, Record<string, string>> {
  const keysOf = ({ data, binaryData = {} }: ReferencedObject): string[] =>
    [...Object.keys(data), ...Object.keys(binaryData)].sort(bytewise);
  const few = objects.map(keysOf).filter((names) => names.length <= MOST_KEYS);
  const isMuch = few.flat().join("").length > MOST_CHARACTERS;
  const entries = objects.map((object): [string, Record<string, string>] => {
    const { data, binaryData = {} } = object;
    const names = keysOf(object);
    const digest = (part: ReferencedObject): string => configChecksum([part], key).slice(0, 8);
    if (isMuch || names.length > MOST_KEYS) return [identify(object), { "*": digest(object) }];
    const digests = names.map((name): [string, string] => [
      name,
      digest({ ...object, data: only(data, name), binaryData: only(binaryData, name) }),
    ]);
    return [identify(object), Object.fromEntries(digests)];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => bytewise(a, b)));
}

/**
 * Tells one `checksumKey` from another: 8 hex digits of an HMAC of a constant, or `none`. Guesses of a key can be tried
 * on it, as they can on the digest of any value that somebody knows: neither is of use against a random key
 * (`openssl rand -hex 32`), and a word is no key.
 */
export function checksumKeyId(key: string | undefined): string {
  if (key === undefined) return "none";
  return createHmac("sha256", key).update(CHECKSUM_KEY_ID_ANNOTATION).digest("hex").slice(0, 8);
}

function only(values: Record<string, Uint8Array>, name: string): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key === name));
}

type Digest = Hash | ReturnType<typeof createHmac>;

/** `Secret/name` or `ConfigMap/name`. */
export function identify({ kind, name }: Pick<ReferencedObject, "kind" | "name">): string {
  return `${kind}/${name}`;
}

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function feedObject(hash: Digest, object: ReferencedObject): void {
  feed(hash, object.kind);
  feed(hash, object.name);
  for (const map of [object.data, object.binaryData ?? {}]) {
    const keys = Object.keys(map).sort(bytewise);
    feed(hash, String(keys.length));
    for (const key of keys) {
      feed(hash, key);
      feed(hash, map[key] as Uint8Array);
    }
  }
}

function feed(hash: Digest, field: string | Uint8Array): void {
  const bytes = typeof field === "string" ? Buffer.from(field) : field;
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.byteLength));
  hash.update(length).update(bytes);
}
