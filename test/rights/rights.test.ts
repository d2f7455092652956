// Which rights the cluster tests used, as the API servers' audit logs have it. It needs all of them in the same run; that
// it starts after them is the test runner's doing, which sorts the files.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { IDENTITIES, type Identity, type Right, RIGHTS_FILE } from "../../ci/roles/roles.ts";
import { sharedCluster } from "../cluster/support/cluster.ts";
import { eventually, processesWith } from "../dev/support.ts";
import { usedRights } from "./audit.ts";

const CLUSTER_TESTS = fileURLToPath(new URL("../cluster/", import.meta.url));

test("the identities have every right that they use, and use every right that they have", async () => {
  const { audit } = sharedCluster();
  const haveEnded = (): true | undefined => (processesWith(CLUSTER_TESTS).length === 0 ? true : undefined);
  await eventually("the cluster tests end", 1200, haveEnded);
  const used = usedRights(audit);
  if (process.env["RECORD"] === "1") writeFileSync(RIGHTS_FILE, `${JSON.stringify(used, null, 2)}\n`);
  const given = JSON.parse(readFileSync(RIGHTS_FILE, "utf8")) as Record<Identity, Right[]>;
  for (const identity of IDENTITIES) assert.deepEqual(used[identity], given[identity], identity);
});
