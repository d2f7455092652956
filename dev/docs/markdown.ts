import type { Models } from "typedoc";

export function code(text: string): string {
  return `\`${text}\``;
}

export function link(text: string, target: string): string {
  return `[${text}](${target})`;
}

/** Text of a JSDoc comment on one line. It is Markdown already, but not HTML. */
export function oneLine(parts: readonly Models.CommentDisplayPart[] | undefined): string {
  const text = (parts ?? []).map((part) => {
    if (part.kind === "text") return part.text.replaceAll("<", "\\<");
    return part.kind === "inline-tag" ? code(part.text) : part.text;
  });
  return text.join("").replace(/\s+/g, " ").trim();
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );
  return lines.join("\n");
}
