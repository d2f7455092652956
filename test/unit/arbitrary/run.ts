// How the tests over arbitrary values are run: how many, from which seed, and what a failure says.
import * as fc from "fast-check";

/**
 * The seed is fixed, so that a change fails for what it does and never for what a die shows; FUZZ_SEED tries another
 * one, FUZZ_CASES more cases.
 */
export const SEED = Number(process.env["FUZZ_SEED"] ?? 20270101);

export function cases(usual: number): number {
  return Number(process.env["FUZZ_CASES"] ?? usual);
}

/** Milliseconds after the first failure in which a smaller one is looked for. */
const SHRINKING = 60_000;

/**
 * Runs a property on arbitrary values. What fails is shrunk; the error has the smallest case and the command that
 * replays it. A case for which `property` returns `false` does not count.
 * @throws Error
 */
export async function forAll<T>(
  options: { values: fc.Arbitrary<T>; cases: number; file: string },
  property: (value: T) => Promise<boolean> | boolean,
): Promise<void> {
  let giveUp = Infinity;
  const guarded = fc.asyncProperty(options.values, async (value) => {
    if (Date.now() > giveUp) return;
    let counts: boolean;
    try {
      counts = await property(value);
    } catch (error) {
      giveUp = Math.min(giveUp, Date.now() + SHRINKING);
      throw error;
    }
    fc.pre(counts);
  });
  const result = await fc.check(guarded, { seed: SEED, numRuns: options.cases, maxSkipsPerRun: 100 });
  if (!result.failed) return;
  const { counterexample, errorInstance, numRuns, seed } = result;
  const reason = errorInstance instanceof Error ? errorInstance.message : "too few cases count";
  throw new Error(
    `${reason}\n` +
      `smallest case: ${JSON.stringify(counterexample?.[0])}\n` +
      `found in case ${numRuns}; replay with FUZZ_SEED=${seed} node test/run.ts ${options.file}`,
  );
}
