// Values and keys that nobody should write, and ways to break a document with them.
import fc from "fast-check";

/** Stands in every secret; none of it may be repeated. It is no name of an object, which may be. */
export const CANARY = "C4N4RY_0f_b4d_1nput";

/** Stands for `DEEP` lists within each other, which no writer of JSON could write. */
const DEEP_MARK = "@deep@";
const DEEP = 50_000;

/** A text with all marks replaced. */
export function withDepth(json: string): string {
  return json.replaceAll(`"${DEEP_MARK}"`, () => "[".repeat(DEEP) + "]".repeat(DEEP));
}

function nested(levels: number): unknown {
  let value: unknown = CANARY;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** An object whose field `__proto__` is one like any other, as JSON has it. */
function ownPrototype(value: unknown): object {
  return Object.defineProperty({}, "__proto__", { value, enumerable: true, configurable: true });
}

const ODD_VALUES: unknown[] = [
  ...[null, true, false, 0, -0, -1, 0.5, 2 ** 31, 2 ** 53 + 2, 1e21, 1e300, 5e-324],
  ...["", " ", "null", "{}", "[]", "2026-11-30", "0x10", "1e3", "yes", "\u0000", "a\nb", "\ud800", "🚇"],
  ...[[], {}, [null], [[]], { a: 1 }, { secure: CANARY }, { secure: 5 }, ownPrototype({ polluted: true })],
  ...[CANARY, CANARY, `${CANARY}\n`, [CANARY], { name: CANARY }, { [CANARY.slice(0, 4)]: CANARY }],
  ...[nested(20), nested(400), DEEP_MARK, ownPrototype(nested(3)), { constructor: { prototype: CANARY } }],
  ...[CANARY.repeat(3_000), "a".repeat(70_000), "a.".repeat(40_000), "-".repeat(70_000), "1".repeat(5_000)],
];

/** Any value: at the edge of what JSON has, the canary in many of them. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...ODD_VALUES) },
  fc.jsonValue({ maxDepth: 3 }).map(planted),
  fc.constant("x".repeat(2 ** 20)),
);

/** The same with the canary as every text in it. */
function planted(value: unknown): unknown {
  if (typeof value === "string") return CANARY;
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== "object" || value === null) return value;
  return fromEntries(Object.entries(value).map(([key, inner]) => [key, planted(inner)]));
}

/** Keys that mean something to JavaScript, to a terminal, or to nobody. */
export const ODD_KEYS: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "length", "0", "-1"],
  ...[
    "",
    " ",
    ".",
    "..",
    "a.b",
    'a"]b',
    "a\nb",
    "\u0000",
    "\u001b[31mred",
    "\u202edata",
    "ü",
    "\ud800",
    "🚇",
  ],
  ...["secure", "<<", "A", "x".repeat(64), "x".repeat(300), "x".repeat(100_000)],
];

type Break = (parent: object, key: string, value: unknown, odd: string) => void;

/** What may happen to one place of a document. */
const BREAKS: Record<string, Break> = {
  drop: (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
  },
  replace: (parent, key, value) => {
    put(parent, key, value);
  },
  retype: (parent, key) => {
    put(parent, key, retyped(Reflect.get(parent, key)));
  },
  duplicate: (parent, key, _, odd) => {
    const copy = structuredClone(Reflect.get(parent, key) as unknown);
    if (Array.isArray(parent)) parent.push(copy);
    else put(parent, odd, copy);
  },
  rename: (parent, key, _, odd) => {
    if (Array.isArray(parent)) return;
    const value: unknown = Reflect.get(parent, key);
    Reflect.deleteProperty(parent, key);
    put(parent, odd, value);
  },
  "add inside": (parent, key, value, odd) => {
    const inner: unknown = Reflect.get(parent, key);
    if (Array.isArray(inner)) inner.push(value);
    else if (typeof inner === "object" && inner !== null) put(inner, odd, value);
    else put(parent, odd, value);
  },
  wrap: (parent, key, _, odd) => {
    const inner: unknown = Reflect.get(parent, key);
    put(parent, key, odd === "" ? [inner] : fromEntries([[odd, inner]]));
  },
};

/** One thing that happens to a document. */
export interface Mutation {
  how: string;
  /** Which place: counted through all of it. */
  place: number;
  value: unknown;
  key: string;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom("replace", "replace", ...Object.keys(BREAKS)),
  place: fc.nat({ max: 1e6 }),
  value: fc.noBias(oddValue),
  key: fc.constantFrom(...ODD_KEYS),
});

/** A copy of a document to which all that has happened. */
export function mutated<T extends object>(document: T, mutations: readonly Mutation[]): T {
  const copy = structuredClone(document);
  for (const { how, place, value, key } of mutations) {
    const places = placesOf(copy);
    const at = places[place % Math.max(1, places.length)];
    if (at !== undefined) BREAKS[how]?.(at.parent, at.key, structuredClone(value), key);
  }
  return copy;
}

function placesOf(value: unknown, depth = 0): { parent: object; key: string }[] {
  if (typeof value !== "object" || value === null || depth > 12) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { parent: value, key },
    ...placesOf(inner, depth + 1),
  ]);
}

function retyped(value: unknown): unknown {
  if (typeof value === "string") return Number.isNaN(Number(value)) ? [value] : Number(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  return typeof value === "object" && value !== null ? Object.entries(value) : "null";
}

/** Sets a field, whatever its name means to JavaScript; a list has no names. */
function put(parent: object, key: string, value: unknown): void {
  if (Array.isArray(parent) && !/^\d+$/.test(key)) {
    parent.push(value);
    return;
  }
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function fromEntries(entries: [string, unknown][]): object {
  return Object.fromEntries(entries);
}
