import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  checksumKeyId,
  configChecksum,
  referenceDigests,
  type ReferencedObject,
} from "../../components/workload/checksum.ts";
import { CANARY } from "./support.ts";

function bytes(data: Record<string, string>): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value)]));
}

const secret = (name: string, data: Record<string, string>): ReferencedObject => ({
  kind: "Secret",
  name,
  data: bytes(data),
});
const configMap = (
  name: string,
  data: Record<string, string>,
  binaryData: Record<string, Uint8Array> = {},
): ReferencedObject => ({ kind: "ConfigMap", name, data: bytes(data), binaryData });

const CFG = secret("cfg", { configToken: "abc", tokenSigningKey: "k" });
const EXTRA = configMap("extra-cm", { "ca.crt": "v1" }, { logo: new Uint8Array([0, 255]) });

// Computed with Python from the description of the encoding: a change of it would roll every proxy of every zone.
test("the encoding never changes", () => {
  assert.equal(configChecksum([CFG]), "b49cd7365886bd4d0be4aaf6032beedb26b643e913d6ffdb0887cf994ed34914");
  assert.equal(
    configChecksum([CFG, EXTRA]),
    "c2f8070f7085d7a6d6387feb4b8d34db4398012a42396d69d470c9c6f431192d",
  );
});

test("a checksum key turns it into an HMAC", () => {
  assert.equal(
    configChecksum([CFG], "zone-key"),
    "3544555f48199f6bb3499baf53f4d96a6464dca11cb69ab79520250c59c5a524",
  );
  assert.equal(
    configChecksum([CFG, EXTRA], "zone-key"),
    "9c4905d29fb6e3031bd3e5b9747b1e4a491474ad94bbc83e797b68d2d315de9b",
  );
  assert.notEqual(configChecksum([CFG], "zone-key"), configChecksum([CFG], "other-key"));
});

// Computed with Python: another ID would read as another key.
test("the ID of a checksum key tells keys apart, and says none without one", () => {
  assert.equal(checksumKeyId("zone-key"), "a995c34d");
  assert.notEqual(checksumKeyId("other-key"), checksumKeyId("zone-key"));
  assert.match(checksumKeyId(""), /^[0-9a-f]{8}$/);
  assert.equal(checksumKeyId(undefined), "none");
});

