// How a case of bad input may end, and how often each end came.
import assert from "node:assert/strict";
import { CANARY } from "./odd-values.ts";

/** Milliseconds that one case may take on a busy machine: more is a hang. */
const BOUND = 20_000;

/** Characters of one message: more is a dump. */
const LONGEST = 1_000;

/** The canary as it is, and in base64, wherever in a text it begins. */
const FORBIDDEN = [
  CANARY,
  ...[0, 1, 2].map((before) =>
    Buffer.from(" ".repeat(before) + CANARY)
      .toString("base64")
      .slice(4, -4),
  ),
];
const NAMES = [Object.prototype, Array.prototype, Function.prototype].map(
  (prototype) => [prototype, Reflect.ownKeys(prototype).length] as const,
);

/** Fails for what no message may be: a dump, a stack, several lines, a secret. */
export function assertClear(message: string): void {
  assertNoSecret(message);
  assert.ok(message !== "" && message.length <= LONGEST, `too long: ${message.slice(0, 200)}`);
  assert.doesNotMatch(message, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/, "one line of plain text");
  assert.doesNotMatch(message, /\[object |\bNaN\b|TypeError|RangeError|SyntaxError| at .*\.ts:\d/);
}

/** Fails where a text holds a part of a secret. */
export function assertNoSecret(text: string): void {
  for (const secret of FORBIDDEN) assert.ok(!text.includes(secret), `a secret in: ${text.slice(0, 300)}`);
}

/** Fails where a case has left something in what all objects inherit. */
export function assertUnpolluted(): void {
  for (const [prototype, count] of NAMES) assert.equal(Reflect.ownKeys(prototype).length, count);
}

/** Counts how cases ended. */
export class Ends {
  readonly #counts = new Map<string, number>();

  /** Runs one case within its bound; it returns how it ended. */
  async of(run: () => string | Promise<string>): Promise<void> {
    const begin = performance.now();
    const end = await run();
    assert.ok(performance.now() - begin < BOUND, `it hangs: ${end}`);
    assertUnpolluted();
    this.#counts.set(end, (this.#counts.get(end) ?? 0) + 1);
  }

  /** The most frequent first. */
  rows(): { end: string; cases: number }[] {
    const sorted = [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return sorted.map(([end, cases]) => ({ end, cases }));
  }

  get kinds(): number {
    return this.#counts.size;
  }
}

const KINDS: [RegExp, string][] = [
  [/^unknown field/, "an unknown field"],
  [/^expected a map$/, "no map"],
  [/^(expected|Invalid input)|^too (small|big)|^invalid|^Invalid|^Too/i, "a wrong type or size"],
  [/secure value|must be secret|in clear/, "a secret in the wrong place"],
  [/its name/, "a name that can't be one"],
  [/control characters|nested/, "text or depth that can't be sent"],
  [/token/, "no token, or two"],
  [/^must|must be/, "a form that is not allowed"],
  [/twice|both|keep one|is the name of/, "two things that exclude each other"],
];

/** The kind of a problem, by the first of its words. */
export function kindOf(message: string): string {
  return KINDS.find(([pattern]) => pattern.test(message))?.[1] ?? "fields that do not go together";
}
