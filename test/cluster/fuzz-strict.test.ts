// The converse: what validation refuses, the API server mostly refuses too. Where it would not, there is a reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ProxySpec } from "../../components/proxy/args.ts";
import { checkCase, inputOf, mutatedWith, type ProxyCase } from "../unit/arbitrary/proxy-case.ts";
import { cases, SEED } from "../unit/arbitrary/run.ts";
import { registeredManifests } from "../unit/registered.ts";
import { openRestricted } from "./support/dry-run.ts";

/** Rules that are stricter than the API server, by path and message. */
const STRICTER: [rule: RegExp, reason: string][] = [
  [/: expected |: unknown field|: Invalid option/, "a slip of the pen is told, not passed over"],
  [
    /\.(name|containerName|claimName|priorityClassName|pullSecrets\[\d+\]): must be (lower-case|at most 253)/,
    "no object has such a name",
  ],
  [/\.(secretKey|configMapKey): must be /, "no object has such a key"],
  [/is no name of a variable/, "Kubernetes 1.29 takes no other variables"],
  [/\.(envVar|name|prefix): must be (letters|at most 253)/, "Kubernetes 1.29 takes no other variables"],
  [/\.(mountPath|writablePaths\[\d+\]\.path): must be an absolute path/, "a runtime takes no other"],
  [/\.keys\[\d+\]\.path: must be a path below/, "a key named `..` is refused on the node"],
  [/\.probes\.\w+\.path: must be a path that starts/, "such a probe fails"],
  [/\.metrics\.path: must be a path that starts/, "such a scrape fails"],
  [/\.egress\.(httpProxy|httpsProxy|noProxy\[\d+\]): must /, "no client understands it"],
  [/\.image\.\w+: must be |\.image: must be the reference/, "nothing can be pulled by it"],
  [/\.ports\[\d+\]\.hostIP: must be empty/, "it has no meaning without a port of the host"],
  [/topologyKey: must be a name|\.values\[\d+\]: must be |\.values: must be /, "no node has such a label"],
  [
    /stands in (labelSelector|mismatchLabelKeys) too/,
    "the merged selector says it twice, or selects nothing",
  ],
  [/must not hold NUL/, "no process gets it"],
  [/\.(sizeLimit|requests\.\S+|limits\.\S+|divisor): must be a quantity/, "null is no quantity"],
  [/: has no meaning |has both|: needs /, "one of the two would be passed over"],
  [
    /is given twice|is set by another|is mounted by another|name of another/,
    "one of the two would win silently",
  ],
];

test("what is refused, the API server refuses too, or there is a reason to be stricter", async (t) => {
  const { server, namespace } = await openRestricted(t);
  const render = (given: ProxyCase): ReturnType<typeof registeredManifests> =>
    registeredManifests(inputOf(given, given.spec as ProxySpec, namespace));
  const counted = { both: 0, stricter: 0, unrendered: 0 };
  const unexplained = new Set<string>();
  for (const { valid, changed } of fc.sample(mutatedWith(), { seed: SEED, numRuns: cases(400) })) {
    const [problem] = checkCase(changed).problems;
    if (problem === undefined) continue;
    let manifests: ReturnType<typeof render> | undefined;
    try {
      manifests = render(changed);
    } catch {
      // Renderers rely on validation.
    }
    // What no manifest shows, no API server can refuse.
    if (manifests === undefined || JSON.stringify(manifests) === JSON.stringify(render(valid))) {
      counted.unrendered++;
      continue;
    }
    const rule = `${problem.path}: ${problem.message}`;
    const isKnown = STRICTER.some(([pattern]) => pattern.test(rule));
    if (isKnown) counted.stricter++;
    else if ((await server.refusals(manifests, changed.name)).length > 0) counted.both++;
    else unexplained.add(rule);
  }
  t.diagnostic(`seed ${SEED}: ${JSON.stringify(counted)}; stricter without a reason: ${unexplained.size}`);
  for (const rule of unexplained) t.diagnostic(`the API server takes what this refuses: ${rule}`);
  // Any change of a field brings other cases up: a rule or two without a reason is for people to read.
  assert.ok(unexplained.size * 5 <= counted.both, "relax the rules, or add the reasons");
});
