import { closest, distance } from "fastest-levenshtein";
import { z } from "zod";

/** One thing that is wrong with what a person wrote. The message never repeats a value: it may be a secret. */
export interface Problem {
  /** Path as it is written in a stack file: `proxies.dc-east.env[0].name`. */
  path: string;
  message: string;
}

/** Between problems for which zod has one message; no key that is shown holds it. */
const BETWEEN = "\n";

/** An object that refuses unknown fields and says which known one was probably meant. */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => unknownField(key, known)).join(BETWEEN)
        : undefined,
  });
}

/** Characters of a key that a message shows: the longest that may stand anywhere is that of a label. */
const MOST_SHOWN = 317;
/** Keys that one message lists. */
const MOST_LISTED = 60;
/** What JSON leaves as it is, and a terminal may not show, or turn around. */
const INVISIBLE = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A key as a message shows it: it may hold anything, and can neither fill a terminal nor steer it. */
export function shown(key: string): string {
  const short = key.length > MOST_SHOWN ? `${key.slice(0, MOST_SHOWN)}...` : key;
  const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
  return JSON.stringify(short).slice(1, -1).replace(INVISIBLE, escaped);
}

/** The message for a key that nothing reads. */
export function unknownField(key: string, known: readonly string[]): string {
  const meant = meantBy(key, known);
  const rest = known.length > MOST_LISTED ? ", ..." : "";
  const listed = known.slice(0, MOST_LISTED).map(shown).join(", ") + rest;
  return `unknown field "${shown(key)}"${meant === undefined ? `; known: ${listed}` : `; did you mean "${shown(meant)}"?`}`;
}

/** The one of the known keys that a person meant, most likely. */
function meantBy(key: string, known: readonly string[]): string | undefined {
  // What is as long as a document is nobody's slip, and takes as long to compare.
  const near = [key, ...known].some(({ length }) => length > MOST_SHOWN) ? [] : known;
  if (near.length === 0) return undefined;
  const nearest = closest(key.toLowerCase(), [...near]);
  // A third of the letters may be wrong: more is another word.
  const tolerance = Math.max(1, Math.floor(key.length / 3));
  return distance(key.toLowerCase(), nearest.toLowerCase()) <= tolerance ? nearest : undefined;
}

/** Checks a value against a schema: the value with its defaults, or every problem at once. */
export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: string,
): { value: T; problems: [] } | { value: undefined; problems: Problem[] } {
  const result = schema.safeParse(value);
  if (result.success) {
    const problems = isDeeper(result.data, MOST_LEVELS)
      ? [{ path, message: `must not be nested deeper than ${MOST_LEVELS} levels` }]
      : unsendable(result.data, path);
    return problems.length === 0 ? { value: result.data, problems: [] } : { value: undefined, problems };
  }
  return {
    value: undefined,
    problems: result.error.issues.flatMap((issue) =>
      messageOf(issue)
        .split(BETWEEN)
        .map((message) => ({ path: issue.path.reduce<string>(joinPath, path), message })),
    ),
  };
}

/**
 * What the API server can't take in any text: it reads what is applied as YAML, and a process gets no NUL.
 * https://yaml.org/spec/1.2.2/#51-character-set
 */
const UNSENDABLE = /[\0\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u;

/** No person writes as many, and what walks through them has a stack to overflow. */
const MOST_LEVELS = 100;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function unsendable(value: unknown, path: string): Problem[] {
  if (typeof value === "string") {
    return UNSENDABLE.test(value) ? [{ path, message: "must not hold NUL or other control characters" }] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, inner]) => unsendable(inner, joinPath(path, key)));
}

function messageOf(issue: z.core.$ZodIssue): string {
  // What is wrong with a key of a map stands one level deeper.
  const inner = issue.code === "invalid_key" ? issue.issues[0] : issue;
  return (inner ?? issue).message.replace(/^Invalid input: /, "");
}

/** A path and one step more, as `pulumi config --path` takes it. */
export function joinPath(path: string, key: PropertyKey): string {
  if (typeof key === "number") return `${path}[${key}]`;
  const text = String(key);
  const plain = text.length <= MOST_SHOWN && /^[A-Za-z_][\w-]*$/.test(text);
  if (!plain) return `${path}["${shown(text)}"]`;
  return path === "" ? text : `${path}.${text}`;
}

