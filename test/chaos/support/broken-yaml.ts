// What happens to the text of a YAML file: by hand, by a merge, by a bad template.
import fc from "fast-check";
import { CANARY } from "./odd-values.ts";

/** One piece of text put in, or a stretch taken out. */
export interface TextBreak {
  /** Of the whole text, from 0 to 1. */
  place: number;
  /** Characters that are taken out there. */
  out: number;
  put: string;
  /** Whether it is a line of its own. */
  isLine: boolean;
}

/** Nine levels of nine: as a tree, more than the memory holds. */
const BOMB = [
  "x0: &x0 [a, a, a, a, a, a, a, a, a]",
  ...Array.from(
    { length: 8 },
    (_, level) => `x${level + 1}: &x${level + 1} [${Array(9).fill(`*x${level}`).join(", ")}]`,
  ),
].join("\n");

const PIECES = [
  ...["\t", "{", "}", "[", "]", ":", "- ", "'", '"', "|", ">", "#", "%", "@", "`", "\u0000", "\ufeff", "\r"],
  ...[
    "&a ",
    "*a",
    "&a [*a]",
    `*${CANARY}`,
    `!${CANARY} x`,
    "!!binary aGFsbG8=",
    "!!js/function x",
    "!!set {a}",
  ],
  ...["<<: *a", "<<: {a: 1}", `<<: ${CANARY}`, "? [a]\n: b", "---", "...", "%YAML 9.9", "<<<<<<< HEAD"],
  ...["2026-11-30", "2026-11-30T10:00:00Z", "0o17", "017", "1_000", ".inf", ".nan", "1e309", "~", "yes"],
  ...["zone:", "zone: 2026-11-30", "config: {}", `config: ${CANARY}`, "config: &a {b: *a}", `${CANARY}: {`],
  ...[`pulumi-proxies:checksumKey: ${CANARY}`, `  pulumi-proxies:extra: 2026-11-30`, `  proxies: {}`],
  ...["[".repeat(20_000), "- ".repeat(5_000), BOMB, `${BOMB}\nconfig:\n  pulumi-proxies:proxies: *x8`],
  ...["a: &a {b: *a}\nconfig:\n  zone: *a", "a: &a\n  b: [*a]\nconfig: *a"],
];

export const textBreak: fc.Arbitrary<TextBreak> = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  out: fc.constantFrom(0, 0, 0, 1, 1, 10, 200, 100_000),
  put: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
    fc.string({ unit: "binary", maxLength: 5 }),
    fc.constant(""),
  ),
  isLine: fc.boolean(),
});

export function brokenText(text: string, breaks: readonly TextBreak[]): string {
  return breaks.reduce((before, { place, out, put, isLine }) => {
    const near = Math.floor(place * before.length);
    const at = isLine ? before.indexOf("\n", near) + 1 : near;
    return before.slice(0, at) + put + (isLine ? "\n" : "") + before.slice(at + out);
  }, text);
}
