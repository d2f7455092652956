// What the command prints: pure.
import type { Checked, Fate } from "./checks.ts";
import type { Entry } from "./entries.ts";
import type { Step } from "./steps.ts";

/** How each fate is told; what `pulumi up` merely updates needs no word. */
const WORDS: readonly [Fate, string][] = [
  ["controlled", "belong to it until step 1"],
  ["free", "belong to nobody: `pulumi up` takes them over"],
  ["ours", "are this stack's already"],
  ["used", "was asked for by name: its pods use it, and nobody writes to it"],
  ["absent", "not there: `pulumi up` makes them"],
  ["left", "not asked for: belong to nobody after step 1; delete them by hand, once that is done"],
];

/** A resource, and what is known of it. */
export function resourceLines(
  { kind, name }: { kind: string; name: string },
  entry: Entry,
  checked?: Checked,
): string[] {
  const objects = WORDS.flatMap(([fate, words]) => {
    const kinds = [...(checked?.fates ?? [])].filter(([, found]) => found === fate).map(([of]) => of);
    return kinds.length === 0 ? [] : [`${kinds.join(", ")}: ${words}`];
  });
  return [`${kind} ${name}`, ...[...objects, ...entry.notes].map((line) => `  ${line}`)];
}

/** The steps, numbered; each command stands on a line of its own, indented. */
export function stepLines(all: readonly Step[]): string[] {
  return all.flatMap(({ text, commands }, index) => [
    `${index + 1}. ${text}`,
    ...commands.map((command) => `     ${command}`),
  ]);
}
