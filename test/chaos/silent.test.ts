// An API server that takes every connection and never answers: nobody waits for it for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBehindProxy } from "./support/faulty-runs.ts";
import { report } from "./support/form.ts";

const UP = ["up", "--yes", "--skip-preview"];

test("a run ends in time, whether reads or writes are never answered", async (t) => {
  const { runs, proxy, through } = await openBehindProxy(t);
  proxy.inflict({ kinds: ["silent"], rate: 1, chances: [0] });
  const begin = performance.now();
  const seconds = (): number => Math.round((performance.now() - begin) / 1000);
  const run = await runs.may([...UP, "--refresh=false"], through);
  const reading = seconds();
  assert.notEqual(run.code, 0);
  assert.match(
    run.output,
    /error: the cluster of zone \S+ can't be read: no answer from https:\/\/127.0.0.1:\d+ within 10 s\. Nothing was changed\./,
  );

  // The provider is as patient as it is told to be, and no more: it asks for each object.
  proxy.inflict({ kinds: ["silent"], rate: 1, chances: [0], only: ({ method }) => method === "PATCH" });
  const writing = await runs.may(UP, through);
  assert.notEqual(writing.code, 0);
  const rows = [
    { unanswered: "all requests", seconds: reading },
    { unanswered: "writes", seconds: seconds() - reading },
  ];
  proxy.inflict();
  await runs.converges();
  await runs.destroys();
  runs.assertNoSecret();
  runs.diagnose(t);
  report(t, "silent", { title: "Runs before an API server that never answers", rows });
});
