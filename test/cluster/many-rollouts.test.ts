// More Deployments roll at once than are asked for one by one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { followAudit } from "../../dev/control-plane/audit.ts";
import { BEHAVIOUR } from "../../dev/kwok/annotations.ts";
import { sharedCluster } from "./support/cluster.ts";
import { type StackFile, TestZone } from "./support/zone.ts";

const NAMES = Array.from({ length: 12 }, (_, index) => `p${index}`);

/** Twelve proxies of one token, whose pods take longer than all of them to be written; what one of them does instead. */
const fleet = (odd: Record<string, string> = {}): StackFile => ({
  proxies: Object.fromEntries(
    NAMES.map((name) => [
      name,
      {
        configTokenSecretRef: { name: "config" },
        podAnnotations: { [BEHAVIOUR]: odd[name] ?? "slow:6" },
        rollout: { progressDeadlineSeconds: 12 },
      },
    ]),
  ),
});

/** The Deployments that are rolled out, each to the template that was declared last. */
async function rolledOut(zone: TestZone): Promise<string[]> {
  const deployments = await zone.list("deployments");
  return deployments
    .filter(({ metadata, status }) => {
      const { observedGeneration, updatedReplicas, availableReplicas, replicas } = status as Record<
        string,
        number
      >;
      const isUpdated = updatedReplicas === 1 && replicas === 1 && availableReplicas === 1;
      return observedGeneration === metadata.generation && isUpdated;
    })
    .map(({ metadata }) => metadata.name);
}

test("a zone whose Deployments all roll is watched by lists, and each is waited for to its own end", async (t) => {
  const zone = await TestZone.open(t, fleet());
  await zone.putToken("config", "30d");
  const read = followAudit(`${sharedCluster().audit}/shared.log`, zone.namespace);
  /** Lists of Deployments since the last call, but for the one by which the zone was opened. */
  const listed = () => {
    const events = read().filter(({ objectRef }) => objectRef?.resource === "deployments");
    return events.filter(({ verb }) => verb === "list").length - 1;
  };

  const created = await zone.up();
  assert.equal(created.code, 0, created.output);
  assert.deepEqual((await rolledOut(zone)).sort(), NAMES.toSorted());
  assert.ok(listed() > 1);

  await zone.putToken("config", "40d");
  const rotated = await zone.up();
  assert.equal(rotated.code, 0, rotated.output);
  assert.equal(rotated.changes["update"], NAMES.length);
  assert.deepEqual((await rolledOut(zone)).sort(), NAMES.toSorted());
  assert.ok(listed() > 1);

  await zone.putToken("config", "50d");
  zone.write(fleet({ p7: "never-ready" }));
  const failed = await zone.up();
  assert.notEqual(failed.code, 0);
  // Said when it happens, and once more at the end.
  const failures = failed.output.match(/rollout of Deployment \S+ failed: \w+/g);
  const expected = `rollout of Deployment ${zone.namespace}/p7 failed: ProgressDeadlineExceeded`;
  assert.deepEqual(new Set(failures), new Set([expected]));
  const others = NAMES.filter((name) => name !== "p7");
  assert.deepEqual((await rolledOut(zone)).sort(), others.sort());
  const outputs = await zone.outputs();
  assert.deepEqual(new Set(others.map((name) => outputs[name]?.phase)), new Set(["Running"]));
  assert.ok(listed() > 1);
});
