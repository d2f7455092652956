// How files that programs write here are laid out: as people's own.
import * as prettier from "prettier";

/** A text as it belongs into the file of this path, whose name says what it is. */
export async function formatFor(path: string, text: string): Promise<string> {
  return prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path });
}
