// docs/troubleshooting.md is written by hand: whatever the code can say to people is explained there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Message, messages, messagesIn, textOf } from "../../dev/messages.ts";
import { checkProxy } from "../../components/proxy/checks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(root + path, "utf8");

/** Texts that the page need not have, by file (or file and text), and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "components/zone/allow.ts": "reasons of the built-in list, for who reads the code: nothing prints them",
  "ci/status/kinds.ts": "a mistake in the code of the commands themselves",
  "components/children/operations.ts": "code that the engine runs, with one message, which the page has",
  "dev/package.ts": "seen only by who changes the code that is published",
  "dev/docs/": "seen only by who changes the code that makes the reference pages",
};

/** Without Markdown, and as if on one line. */
function plain(text: string): string {
  return text.replace(/[`*\\]/g, "").replace(/\s+/g, " ");
}

/** Paragraphs, code blocks and rows of tables: a message is found in one of them. */
const units = read("docs/troubleshooting.md")
  .split(/\n\s*\n|\n(?=\|)/)
  .map(plain);

/** What stands in the place of a value is short, so that the parts of a message are found in one place. */
function isExplained({ parts }: Message): boolean {
  const escaped = parts.map((part) => plain(part).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(escaped.join(".{0,120}?").trim());
  return units.some((unit) => pattern.test(unit));
}

const collected = messages(root);
const isLeftOut = ({ where }: Message): boolean =>
  Object.keys(LEFT_OUT).some((place) => where.startsWith(place));

test("the page has every message that the code can print", () => {
  assert.ok(collected.length > 200, "messages are still found");
  const lacking = collected.filter((message) => !isLeftOut(message) && !isExplained(message));
  assert.deepEqual(
    lacking.map((message) => `${message.where}: ${textOf(message)}`),
    [],
    "explain them in docs/troubleshooting.md",
  );
});

test("every place that is left out still has a message", () => {
  for (const place of Object.keys(LEFT_OUT))
    assert.ok(
      collected.some(({ where }) => where.startsWith(place)),
      place,
    );
});

test("the page has every reason of a condition", () => {
  const conditions = /## Conditions\n([\s\S]*?)\n## /.exec(read("docs/status.md"))?.[1] ?? "";
  const rows = conditions.split("\n").filter((line) => line.startsWith("|"));
  const reasons = rows
    .slice(2)
    .flatMap((row) => [...(row.split("|")[3] ?? "").matchAll(/`(\w+)`/g)].map(([, reason = ""]) => reason));
  assert.ok(reasons.length > 15);
  const page =
    /## Status conditions\n([\s\S]*?)\n## The commands of CI\n/.exec(read("docs/troubleshooting.md"))?.[1] ??
    "";
  for (const reason of reasons) assert.ok(page.includes(`\`${reason}\``), reason);
});

test("the page has what zod itself says of a wrong value", () => {
  const wrong = [
    { replicas: "2" },
    { replicas: 1.5 },
    { replicas: -1 },
    { replicas: 3e9 },
    { terminationGracePeriodSeconds: 1e300 },
    { image: { pullPolicy: "x" } },
    { secretRefs: [{ name: "x", type: "env", keys: [] }] },
    { tolerations: [{ key: 5 }] },
  ];
  for (const spec of wrong) {
    const [problem] = checkProxy("p", spec, true, "p").problems;
    const words = problem?.message.split(
      /-?\d+(?=$|"|\|)|"[^"]*"(?:\|"[^"]*")*|(?<=expected |received )\w+(?=$|,)/,
    );
    assert.ok(words !== undefined && isExplained({ where: "zod", parts: words }), problem?.message);
  }
});

test("a message is found wherever it is handed on", () => {
  const found = (code: string, words = true): string[] => messagesIn("x.ts", code, words).map(textOf);
  assert.deepEqual(found('throw new RunError(`zone ${name} is ` + "gone: " + why);'), [
    "zone <...> is gone: <...>",
  ]);
  assert.deepEqual(found('refuse(late ? "late" : `no ${thing ? "big one" : ""} here`, this);'), [
    "late",
    "big one",
    "no <...> here",
  ]);
  assert.deepEqual(found('const NOTE = "one of ours";'), ["one of ours"]);
  assert.deepEqual(found('const NOTE = "one of ours"; console.error(NOTE); throw Error("bad");', false), [
    "bad",
  ]);
  assert.deepEqual(found('const a: "b c" = b; import d from "e f"; join(" and "); `${a} ${b}`; "name";'), []);
});
