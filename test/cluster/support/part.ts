import type { TestContext } from "node:test";

/** A part of a test on which the next ones build: where it fails the test ends, as failed. */
export async function part(t: TestContext, name: string, body: () => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  await t.test(name, async () => {
    try {
      await body();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  });
  // The failure of a subtest alone would neither stop the test nor tell its clean-up that it failed.
  if (failures.length > 0) throw new Error(`it ends with this part: ${name}`, { cause: failures[0] });
}
