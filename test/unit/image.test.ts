import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyImage } from "../../components/proxy/manifests.ts";
import { resolveImage } from "../../components/workload/image.ts";
import type { BomImage, ImageDefaults, ImageSpec } from "../../components/workload/specs.ts";
import { proxyInput } from "./support.ts";

const BOM: ImageSpec = {
  registry: "hub.omnitrustregistry.com",
  repository: "ilm",
  name: "proxy",
  tag: "1.0.0",
};
const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

test("without any image of its own a proxy runs the bill of materials", () => {
  assert.deepEqual(resolveImage(undefined, undefined, BOM), {
    reference: "hub.omnitrustregistry.com/ilm/proxy:1.0.0",
    version: "1.0.0",
    pullPolicy: "IfNotPresent",
    pullSecrets: [],
  });
});

const references: {
  does: string;
  own?: ImageSpec;
  zone?: ImageDefaults;
  bom?: BomImage;
  reference: string;
}[] = [
  {
    does: "takes the registry alone",
    own: { registry: "r.example" },
    reference: "r.example/ilm/proxy:1.0.0",
  },
  {
    does: "takes the repository alone",
    own: { repository: "mine" },
    reference: "hub.omnitrustregistry.com/mine/proxy:1.0.0",
  },
  {
    does: "takes the name alone",
    own: { name: "px" },
    reference: "hub.omnitrustregistry.com/ilm/px:1.0.0",
  },
  {
    does: "takes the tag alone",
    own: { tag: "9.9.9" },
    reference: "hub.omnitrustregistry.com/ilm/proxy:9.9.9",
  },
  {
    does: "takes all fields",
    own: { registry: "example.com", repository: "custom", name: "proxy", tag: "9.9.9" },
    reference: "example.com/custom/proxy:9.9.9",
  },
  {
    does: "puts the digest in the tag's place",
    own: { digest: DIGEST },
    reference: `hub.omnitrustregistry.com/ilm/proxy@${DIGEST}`,
  },
  {
    does: "pulls by digest even when a tag is given",
    own: { digest: DIGEST, tag: "9.9.9" },
    reference: `hub.omnitrustregistry.com/ilm/proxy@${DIGEST}`,
  },
  {
    does: "pulls from the zone's mirror",
    zone: { registry: "mirror.example.com:5000" },
    reference: "mirror.example.com:5000/ilm/proxy:1.0.0",
  },
  {
    does: "lets its own field win over the zone's, field by field",
    own: { registry: "own.example.com" },
    zone: { registry: "mirror.example.com", repository: "cache/ilm" },
    reference: "own.example.com/cache/ilm/proxy:1.0.0",
  },
  {
    does: "joins repository and tag alone",
    own: { repository: "repo", tag: "tag" },
    bom: {},
    reference: "repo:tag",
  },
  {
    does: "names a bare repository when no tag is known",
    own: { repository: "repo" },
    bom: {},
    reference: "repo",
  },
  { does: "names a bare registry", own: { registry: "reg" }, bom: {}, reference: "reg" },
  { does: "is empty when only a tag is known", own: { tag: "1" }, bom: {}, reference: "" },
  { does: "is empty when nothing is known", bom: {}, reference: "" },
];

for (const { does, own, zone, bom, reference } of references) {
  test(`an image reference ${does}`, () => {
    assert.equal(resolveImage(own, zone, bom ?? BOM).reference, reference);
  });
}

const versions: { own?: ImageSpec; version: string; does: string }[] = [
  { does: "the tag of the bill of materials", version: "1.0.0" },
  { does: "its own tag", own: { tag: "9.9.9" }, version: "9.9.9" },
  { does: "the digest where that alone pins the image", own: { digest: DIGEST }, version: DIGEST },
  { does: "the tag where tag and digest are given", own: { digest: DIGEST, tag: "9.9.9" }, version: "9.9.9" },
];

for (const { does, own, version } of versions) {
  test(`the version is ${does}`, () => {
    assert.equal(resolveImage(own, undefined, BOM).version, version);
  });
}

test("the pull policy comes from the component, then the zone, else it is IfNotPresent", () => {
  const policy = (own?: ImageSpec, zone?: ImageDefaults) => resolveImage(own, zone, BOM).pullPolicy;
  assert.equal(policy({ pullPolicy: "Always" }, { pullPolicy: "Never" }), "Always");
  assert.equal(policy({}, { pullPolicy: "Never" }), "Never");
  assert.equal(policy({}, {}), "IfNotPresent");
});

test("pull secrets are the component's, then the zone's, each once", () => {
  const { pullSecrets } = resolveImage({ pullSecrets: ["b", "a"] }, { pullSecrets: ["mirror", "a"] }, BOM);
  assert.deepEqual(pullSecrets, ["b", "a", "mirror"]);
});

test("command and args are the component's own or absent", () => {
  const given = resolveImage({ command: ["/proxy"], args: ["-v"] }, undefined, BOM);
  assert.deepEqual([given.command, given.args], [["/proxy"], ["-v"]]);
  const none = resolveImage({ command: ["/proxy"] }, undefined, BOM);
  assert.equal("args" in none, false);
  assert.equal("command" in resolveImage({ args: ["-v"] }, undefined, BOM), false);
});

test("a proxy resolves its image from its own fields, the zone's and the bill of materials", () => {
  const image = proxyImage(
    proxyInput(
      { image: { tag: "2.0.0" } },
      { zone: { image: { registry: "mirror" }, clusterDomain: "cluster.local" } },
    ),
  );
  assert.equal(image.reference, "mirror/ilm/proxy:2.0.0");
  assert.equal(image.version, "2.0.0");
});
