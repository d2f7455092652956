// Resources that somebody has saved.
import { readFileSync } from "node:fs";
import { parseYaml } from "../ci/yaml.ts";
import { isMap } from "../components/workload/validation.ts";
import { API_VERSION, type IlmResource, type Kind, KINDS, resourceOf } from "./resources.ts";

/**
 * Reads the resources of files; documents of other kinds are left alone.
 * @throws Error of one line that says which file is wrong; nothing in it is quoted
 */
export function readFiles(files: readonly string[]): IlmResource[] {
  return files.flatMap((file) => resourcesIn(file, readFileSync(file, "utf8")));
}

/** The resources of one file, of each document and of each list. */
export function resourcesIn(file: string, content: string): IlmResource[] {
  const found: IlmResource[] = [];
  const visit = (object: unknown): void => {
    if (!isMap(object)) return;
    const { apiVersion, kind, items } = object;
    if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) {
      // The items of a list of one kind may leave out what the list says already.
      for (const item of items)
        visit(isMap(item) ? { apiVersion, kind: kind.replace(/List$/, ""), ...item } : item);
      return;
    }
    if (!isKind(kind) || typeof apiVersion !== "string" || !apiVersion.startsWith("otilm.com/")) return;
    if (apiVersion !== API_VERSION) throw new Error(`${file}: a ${kind} is not of ${API_VERSION}`);
    found.push(resourceOf(kind, object));
  };
  let line = 1;
  // The reader of several documents would not tell the line of one.
  for (const document of content.split(/^(?=---(?:\s|$))/m)) {
    visit(parsed(file, line, document));
    line += document.split("\n").length - 1;
  }
  return found;
}

/** One document as JSON has it. */
function parsed(file: string, line: number, document: string): unknown {
  if (!/^(?!---)\s*[^#\s]|^---\s+[^#\s]/m.test(document)) return undefined;
  try {
    return parseYaml(file, document);
  } catch {
    // Its line would be one of the document alone.
    throw new Error(`${file}: the document from line ${line} on is no YAML`);
  }
}

function isKind(kind: unknown): kind is Kind {
  return typeof kind === "string" && Object.hasOwn(KINDS, kind);
}
