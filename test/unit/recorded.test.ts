// Every manifest of a few proxies, as it was recorded. After a change that is meant: `RECORD=1 node test/run.ts
// test/unit/recorded.test.ts`, and read the difference.
import assert from "node:assert/strict";
import { test } from "node:test";
import { record, RECORDED, recordedCase, renderCase, untried } from "./recorded.ts";

for (const name of RECORDED) {
  const skip = untried(name) ?? false;
  test(`the manifests of the ${name} proxy are those that are recorded`, { skip }, () => {
    if (process.env["RECORD"] === "1") record(name);
    const [recorded, rendered] = [recordedCase(name), renderCase(name)];
    assert.deepEqual(Object.keys(rendered).sort(), Object.keys(recorded).sort());
    // The order of keys says nothing.
    for (const [file, text] of Object.entries(rendered))
      assert.deepEqual(JSON.parse(text), JSON.parse(recorded[file] ?? ""), file);
  });
}
