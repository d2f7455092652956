// What a YAML file of people says, and what is wrong with one: never by quoting it, since a secret may stand in it.
import { load, YAMLException } from "js-yaml";
import { isMap } from "../components/workload/validation.ts";

/** Values of one file, each alias counted as what it stands for: no zone has as many, and a memory has an end. */
const MOST_VALUES = 1_000_000;

/** Levels of maps and lists: as deep as the reader itself goes. */
const MOST_LEVELS = 100;

/**
 * A file as plain values, aliases and merge keys (`<<`) replaced by what they stand for, as the engine reads it;
 * undefined where there is nothing in it.
 * @throws Error of one line that names the file
 */
export function parseYaml(file: string, text: string): unknown {
  // The reader refuses a file of comments alone.
  if (!/^\s*[^#\s]/m.test(text)) return undefined;
  let value: unknown;
  try {
    value = load(text) ?? undefined;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { mark } = error;
    throw new Error(`${file}: ${mark === undefined ? "it" : `line ${mark.line + 1}`} is no YAML`);
  }
  return plain(file, value, { left: MOST_VALUES }, MOST_LEVELS);
}

/** A value as a tree. */
function plain(file: string, value: unknown, values: { left: number }, levels: number): unknown {
  if (values.left-- <= 0 || levels < 0)
    throw new Error(`${file}: its aliases refer to themselves, or come to too many values`);
  const inside = (inner: unknown): unknown => plain(file, inner, values, levels - 1);
  if (Array.isArray(value)) return value.map(inside);
  if (!isMap(value)) return value;
  const own = Object.entries(value).map(([key, inner]): [string, unknown] => [key, inside(inner)]);
  // A list has the first of its maps win; a map's own keys win over all.
  const merged = own.flatMap(([key, inner]) => (key === "<<" ? [inner].flat().reverse() : []));
  if (merged.length === 0 || !merged.every(isMap)) return Object.fromEntries(own);
  return Object.fromEntries([...merged.flatMap(Object.entries), ...own.filter(([key]) => key !== "<<")]);
}
