// Each right of the generated Roles is taken away in turn, in a situation that needs it: the run says what it could not do,
// with verb and resource, and runs that have it again end where they should. On a control plane of its own: what a cluster
// serves concerns everybody on it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { startOwnCluster } from "../cluster/support/cluster.ts";
import { assertAbsentInRun } from "../cluster/support/secrets.ts";
import { draw, isLong, report } from "./support/form.ts";
import { openMakingZone, openWideZone } from "./support/needy-zones.ts";
import { isNamed, type Right, rightsOf, without } from "./support/rights.ts";

/** How many rights the short form takes away. */
const DRAWN = 5;

const { cluster, controlPlane } = await startOwnCluster();
after(() => controlPlane.stop());

function taken(all: readonly Right[]): readonly Right[] {
  const some = fc.shuffledSubarray([...all], { minLength: DRAWN, maxLength: DRAWN });
  return isLong ? all : draw("rights", some, 1).flat();
}

/** What a run warns of, and what it fails with; its outputs may still say what the run before could not do. */
function diagnosticsOf(output: string): string {
  return output
    .split("\n")
    .filter((line) => /(warning|error): /.test(line))
    .join("\n");
}

function placeOf({ kind, namespace }: Right, zone: string): string {
  if (kind === "ClusterRole") return "the cluster";
  return namespace === zone ? "the zone" : "the platform's namespace";
}

test("whatever right is taken away, what can't be done without it is said", async (t) => {
  const zones = [await openWideZone(t, cluster), await openMakingZone(t, cluster)] as const;
  const rights = await Promise.all(
    zones.map(async (place) => (await rightsOf(place.zone, place.holders)).filter(place.needs)),
  );
  const rows: Record<string, string>[] = [];
  for (const right of taken(rights.flat())) {
    const place = zones[right.kind === "Role" ? 0 : 1];
    const run = await place.bringAbout(right);
    const { code, output } = await without(place.zone, right, run);
    rows.push({
      identity: right.identity,
      right: `${right.verb} ${right.resource}`,
      in: placeOf(right, place.zone.namespace),
      run: code === 0 ? "goes on" : "error",
      said: isNamed(right, diagnosticsOf(output)) ? "yes" : "no",
    });
  }
  report(t, "least-privilege", {
    title: `Of the generated Roles, ${rows.length} rights taken away one by one`,
    rows,
  });
  for (const { heal } of zones) for (const run of await heal()) assert.equal(run.code, 0, run.output);
  for (const { zone, streams, secrets } of zones) assertAbsentInRun(zone, streams, secrets);
  assert.deepEqual(
    rows.filter(({ said }) => said === "no"),
    [],
  );
});
