/** Reads the block "Resources:" at the end of a run. */
export function parseChanges(output: string): Record<string, number> {
  const words: Record<string, string> = {
    created: "create",
    updated: "update",
    deleted: "delete",
    replaced: "replace",
  };
  const block = /\nResources:\n((?: {4}.*\n?)+)/.exec(output)?.[1] ?? "";
  const counts = [...block.matchAll(/(\d+) (?:to )?([a-z]+)/g)].filter(([, , word]) => word !== "changes");
  return Object.fromEntries(counts.map(([, count, word = ""]) => [words[word] ?? word, Number(count)]));
}
