// What the chaos tests share: how long they go on, what their chance is made of, and what they report.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import type { ChaosFigures } from "../../../dev/docs/reliability.ts";
import { describeMachine } from "../../../dev/machine.ts";

/** The long form, `make chaos`; the short one is part of CI. */
export const isLong = process.env["CHAOS"] === "long";

/** What every choice of a run follows from: CHAOS_SEED, or 1. `make chaos` draws one and prints it. */
export const seed = Number(process.env["CHAOS_SEED"] ?? 1);

/** Of two sizes that of this form. */
export function inForm<T>(sizes: { short: T; long: T }): T {
  return isLong ? sizes.long : sizes.short;
}

/** `count` values by chance; the same for the same seed and purpose. */
export function draw<T>(purpose: string, values: fc.Arbitrary<T>, count: number): T[] {
  return fc.sample(values, { seed: seedOf(purpose), numRuns: count });
}

/** A seed of its own for each purpose, so that one test's draws don't depend on another's. */
export function seedOf(purpose: string): number {
  return createHash("sha256").update(`${seed}/${purpose}`).digest().readInt32BE();
}

/** Keeps the figures of a part in test-results/chaos/, and shows them. */
export function report(t: TestContext, part: string, figures: Pick<ChaosFigures, "title" | "rows">): void {
  const folder = fileURLToPath(new URL("../../../test-results/chaos/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const dated: ChaosFigures = { ...figures, seed, date, machine: describeMachine() };
  writeFileSync(`${folder}${part}.json`, `${JSON.stringify(dated, null, 2)}\n`);
  t.diagnostic(`${figures.title}: ${JSON.stringify(figures.rows)}`);
}
