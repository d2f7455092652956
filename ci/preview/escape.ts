// Names, field managers and paths come from clusters and stack files: in a comment they are text, whatever they hold.
import { shortened } from "./words.ts";

/** Characters of one value; what is longer says nothing more. */
const LONGEST = 400;

/**
 * What can mean something to Markdown, HTML or GitHub. Others stay readable: no tag opens without `<`, no quotation
 * starts inside a line.
 */
const SPECIAL = /[&<|\\`*_~[\]$]|[@#]|\bGH(?=-\d)|:(?=\/\/)|\bwww(?=\.)/gi;
/** Controls and line breaks; formatting that hides or turns text around. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

const reference = (character: string): string => `&#${character.codePointAt(0)};`;
/** Nothing to see; it keeps two characters apart. */
const APART = "&#8203;";

/** A value as text of a paragraph or of a cell: no markup, no mention, no link, one line. */
export function text(value: string, longest = LONGEST): string {
  const line = shortened(value.replace(/\s+/g, " ").replace(INVISIBLE, "\ufffd").trim(), longest);
  return line.replace(SPECIAL, (special) => {
    // GitHub looks for mentions and issues in what was rendered: only something in between keeps it off.
    if (special === "@" || special === "#") return reference(special) + APART;
    return special.length > 1 ? special + APART : reference(special);
  });
}

/** A value as code, where GitHub looks for neither mentions nor emoji. */
export function code(value: string, longest = LONGEST): string {
  return `<code>${text(value, longest)}</code>`;
}
