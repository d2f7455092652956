/** Operations of the engine that leave things as they are. */
export const QUIET_OPS: ReadonlySet<string> = new Set(["same", "read", "refresh"]);

const STEP = '\n        {\n            "op": "';
const END = "\n        }";
/** What a step says first, operation and URN, fits into so many bytes. */
const HEAD = 1024;

/**
 * Takes the steps that change nothing out of a document that the CLI wrote, before anything is decoded and parsed: they
 * are nearly all of it, and a fleet's previews are hundreds of megabytes. It goes by the indentation, which no text
 * inside can imitate, since JSON's strings hold no raw line breaks; a document that is written otherwise comes back as
 * it is.
 */
export function cutQuietSteps(saved: Buffer): { rest: string; refreshed: Set<string> } {
  const refreshed = new Set<string>();
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = saved.indexOf(STEP); at !== -1;) {
    const end = saved.indexOf(END, at + STEP.length);
    if (end === -1) break;
    const head = saved.toString("utf8", at + STEP.length, Math.min(end, at + HEAD));
    const [, op = "", urn] = /^([^"]*)",(?:\n {12}"urn": "([^"\\]+)")?/.exec(head) ?? [];
    if (QUIET_OPS.has(op)) {
      if (op === "refresh" && urn !== undefined) refreshed.add(urn);
      kept.push(saved.subarray(from, at));
      const after = end + END.length;
      from = saved[after] === COMMA ? after + 1 : after;
    }
    at = saved.indexOf(STEP, end);
  }
  kept.push(saved.subarray(from));
  // Where the last step was taken out, the comma before it goes as well.
  const rest = Buffer.concat(kept)
    .toString("utf8")
    .replace(/\},(?=\n {4}\](?:,|\n))/g, "}");
  return { rest, refreshed };
}

const COMMA = ",".charCodeAt(0);
