// Arbitrary proxies against the real API server: what validates is accepted, so what would be refused does not validate.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { proxySpecSchema } from "../../components/proxy/checks.ts";
import { anyCase, checkCase, inputOf, type ProxyCase, validCase } from "../unit/arbitrary/proxy-case.ts";
import { cases, forAll, SEED } from "../unit/arbitrary/run.ts";
import { fieldPaths, occurringPaths } from "../unit/arbitrary/schema-fields.ts";
import { registeredManifests } from "../unit/registered.ts";
import { openRestricted, type Restricted } from "./support/dry-run.ts";

/** Why the API server refuses what a proxy is made of; empty when it does not. */
async function refusals(
  { server, namespace }: Restricted,
  given: ProxyCase,
  spec: ProxySpec,
): Promise<string[]> {
  const own = given.ownToken ? { configToken: "token", tokenSigningKey: "key" } : undefined;
  return server.refusals(registeredManifests(inputOf(given, spec, namespace), own), given.name);
}

/** Cases beyond the usual ones in which rare fields are looked for. */
const SEARCHED = 4000;

test("what validates is accepted by the API server, its pods under restricted, over every field", async (t) => {
  const cluster = await openRestricted(t);
  const missing = new Set(fieldPaths(proxySpecSchema));
  const counted = { accepted: 0, refused: 0 };
  const tryCase = async (given: ProxyCase): Promise<boolean> => {
    const { spec } = checkCase(given);
    counted[spec === undefined ? "refused" : "accepted"]++;
    if (spec === undefined) return false;
    const refused = await refusals(cluster, given, spec);
    assert.equal(refused.length, 0, `validates, but the API server says: ${refused.join("\n")}`);
    for (const path of occurringPaths(proxySpecSchema, spec)) missing.delete(path);
    return true;
  };
  const started = Date.now();
  const run = { values: anyCase, cases: cases(500), file: "test/cluster/fuzz.test.ts" };
  await forAll(run, tryCase);
  const rare = missing.size;
  const isSought = ({ spec }: ProxyCase): boolean =>
    [...occurringPaths(proxySpecSchema, spec)].some((path) => missing.has(path));
  for (let searched = 0; missing.size > 0 && searched < SEARCHED; searched += 100) {
    const more = fc.sample(validCase, { seed: SEED + searched + 1, numRuns: 100 });
    for (const given of more) if (isSought(given)) await tryCase(given);
  }
  t.diagnostic(
    `seed ${SEED}: ${counted.accepted} proxies validated and were accepted, ${counted.refused} did not validate; ` +
      `${rare} rare fields were searched for; ${Math.round((Date.now() - started) / 1000)} s`,
  );
  assert.deepEqual([...missing], [], "these fields never occurred");
});
