import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reportDocument } from "../../ci/preview/document.ts";
import { code, text } from "../../ci/preview/escape.ts";
import { LIMIT } from "../../ci/preview/fit.ts";
import { markdown, MARKER } from "../../ci/preview/markdown.ts";
import type { ZoneReport } from "../../ci/preview/model.ts";
import { failedZone } from "../../ci/preview/zone.ts";
import { asDocument, fixture, REPAIRS, reportOf, step } from "./support.ts";

test("the whole comment: a rotation, folded", () => {
  const zones = [
    reportOf(fixture("rotate-both.json")),
    { ...reportOf(fixture("same.json")), stack: "quiet" },
  ];
  const cell = (...cells: string[]): string => `| ${cells.join(" | ")} |`;
  const rotated = (secret: string): string => `config token rotated (Secret ${secret}, key configToken)`;
  const proxy = (name: string): string => `<code>Proxy ${name}</code>`;
  const own = "dc-own-config-token";
  const expected = [
    "prod-dc-east: 2 rollouts (2 config tokens rotated, valid until 2027-02-27); quiet: no change",
    "",
    MARKER,
    "",
    "<details>",
    "<summary><code>prod-dc-east</code>: 2 rollouts (2 config tokens rotated, valid until 2027-02-27)</summary>",
    "",
    cell("Component", "Object", "What changes", "Cause", "Effect", "Token valid until"),
    cell("---", "---", "---", "---", "---", "---"),
    cell(
      proxy("dc-east"),
      "<code>Deployment dc-east</code>",
      "<code>configuration checksum</code>",
      rotated("dc-east-config"),
      "rolls pods",
      "2027-02-27T20:03:58Z -> 2027-02-27T20:04:33Z",
    ),
    cell(
      proxy("dc-own"),
      "<code>Deployment dc-own</code>",
      "<code>configuration checksum</code>",
      rotated(own),
      "rolls pods",
      "2026-12-29T20:02:48Z -> 2027-02-27T20:04:33Z",
    ),
    cell(
      proxy("dc-own"),
      `<code>Secret ${own}</code>`,
      "<code>data.configToken</code>",
      "data from the stack file: key configToken",
      "with <code>Deployment dc-own</code>",
      "",
    ),
    "",
    "</details>",
    "",
  ];
  assert.equal(markdown(zones), expected.join("\n"));
});

test("what fails, replaces or deletes stands first and open", () => {
  const names = ["drift", "edit-delete", "bad-file", "replace"];
  const comment = markdown(names.map((name) => ({ ...reportOf(fixture(`${name}.json`)), stack: name })));
  const heads = [...comment.matchAll(/<details( open)?>\n<summary><code>([^<]+)/g)];
  assert.deepEqual(
    heads.map(([, open = "", stack = ""]) => stack + open),
    ["bad-file open", "replace open", "edit-delete open", "drift"],
  );
  assert.match(comment, /^> error: pulumi-proxies:proxies.dc-east: unknown field/m);
  assert.match(
    comment,
    /\| <code>Proxy dc-west<\/code> \| 4 objects \| .* \| \*\*deletes\*\* \| 2026-12-29T/,
  );
});

test("text is text, whatever it holds", () => {
  const table: [string, string][] = [
    ["a|b", "a&#124;b"],
    ["<b>&lt;", "&#60;b>&#38;lt;"],
    ["`x` *y* _z_ ~w~", "&#96;x&#96; &#42;y&#42; &#95;z&#95; &#126;w&#126;"],
    ["[a](b) ![c](d)", "&#91;a&#93;(b) !&#91;c&#93;(d)"],
    ["one\r\ntwo\u2028three", "one two three"],
    ["@everyone", "&#64;&#8203;everyone"],
    ["org/repo#12, GH-3", "org/repo&#35;&#8203;12, GH&#8203;-3"],
    ["https://evil.example www.evil.example", "https&#58;//evil.example www&#8203;.evil.example"],
    ["a\u202eb\u0000c", "a\ufffdb\ufffdc"],
    ["\\$x$", "&#92;&#36;x&#36;"],
    ["\ud800", "\ufffd"],
  ];
  for (const [given, expected] of table) assert.equal(text(given), expected);
  assert.equal(code("a`|"), "<code>a&#96;&#124;</code>");
  assert.equal(text("x".repeat(500)).length, 400);
});

/** Names as nobody would give them. */
const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("</details>", "<!--", "-->", "|", "\n\n# x\n", "`", "@team", "</code>", "<br>", "\\|"),
  fc.string({ unit: fc.constantFrom("|", "<", "@", "\u{1f4a9}", "_", "\n"), minLength: 300, maxLength: 600 }),
);

const change = fc.record({
  op: fc.constantFrom("create", "update", "delete", "replace", "odd"),
  kind: fc.constantFrom("Deployment", "Service", "Proxy"),
  proxy: nasty,
  paths: fc.array(nasty, { maxLength: 8 }),
  manager: nasty,
});

