// A bad way to the API server: each run ends in success or with an error that a person understands, in time, with whole
// outputs and no secret; and the next run on a good way brings everything to what was asked for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { part } from "../cluster/support/part.ts";
import { KINDS, type Kind } from "./support/faults.ts";
import { chances, openBehindProxy } from "./support/faulty-runs.ts";
import { inForm, report } from "./support/form.ts";

interface Case {
  kinds: readonly Kind[];
  rate: number;
}

/** Silence costs half a minute each time: rare in a mixture. */
const QUICK = KINDS.filter((kind) => kind !== "silent");

const CASES = inForm<Case[]>({
  short: [{ kinds: QUICK, rate: 0.15 }],
  long: [
    ...KINDS.map((kind) => ({ kinds: [kind], rate: kind === "silent" ? 0.05 : 0.25 })),
    { kinds: QUICK, rate: 0.05 },
    { kinds: QUICK, rate: 0.3 },
    { kinds: KINDS, rate: 0.1 },
  ],
});

const UP = ["up", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];

test("under faults of every kind runs end well or say why, and the next one converges", async (t) => {
  const rows: Record<string, string | number>[] = [];
  for (const [index, { kinds, rate }] of CASES.entries()) {
    const name = kinds.length === 1 ? String(kinds[0]) : `${kinds.length} kinds`;
    await part(t, `${name}, ${rate * 100} % of the requests`, async () => {
      const { runs, proxy, through } = await openBehindProxy(t);
      const codes: Record<string, number> = {};
      const faulty = async (what: string, args: string[]): Promise<void> => {
        proxy.inflict({ kinds, rate, chances: chances(`faults/${index}/${what}`) });
        codes[what] = (await runs.may(args, through)).code;
        proxy.inflict();
      };
      await faulty("preview", ["preview"]);
      await faulty("create", UP);
      await runs.converges();
      await faulty("no change", UP);
      await runs.rotate();
      await faulty("rotation", UP);
      await runs.converges();
      await faulty("destroy", DESTROY);
      await runs.destroys();
      runs.assertNoSecret();
      runs.diagnose(t);
      const done = [...proxy.counts.values()].reduce((sum, count) => sum + count, 0);
      assert.ok(done > 0, "something went wrong on the way");
      const ends = Object.fromEntries(
        Object.entries(codes).map(([what, code]) => [what, code === 0 ? "well" : "error"]),
      );
      rows.push({ faults: name, rate, requests: proxy.requests, done, ...ends });
      for (const [kind, count] of proxy.counts) t.diagnostic(`${kind}: ${count}`);
    });
  }
  report(t, "faults", { title: "Runs through a bad way to the API server", rows });
});
