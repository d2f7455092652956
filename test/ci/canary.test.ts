import assert from "node:assert/strict";
import { test } from "node:test";
import { reportDocument } from "../../ci/preview/document.ts";
import { markdown } from "../../ci/preview/markdown.ts";
import { asDocument, asEvents, deployment, reportOf, step } from "./support.ts";

const CANARY = "c4n4ry-s3cr3t";

test("no value of a state, a Secret, the configuration or the debug log gets into a report", () => {
  const planted = {
    ...deployment({ "Secret/dc-east-config": { configToken: "a" } }),
    annotations: { "example.com/note": CANARY },
    data: { configToken: CANARY },
    stringData: { configToken: CANARY },
  };
  const spec = {
    replicas: 1,
    template: {
      spec: { containers: [{ image: "i", env: [{ name: "PLAIN", value: CANARY }], args: [CANARY] }] },
    },
  };
  const steps = ["create", "update", "delete", "replace", "surprise"].flatMap((op) => [
    step(op, {
      kind: "Secret",
      name: `${op}-secret`,
      old: planted,
      new: { ...planted, data: { configToken: `${CANARY}-2` } },
      paths: ["data.configToken"],
    }),
    step(op, {
      kind: "Deployment",
      name: `${op}-deployment`,
      old: { ...planted, spec },
      new: { ...planted, spec },
      paths: ["spec.template.spec.containers[0].env[0].value"],
    }),
  ]);
  const withOutputs = steps.map((of) => ({
    ...of,
    new: of.new && { ...of.new, outputs: { data: CANARY } },
    detailedDiff: { ...of.detailedDiff, x: { kind: "update", lhs: CANARY, rhs: CANARY } },
  }));
  const diagnostics = [
    { severity: "debug", message: CANARY },
    { severity: "info", message: CANARY },
    { severity: "info#err", message: CANARY },
  ];
  const document = JSON.parse(asDocument(withOutputs, diagnostics).toString()) as object;
  const saved = [
    Buffer.from(JSON.stringify({ config: { "pulumi-proxies:x": CANARY }, ...document }, null, 4)),
    asEvents(withOutputs, diagnostics),
  ];
  for (const zone of saved.map((of) => reportOf(of))) {
    assert.equal(zone.entries[0]?.changes.length, 10);
    const text = markdown([zone]) + JSON.stringify(reportDocument([zone])) + JSON.stringify(zone);
    assert.ok(!text.includes(CANARY));
    assert.doesNotMatch(text, /oldState|newState/);
  }
});
