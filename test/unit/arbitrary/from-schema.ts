// Arbitrary values that a zod schema allows, for fast-check: a field that is added to a schema is generated at once.
import * as fc from "fast-check";
import type { z } from "zod";
import { definition } from "./schema-fields.ts";
import { FREQUENT, NUMBERS, STRINGS } from "./values.ts";

type Check = z.core.$ZodChecks["_zod"]["def"];

/** A value that the schema allows, its own rules included. */
export function allowedBy(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const checked = checksOf(schema).length > 0;
  const plain = shaped(schema);
  return checked ? plain.filter((value) => allows(schema, value)) : plain;
}

function allows(schema: z.core.$ZodType, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}

function checksOf(schema: z.core.$ZodType): Check[] {
  return (definition(schema).checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);
}

function shaped(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const def = definition(schema);
  switch (def.type) {
    case "optional":
      return allowedBy(def.innerType);
    case "pipe":
      return allowedBy(def.in);
    case "union":
      return fc.oneof(...def.options.map(allowedBy));
    case "object":
      return objectOf(def.shape);
    case "record":
      return mapOf(def.keyType, def.valueType);
    case "array":
      return fc.array(allowedBy(def.element), { ...lengths(schema), size: "max" });
    case "string":
      return strings(schema);
    case "number":
      return numbers(schema);
    case "boolean":
      return fc.boolean();
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "literal":
      return fc.constantFrom(...def.values);
    default:
      throw new Error(`no values are known for schemas of type ${def.type}`);
  }
}

/** Every second optional field stands there. */
function objectOf(shape: z.core.$ZodLooseShape): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape).map(([key, field]): [string, fc.Arbitrary<unknown>] => {
    const arbitrary = allowedBy(field as z.core.$ZodType);
    const isOptional = definition(field as z.core.$ZodType).type === "optional";
    return [key, isOptional ? fc.option(arbitrary, { freq: 2, nil: undefined }) : arbitrary];
  });
  return fc
    .record(Object.fromEntries(fields), { noNullPrototype: true })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}

function mapOf(keys: z.core.$ZodType, values: z.core.$ZodType): fc.Arbitrary<unknown> {
  // What nobody describes is the API server's business alone.
  if (definition(values).type === "unknown") return fc.constant({});
  const key = allowedBy(keys) as fc.Arbitrary<string>;
  return fc
    .array(fc.tuple(key, allowedBy(values)), { maxLength: 3, size: "max" })
    .map((entries) => Object.fromEntries(entries));
}

function lengths(schema: z.core.$ZodType): { minLength: number; maxLength: number } {
  let [minLength, maxLength] = [0, 3];
  for (const check of checksOf(schema)) {
    if (check.check === "min_length") minLength = check.minimum;
    if (check.check === "max_length") maxLength = Math.min(maxLength, check.maximum);
    if (check.check === "length_equals") minLength = maxLength = check.length;
  }
  return { minLength, maxLength };
}

function strings(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const known = STRINGS.filter((text) => allows(schema, text));
  const patterns = checksOf(schema).flatMap((check) =>
    "pattern" in check && check.pattern instanceof RegExp ? [check.pattern] : [],
  );
  const made =
    patterns.length === 0 && allows(schema, "free text")
      ? [fc.string({ unit: "binary" }).filter((text) => allows(schema, text))]
      : patterns.map((pattern) =>
          fc
            .stringMatching(withoutLookaheads(pattern), { size: "-1" })
            .filter((text) => allows(schema, text)),
        );
  if (known.length === 0) throw new Error("no value in values.ts fits: add some");
  const frequent = FREQUENT.filter((text) => allows(schema, text));
  return fc.oneof(
    ...(frequent.length > 0 ? [fc.constantFrom(...frequent)] : []),
    { weight: 2, arbitrary: fc.constantFrom(...known) },
    ...made,
  );
}

/** fast-check makes no strings for them; what they would refuse is filtered out. */
function withoutLookaheads({ source }: RegExp): RegExp {
  let text = source;
  for (let start = text.search(/\(\?[=!]/); start !== -1; start = text.search(/\(\?[=!]/)) {
    let [end, depth] = [start, 0];
    do {
      if (text[end] === "\\") end++;
      else if (text[end] === "(") depth++;
      else if (text[end] === ")") depth--;
      end++;
    } while (depth > 0);
    text = text.slice(0, start) + text.slice(end);
  }
  return new RegExp(text);
}

function numbers(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const known = NUMBERS.filter((number) => allows(schema, number));
  if (known.length === 0) throw new Error("no number in values.ts fits: add some");
  return fc.constantFrom(...known);
}
