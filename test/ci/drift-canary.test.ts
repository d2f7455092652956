import assert from "node:assert/strict";
import { test } from "node:test";
import { changeFindings } from "../../ci/drift/findings.ts";
import { driftDocument } from "../../ci/drift/document.ts";
import { markdown } from "../../ci/drift/markdown.ts";
import { metrics } from "../../ci/drift/metrics.ts";
import { liveObject } from "../../ci/drift/objects.ts";
import { zoneOf, NOW, step } from "./support.ts";
import { entry, zone } from "./drift-support.ts";

const CANARY = "c4n4ry-s3cr3t";

test("no value of an object or of a state gets into what drift writes", async () => {
  const object = {
    metadata: {
      name: "dc-east-config-token",
      annotations: { "pulumi-proxies.dev/owner": "pulumi-proxies/prod-dc-east/Proxy/dc-east", note: CANARY },
      managedFields: [
        entry("pulumi-proxies", { "f:data": { "f:tokenSigningKey": {} } }, { operation: "Apply" }),
        entry("kubectl-edit", {
          "f:data": { "f:configToken": {} },
          "f:metadata": { "f:finalizers": { [`v:"${CANARY}"`]: {} } },
          "f:spec": { "f:list": { [`v:"${CANARY}"`]: {} } },
        }),
      ],
    },
    data: { configToken: CANARY },
    stringData: { configToken: CANARY },
  };
  const planted = { data: { configToken: CANARY }, annotations: { "example.com/note": CANARY } };
  const report = zoneOf(
    ["create", "update", "delete", "replace", "surprise"].map((op) =>
      step(op, {
        kind: "Secret",
        name: `${op}-secret`,
        old: planted,
        new: planted,
        paths: ["data.configToken"],
      }),
    ),
    [{ severity: "info", message: CANARY }],
  );
  const objects = [liveObject("prod-dc-east", "Secret", object, [])];
  assert.ok(!JSON.stringify(objects).includes(CANARY));
  const findings = changeFindings({ report, objects });
  assert.equal(findings.length, 6);
  const zones = [zone({ findings, mended: findings })];
  const texts = [markdown(zones), JSON.stringify(driftDocument(zones, NOW)), await metrics(zones, NOW)];
  for (const text of texts) {
    assert.ok(!text.includes(CANARY));
    assert.doesNotMatch(text, /oldState|newState/);
  }
});
