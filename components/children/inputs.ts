import * as pulumi from "@pulumi/pulumi";
import type { Problem } from "../workload/validation.ts";
import { failRun, formatProblems, refuse } from "./failing.ts";

/**
 * The same shape with every leaf an Input. Booleans stay plain: they decide which objects there are, and that must be
 * known before anything runs.
 */
export type Inputs<T> = T extends boolean | undefined
  ? T
  : T extends readonly (infer Element)[]
    ? pulumi.Input<Inputs<Element>[]>
    : T extends object
      ? { [Key in keyof T]: Inputs<T[Key]> }
      : pulumi.Input<T>;

/** Outcome of checking a spec: it, or all its problems. */
export type Checked<Spec> = { spec: Spec; problems: [] } | { spec: undefined; problems: Problem[] };

/**
 * The spec of a component, checked: at once when it is plain, else when its Outputs have resolved.
 * @throws pulumi.ResourceError for a plain spec with problems; one that only resolves to them fails the run later
 */
export function checkedSpec<Spec>(
  component: pulumi.Resource,
  given: Inputs<Spec>,
  check: (spec: unknown) => Checked<Spec>,
): pulumi.Output<Spec> {
  if (!holdsOutputs(given)) {
    const { spec, problems } = check(given);
    if (spec === undefined) refuse(formatProblems(problems), component);
    return pulumi.output(given as object).apply((): Spec => spec);
  }
  return pulumi.output(given as object).apply(async (resolved): Promise<Spec> => {
    const { spec, problems } = check(resolved);
    if (spec !== undefined) return spec;
    return stop(formatProblems(problems), component);
  });
}

/** A step of plain code in which the program's author has a hand: what it throws fails the run, in one line. */
export function orFail<From, To>(
  component: pulumi.Resource,
  value: pulumi.Output<From>,
  step: (value: From) => To,
): pulumi.Output<To> {
  const run = async (plain: From): Promise<To> => {
    try {
      return step(plain);
    } catch (error) {
      return stop(error instanceof Error ? error.message : String(error), component);
    }
  };
  return value.apply(run);
}

/** Fails the run. Children wait for ever for what does not come, so that nothing of them is made. */
async function stop(message: string, component: pulumi.Resource): Promise<never> {
  await failRun(message, component);
  return new Promise<never>(() => undefined);
}

function holdsOutputs(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsOutputs);
}