const matching = (pattern: RegExp, max: number, allowed: string) =>
  z.string().max(max, `must be at most ${max} characters`).regex(pattern, `must be ${allowed}`);

/**
 * The name of a component and of each of its objects. A Service's name is the narrowest of them (RFC 1035).
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#rfc-1035-label-names
 */
export const componentName = matching(
  /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  63,
  "lower-case letters, digits and '-', starting with a letter and ending with a letter or digit",
);

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
export const objectName = matching(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  253,
  "lower-case letters, digits, '-' and '.', starting and ending with a letter or digit",
);

/** A namespace: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
export const namespaceName = matching(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  63,
  "lower-case letters, digits and '-', starting and ending with a letter or digit",
);

/** A volume: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
export const volumeName = namespaceName;

/** A container: the same. */
export const containerName = namespaceName;

/** A key of a Secret or ConfigMap. */
export const dataKey = matching(
  /^(?!\.$|\.\.)[-._a-zA-Z0-9]+$/,
  253,
  "letters, digits, '-', '_' and '.', not only '.' and not starting with '..'",
);

/** The name of an environment variable, as every supported Kubernetes version takes it. */
export const envName = matching(
  /^[-._a-zA-Z][-._a-zA-Z0-9]*$/,
  253,
  "letters, digits, '-', '_' and '.', not starting with a digit",
);

/**
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 * An exponent of twelve digits keeps an API server busy for a minute; two are enough for every quantity there is.
 */
export const quantity = z
  .union([z.string(), z.number()], { error: "must be a quantity such as 100m, 0.5, 128Mi or 1Gi" })
  .transform(String)
  .refine(
    (text) => /^[+]?(\d+(\.\d*)?|\.\d+)(m|u|n|k|[KMGTPE]i|[MGTPE]|[eE][+-]?\d{1,2})?$/.test(text),
    "must be a quantity such as 100m, 0.5, 128Mi or 1Gi",
  );

const countOrShare = "must be a whole number from 0 on, or a percentage such as 50%";

/** A count, or a share of the replicas. */
export const intOrPercent = z
  .union([z.number(), z.string()], { error: countOrShare })
  .refine(
    (value) =>
      typeof value === "number"
        ? Number.isInteger(value) && value >= 0 && value <= 2147483647
        : /^\d{1,9}%$/.test(value),
    countOrShare,
  );

/** A count, or a share that can't be more than all. */
export const shareOrCount = intOrPercent.refine(
  (value) => typeof value === "number" || !(Number.parseInt(value) > 100),
  "must be at most 100%",
);

/** Whether a count or share is nothing at all. */
export function isZero(value: number | string | undefined): boolean {
  return value !== undefined && /^0+%?$/.test(String(value));
}

/**
 * A Prometheus duration: each unit at most once, the largest first.
 * https://prometheus.io/docs/prometheus/latest/querying/basics/#time-durations
 */
export const duration = z
  .string()
  .regex(
    /^(?=\d)(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$/,
    "must be a Prometheus duration such as 30s or 1m30s",
  );

const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

/** The milliseconds of a `duration`; a week has 7 days, a year 365. */
export function durationMilliseconds(text: string): number {
  return [...text.matchAll(/(\d+)(ms|[smhdwy])/g)].reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (MILLISECONDS[unit] ?? 0),
    0,
  );
}

/** The value of a map's own field: what people name may have the name of something that every object has. */
export function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whether a value, as JSON or YAML has them, is a map. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The key of a label or annotation. */
export const qualifiedName = matching(
  /^(?![^/]{254})([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/,
  317,
  "a name of at most 63 letters, digits, '-', '_' and '.', with an optional DNS prefix and '/' before it",
);

/** The value of a label; it may be empty. */
export const labelValue = matching(
  /^([A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?)?$/,
  63,
  "letters, digits, '-', '_' and '.', starting and ending with a letter or digit",
);

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
export const labels = z.record(qualifiedName, labelValue);

/** Kubernetes takes 256 KiB; the rest is for our own. */
const MAX_ANNOTATIONS = 250_000;

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set */
export const annotations = z
  .record(qualifiedName, z.string())
  .refine((all) => Buffer.byteLength(Object.entries(all).flat().join("")) <= MAX_ANNOTATIONS, {
    error: `must be at most ${MAX_ANNOTATIONS} bytes, keys and values together`,
  });