test("a checksum is 64 lower-case hex digits, without any object too", () => {
  assert.match(configChecksum([CFG, EXTRA]), /^[0-9a-f]{64}$/);
  assert.equal(configChecksum([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

const different: [string, ReferencedObject, ReferencedObject][] = [
  ["a byte moves from value to key", secret("s", { a: "bc" }), secret("s", { ab: "c" })],
  ["a byte moves between values", secret("s", { a: "xy", b: "z" }), secret("s", { a: "x", b: "yz" })],
  ["two keys become one", secret("s", { a: "1", b: "2" }), secret("s", { a: "1b2" })],
  ["a value changes", secret("s", { a: "1" }), secret("s", { a: "2" })],
  ["a key is renamed", secret("s", { a: "1" }), secret("s", { b: "1" })],
  ["an empty key is added", secret("s", { a: "1" }), secret("s", { a: "1", b: "" })],
  ["the object is another one", secret("s", { a: "1" }), secret("t", { a: "1" })],
  ["the kind is another one", secret("s", { a: "1" }), configMap("s", { a: "1" })],
  ["binary data is added", configMap("c", { a: "1" }), configMap("c", { a: "1" }, { b: Buffer.from("2") })],
  ["a value turns binary", configMap("c", { a: "1" }), configMap("c", {}, { a: Buffer.from("1") })],
  [
    "a binary value changes",
    configMap("c", {}, { a: new Uint8Array([0, 1]) }),
    configMap("c", {}, { a: new Uint8Array([0, 2]) }),
  ],
];

for (const [what, before, after] of different) {
  test(`the checksum changes when ${what}`, () => {
    assert.notEqual(configChecksum([before]), configChecksum([after]));
    assert.notDeepEqual(Object.values(referenceDigests([before])), Object.values(referenceDigests([after])));
  });
}

test("every key of every object counts, wherever it stands", () => {
  const other = secret("other", { unrelated: "1" });
  const all = [CFG, other, EXTRA];
  assert.notEqual(configChecksum(all), configChecksum([CFG, secret("other", { unrelated: "2" }), EXTRA]));
  assert.notEqual(configChecksum(all), configChecksum([CFG, EXTRA]));
});

test("the order of objects and keys has no say", () => {
  const turned = secret("cfg", { tokenSigningKey: "k", configToken: "abc" });
  assert.equal(configChecksum([EXTRA, turned]), configChecksum([CFG, EXTRA]));
  assert.deepEqual(
    Object.entries(referenceDigests([EXTRA, turned])),
    Object.entries(referenceDigests([CFG, EXTRA])),
  );
});

test("an object that is named twice counts once", () => {
  assert.equal(configChecksum([CFG, EXTRA, CFG]), configChecksum([CFG, EXTRA]));
  assert.deepEqual(referenceDigests([CFG, CFG]), referenceDigests([CFG]));
});

test("a Secret and a ConfigMap of one name are two objects", () => {
  const both = [secret("same", { a: "1" }), configMap("same", { a: "1" })];
  assert.notEqual(configChecksum(both), configChecksum(both.slice(0, 1)));
  assert.deepEqual(Object.keys(referenceDigests(both)), ["ConfigMap/same", "Secret/same"]);
});

test("digests name each object and key, sorted, with 8 hex digits", () => {
  const digests = referenceDigests([secret("cfg", { b: "1", a: "2" }), EXTRA]);
  assert.deepEqual(Object.keys(digests), ["ConfigMap/extra-cm", "Secret/cfg"]);
  assert.deepEqual(Object.keys(digests["Secret/cfg"] ?? {}), ["a", "b"]);
  for (const digest of Object.values(digests["Secret/cfg"] ?? {})) assert.match(digest, /^[0-9a-f]{8}$/);
});

test("only the digest of the key that changed differs", () => {
  const [before, after] = ["1", "2"].map(
    (a) => referenceDigests([secret("cfg", { a, b: "same" })])["Secret/cfg"],
  );
  assert.notEqual(before?.["a"], after?.["a"]);
  assert.equal(before?.["b"], after?.["b"]);
});

test("an object with very many keys has one digest, which still tells a change", () => {
  const many = (last: string) =>
    secret("cfg", {
      ...Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`k${index}`, "v"])),
      last,
    });
  const [before, after] = ["1", "2"].map((last) => referenceDigests([many(last)])["Secret/cfg"]);
  assert.deepEqual(Object.keys(before ?? {}), ["*"]);
  assert.notEqual(before?.["*"], after?.["*"]);
});

test("the digest of one object does not depend on the others", () => {
  assert.deepEqual(referenceDigests([CFG, EXTRA])["Secret/cfg"], referenceDigests([CFG])["Secret/cfg"]);
});

test("digests take the checksum key as well", () => {
  assert.notDeepEqual(
    referenceDigests([CFG], "zone-key")["Secret/cfg"],
    referenceDigests([CFG])["Secret/cfg"],
  );
});

test("no digest is a value, or the plain hash of one that could be looked up", () => {
  const canary = secret("s", { token: CANARY });
  const shown = [configChecksum([canary]), JSON.stringify(referenceDigests([canary]))].join(" ");
  assert.equal(shown.includes(CANARY), false);
  assert.equal(shown.includes(Buffer.from(CANARY).toString("base64")), false);
  const plain = createHash("sha256").update(CANARY).digest("hex");
  assert.equal(shown.includes(plain.slice(0, 8)), false);
});

test("digests of many objects with many long keys are one per object, so that an annotation holds them", () => {
  const wide = (name: string, count = 64): ReferencedObject =>
    secret(
      name,
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`.padEnd(253, "k"), "v"])),
    );
  const few = [wide("a"), wide("b"), wide("c")];
  assert.equal(Object.keys(referenceDigests(few)["Secret/a"] ?? {}).length, 64);
  const many = Array.from({ length: 30 }, (_, index) => wide(`object-${index}`));
  const digests = referenceDigests(many);
  for (const digest of Object.values(digests)) assert.deepEqual(Object.keys(digest), ["*"]);
  assert.ok(JSON.stringify(digests).length < 10_000);
  // What has one digest in any case takes no place from the others.
  const beside = referenceDigests([...few, wide("d", 4_000)]);
  assert.equal(Object.keys(beside["Secret/a"] ?? {}).length, 64);
  assert.deepEqual(Object.keys(beside["Secret/d"] ?? {}), ["*"]);
});
