import type { z } from "zod";
import { podProblems } from "./pod-checks.ts";
import { scalingProblems } from "./scaling-checks.ts";
import { check, componentName, type Problem } from "./validation.ts";
import type { WorkloadSpec } from "./workload-spec.ts";

/**
 * Checks the name and the spec of a component's workload, field by field and together: the spec where its fields alone
 * are right, and every problem with its path below `path`. `graceOf` says what the pods get to end in.
 */
export function checkWorkload<Spec extends WorkloadSpec>(
  { name, component }: { name: string; component: string },
  schema: z.ZodType<Spec>,
  given: unknown,
  path: string,
  graceOf: (spec: Spec) => number | undefined,
): { spec: Spec | undefined; problems: Problem[] } {
  const named = check(componentName, name, path);
  const { value, problems } = check<Spec>(schema, given, path);
  const together =
    value === undefined
      ? []
      : [
          ...podProblems({ ...value, terminationGracePeriodSeconds: graceOf(value) }, component, path),
          ...scalingProblems(value, { name, component }, path),
        ];
  const misnamed = named.problems.map(({ message }) => ({ path, message: `its name ${message}` }));
  return { spec: value, problems: [...misnamed, ...problems, ...together] };
}
