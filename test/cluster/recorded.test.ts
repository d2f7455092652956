// The recorded manifests (test/fixtures/manifests) before the real API server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORDED, recordedManifests } from "../unit/recorded.ts";
import { openRestricted } from "./support/dry-run.ts";

test("every recorded manifest is accepted by the API server, its pods under restricted", async (t) => {
  const { server, namespace } = await openRestricted(t);
  for (const name of RECORDED) {
    const manifests = recordedManifests(name).map((manifest): [string, typeof manifest] => [
      manifest.kind,
      { ...manifest, metadata: { ...manifest.metadata, namespace } },
    ]);
    assert.ok(manifests.length >= 4, `${name} has ${manifests.length} manifests`);
    assert.deepEqual(await server.refusals(Object.fromEntries(manifests), name), [], name);
  }
});
