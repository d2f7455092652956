import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { CHARACTER, layout, placeLabels } from "../../ci/status/page/layout.ts";
import { statusPage } from "../../ci/status/page/page.ts";
import { rowsOf, unreadableZone } from "../../ci/status/rows.ts";
import { NOW, proxy, ZONES } from "./status-fleet.ts";

const FLEET = Object.entries(ZONES).flatMap(([zone, outputs]) => rowsOf(zone, outputs, NOW));

test("text from elsewhere stays text", () => {
  const canary = `<img src=x onerror="alert('canary')"></script></title>&lt;`;
  const escaped =
    "&lt;img src=x onerror=&quot;alert(&#39;canary&#39;)&quot;&gt;&lt;/script&gt;&lt;/title&gt;&amp;lt;";
  const output = proxy({ degraded: [canary, canary], phase: canary, version: canary, days: 9 });
  const rows = [...rowsOf(canary, { proxies: { [canary]: output } }, NOW), unreadableZone(canary, canary)];
  const page = statusPage(rows, "outputs", NOW);
  assert.doesNotMatch(page, /<img/);
  assert.equal(page.match(/<script>/g)?.length, 1);
  assert.equal(page.match(/<\/script>/g)?.length, 1);
  for (const cell of [`<th scope="row" class="long">${escaped}</th>`, `<p>${escaped}</p>`])
    assert.ok(page.includes(cell), cell);
});

test("the page allows its own style and script, needs nothing from elsewhere, and carries no style of its elements", () => {
  const page = statusPage(FLEET, "outputs", NOW);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
  const hash = (tag: string): string => {
    const [, text = ""] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page) ?? [];
    return `&#39;sha256-${createHash("sha256").update(text).digest("base64")}&#39;`;
  };
  assert.equal(
    policy,
    `default-src &#39;none&#39;; style-src ${hash("style")}; script-src ${hash("script")}; ` +
      "base-uri &#39;none&#39;; form-action &#39;none&#39;",
  );
  assert.doesNotMatch(page, /https?:|\b(src|href|style|on[a-z]+)=|url\(|@import/);
});

test("a fleet without tokens, and one without anything, have a page", () => {
  for (const rows of [[], rowsOf("z", { proxies: { p: proxy() } }, NOW)])
    assert.match(statusPage(rows, "live", NOW), /No token says when it ends\./);
});

test("every token has its mark", () => {
  const tokens = FLEET.flatMap((row) =>
    row.tokenExpiresAt === undefined ? [] : [{ row, end: new Date(row.tokenExpiresAt) }],
  );
  const plan = layout(tokens, NOW, 1080, 8);
  assert.equal(plan.marks.length, 10);
  const at = (name: string) => plan.marks.find(({ row }) => row.name === name)?.x;
  assert.equal(at("dc-west-standby"), plan.overdue);
  assert.equal(at("lab"), plan.later);
  const xs = plan.marks.map(({ x }) => x);
  assert.deepEqual(
    xs,
    xs.toSorted((a, b) => a - b),
  );
});

test("labels never overlap, and no leader crosses one", () => {
  const wish = fc
    .record({ x: fc.integer({ min: 0, max: 1000 }), length: fc.integer({ min: 1, max: 40 }) })
    .map(({ x, length }) => {
      const width = length * CHARACTER;
      return { text: "x".repeat(length), x, left: Math.min(x, 1000 - width), width, height: 0 };
    });
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (wishes, lanes) => {
      const labels = placeLabels(wishes, lanes);
      if (wishes.length > 0) assert.ok(labels.length > 0);
      for (const a of labels) {
        assert.ok(a.lane >= 0 && a.lane < lanes);
        for (const b of labels) {
          if (a === b) continue;
          const apart = a.left + a.width < b.left || b.left + b.width < a.left;
          assert.ok(apart || a.lane !== b.lane);
          if (a.lane > b.lane) assert.ok(a.x < b.left || a.x > b.left + b.width, "a leader crosses a label");
        }
      }
    }),
    { numRuns: 300 },
  );
});
