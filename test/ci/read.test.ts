import assert from "node:assert/strict";
import { test } from "node:test";
import { readPreview } from "../../ci/preview/read.ts";
import { asDocument, asEvents, fixture, reportOf, step } from "./support.ts";

const UNREADABLE = /^Error: is neither the document nor the events of `pulumi preview --json`$/;

test("what is no preview is refused, and not quoted", () => {
  for (const text of [
    "",
    "{}",
    "null",
    "[1]",
    "s3cr3t",
    '{"diagnostics": null}',
    '{"steps": [{"op": "same"}]}',
    "{ s3cr3t",
  ])
    assert.throws(() => readPreview(Buffer.from(text)), UNREADABLE, text);
});

test("a document without steps is one that failed at once", () => {
  const diagnostics = [{ severity: "error", message: "error: no program\n" }];
  assert.equal(reportOf(Buffer.from(JSON.stringify({ diagnostics }))).failure, "no program");
});

test("an event that can't be read is refused: it may be a change", () => {
  const broken = asEvents([step("update", { kind: "Service" })])
    .toString()
    .replace('"urn":', '"nru":');
  assert.throws(() => readPreview(Buffer.from(broken)), UNREADABLE);
  const cutOff = asEvents([step("update", { kind: "Service" })]).subarray(0, -120);
  assert.throws(() => readPreview(cutOff), UNREADABLE);
});

test("events that break off, or tell of no success, are a failure", () => {
  const events = asEvents([step("update", { kind: "Service" })]).toString();
  const withoutSummary = events
    .split("\n")
    .filter((line) => !line.includes("summaryEvent"))
    .join("\n");
  assert.equal(reportOf(Buffer.from(withoutSummary)).failure, "the saved preview breaks off before its end");
  assert.equal(reportOf(asEvents([], [], "failed")).failure, "the preview did not succeed");
});

test("lines before the document, and a document that was written otherwise, make no difference", () => {
  const document = fixture("rotate-both.json");
  const zone = reportOf(document);
  const preceded = Buffer.concat([Buffer.from("warning: a plugin is old\n"), document]);
  assert.deepEqual(reportOf(preceded), zone);
  const parsed = JSON.parse(document.toString()) as object;
  assert.deepEqual(reportOf(Buffer.from(JSON.stringify(parsed))), zone);
  assert.deepEqual(reportOf(Buffer.from(JSON.stringify(parsed, null, 2))), zone);
});

test("quiet steps are cut out before and behind a change, and text that looks like one is not", () => {
  const change = step("update", { kind: "Service", paths: ["spec.type"] });
  const quiet = step("same", { kind: "NetworkPolicy" });
  const sly = step("update", {
    kind: "Deployment",
    paths: ['metadata.labels["\n        {\n            "op": "same",\n        }"]'],
  });
  for (const steps of [
    [change],
    [quiet, change],
    [change, quiet],
    [quiet, change, quiet],
    [quiet, quiet, sly, quiet, change],
  ]) {
    const kept = readPreview(asDocument(steps)).steps.map(({ op, paths }) => [op, ...paths]);
    const expected = steps.filter(({ op }) => op !== "same");
    assert.deepEqual(
      kept,
      expected.map(({ op, detailedDiff }) => [op, ...Object.keys(detailedDiff ?? {})]),
    );
  }
  assert.deepEqual(readPreview(asDocument([quiet, quiet])), {
    stack: "prod-dc-east",
    steps: [],
    diagnostics: [],
    refreshed: new Set(),
    failure: undefined,
  });
});

test("fields without detail count where there is no better", () => {
  const steps = [{ ...step("update", { kind: "Service" }), diffReasons: ["spec"] }];
  const document = JSON.stringify({ steps });
  assert.deepEqual(readPreview(Buffer.from(document)).steps[0]?.paths, ["spec"]);
});

test("what the provider counts as one error is told in its place", () => {
  const message = 'error: Preview failed: 1 error occurred:\n\t* Service "a" is invalid: Duplicate value\n\n';
  const diagnostics = [{ severity: "error", message }];
  assert.equal(
    reportOf(Buffer.from(JSON.stringify({ diagnostics }))).failure,
    'Preview failed: Service "a" is invalid: Duplicate value',
  );
});