const zone = fc
  .record({ stack: nasty, changes: fc.array(change, { maxLength: 6 }), warning: nasty, fails: fc.boolean() })
  .map(({ stack, changes, warning, fails }): ZoneReport => {
    if (fails) return failedZone(stack, warning);
    const steps = changes.map(({ op, kind, proxy, paths }) =>
      step(op, { kind, proxy, paths: [...paths, REPAIRS] }),
    );
    const diagnostics = [
      { severity: "warning", message: warning },
      ...changes.map(({ kind, proxy, paths, manager }) => ({
        severity: "warning",
        message: `${kind} ns/${proxy} has fields that are not ours: ${paths.join(", ")} (by ${manager}); this run removes them`,
      })),
    ];
    return { ...reportOf(asDocument(steps, diagnostics)), stack };
  });

function checkStructure(comment: string): void {
  const [first = "", second, third] = comment.split("\n");
  assert.ok(first.length > 0 && !first.includes("<"), "the first line is text");
  assert.deepEqual([second, third], ["", MARKER]);
  const tags = comment.replace(MARKER, "").match(/<[^>]*>/g) ?? [];
  const open: string[] = [];
  for (const tag of tags) {
    const name = /^<(\/?)(details|summary|code|br)( open)?>$/.exec(tag);
    assert.ok(name, `no tag but ours: ${tag}`);
    if (name[2] === "br") continue;
    if (name[1] === "/") assert.equal(open.pop(), name[2]);
    else open.push(name[2] ?? "");
  }
  assert.deepEqual(open, [], "every tag is closed");
  for (const line of comment.split("\n").filter((of) => of.startsWith("|")))
    assert.equal(line.split("|").length, 8, "every row has its six cells");
  assert.doesNotMatch(comment.replace(MARKER, ""), /@|`|\\|!\[|\]\(/);
}

test("a comment is never above the limit, and whole, whatever zones, changes and names there are", () => {
  const property = fc.property(
    fc.array(zone, { maxLength: 5 }),
    fc.constantFrom(1, 15),
    fc.constantFrom(LIMIT, 38_000),
    (zones, times, limit) => {
      const many = Array.from({ length: times }, () => zones).flat();
      const comment = markdown(many, limit);
      assert.ok(Buffer.byteLength(comment) <= limit);
      checkStructure(comment);
    },
  );
  fc.assert(property, { numRuns: 40 });
});

test("a shortened comment keeps what is loud, counts what was cut, and the document has it all", () => {
  const rotated = reportOf(fixture("rotate-both.json"));
  const zones = Array.from({ length: 400 }, (_, index) => ({ ...rotated, stack: `zone-${index}` }));
  zones.push({ ...reportOf(fixture("replace.json")), stack: "loud" }, failedZone("broken", "why"));
  const comment = markdown(zones);
  checkStructure(comment);
  assert.match(comment, /^<details open>\n<summary><code>broken<\/code>/m);
  assert.match(comment, /^<details open>\n<summary><code>loud<\/code>/m);
  const shown = comment.match(/^\| <code>/gm)?.length ?? 0;
  const zonesShown = comment.match(/^<details/gm)?.length ?? 0;
  const [, lines = "0", , cutZones = "0"] =
    /\*\*Shortened for GitHub: (\d+) lines( and (\d+) zones)? not shown\.\*\*/.exec(comment) ?? [];
  assert.equal(shown + Number(lines), 400 * 3 + 1);
  assert.equal(zonesShown + Number(cutZones), 402);
  const document = reportDocument(zones) as { zones: { components: { changes: object[] }[] }[] };
  assert.equal(document.zones.flatMap((of) => of.components.flatMap(({ changes }) => changes)).length, 1201);
});

test("the document: its keys are an interface", () => {
  const document = reportDocument([reportOf(fixture("rotate-both.json"))]);
  const [zone] = (document as { zones: { components: { changes: object[] }[] }[] }).zones;
  assert.deepEqual(Object.keys(document), ["schemaVersion", "summary", "exitCode", "zones"]);
  const zoneKeys = ["stack", "status", "headline", "failure", "counts", "components", "warnings"];
  assert.deepEqual(Object.keys(zone ?? {}), zoneKeys);
  assert.deepEqual(zone?.components[1]?.changes[0], {
    kind: "Deployment",
    name: "dc-own",
    namespace: "proxies",
    isComponent: false,
    op: "update",
    effect: "rolls pods",
    partOf: null,
    causes: [
      {
        type: "token rotated",
        secret: "dc-own-config-token",
        key: "configToken",
        text: "config token rotated (Secret dc-own-config-token, key configToken)",
      },
    ],
    paths: [
      'metadata.annotations["pulumi-proxies.dev/reference-digests"]',
      'metadata.annotations["pulumi-proxies.dev/token-expires-at"]',
      'spec.template.metadata.annotations["otilm.com/config-checksum"]',
    ],
    tokenExpiry: { before: "2026-12-29T20:02:48Z", after: "2027-02-27T20:04:33Z" },
  });
});
