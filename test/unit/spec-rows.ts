import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { check } from "../../components/workload/validation.ts";
import { CANARY, only } from "./support.ts";

/** Tests that a schema takes each value, and gives it back as it is. */
export function accepted(schema: z.ZodType, rows: readonly [what: string, value: unknown][]): void {
  for (const [what, value] of rows) {
    test(`${what} is accepted as it is`, () => {
      assert.deepEqual(check(schema, value, "p"), { value, problems: [] });
    });
  }
}

/** Tests that a schema has one problem with each value, which tells path and allowed form, and no value. */
export function refused(
  schema: z.ZodType,
  rows: readonly [what: string, value: unknown, path: string, message: RegExp][],
): void {
  for (const [what, value, path, message] of rows) {
    test(`${what} is refused by path and allowed form, without the value`, () => {
      const { problems } = check(schema, value, "p");
      const problem = only(problems);
      assert.equal(problem.path, path);
      assert.match(problem.message, message);
      assert.equal(JSON.stringify(problems).includes(CANARY), false);
    });
  }
}

/** The smallest list of containers, with further fields. */
export function container(fields: object): object[] {
  return [{ name: "c", image: "i:1", ...fields }];
}
