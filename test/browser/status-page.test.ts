// The page of `npm run status -- --html`, as a browser shows it. Screenshots: test-results/status-page-*.png.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { statusPage } from "../../ci/status/page/page.ts";
import { type Row, rowsOf, unreadableZone } from "../../ci/status/rows.ts";
import { NOW, proxy, ZONES } from "../ci/status-fleet.ts";
import { launch } from "./support/launch.ts";
import { contrasts, overlaps } from "./support/measure.ts";

const RESULTS = "test-results";
const FLEET: Row[] = [
  ...Object.entries(ZONES).flatMap(([zone, outputs]) => rowsOf(zone, outputs, NOW)),
  unreadableZone("prod-mars", 'no stack named "prod-mars" found'),
];
/** Everything as long and as many as it may be. */
const CROWD: Row[] = Array.from({ length: 40 }, (_, zone) =>
  rowsOf(
    `prod-${"long".repeat(14)}-${zone}`,
    {
      proxies: Object.fromEntries(
        Array.from({ length: 5 }, (_, index) => [
          `p${zone}-${index}-${"name".repeat(13)}`,
          proxy({
            days: ((zone * 5 + index) * 37) % 420,
            version: `sha256:${"ab".repeat(32)}`,
            degraded: ["ReplicaFailure", `pods are forbidden: ${"very".repeat(40)}`],
          }),
        ]),
      ),
    },
    NOW,
  ),
).flat();

let browser: Browser;
/** What the browser had to say of a page. */
const complaints: string[] = [];
const folder = mkdtempSync(join(tmpdir(), "status-page-"));
before(async () => {
  mkdirSync(RESULTS, { recursive: true });
  browser = await launch();
});
afterEach(() => {
  assert.deepEqual(complaints.splice(0), []);
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Shown {
  rows?: Row[];
  width?: number;
  scheme?: "light" | "dark";
  script?: boolean;
}

/** Opens the page of a fleet; whatever the browser complains of, or loads beside it, fails the test. */
async function open({ rows = FLEET, width = 1280, scheme = "light", script = true }: Shown): Promise<Page> {
  const path = join(folder, `${Math.random()}.html`);
  writeFileSync(path, statusPage(rows, "outputs", NOW));
  const page = await browser.newPage();
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const { href } = pathToFileURL(path);
  await page.goto(href);
  assert.deepEqual(requests, [href]);
  return page;
}

function column(page: Page, header: string): Promise<string[]> {
  return page.evaluate((title) => {
    const headers = [...document.querySelectorAll("thead th")];
    const index = headers.findIndex((cell) => cell.textContent.trim() === title);
    const rows = [...document.querySelectorAll("tbody tr")];
    return rows.map((row) => row.children[index]?.textContent.trim() ?? "");
  }, header);
}

function sorting(page: Page): Promise<string[]> {
  return page.$$eval("th[aria-sort]", (headers) =>
    headers.map((header) => `${header.textContent.trim()} ${header.ariaSort}`),
  );
}

const click = (page: Page, header: string): Promise<void> => page.click(`thead ::-p-text(${header})`);

test("a click on a header sorts, another one turns it round", async () => {
  const page = await open({});
  assert.deepEqual(await sorting(page), []);
  assert.equal((await column(page, "Zone"))[0], "prod-mars");
  await click(page, "Name");
  assert.deepEqual(await sorting(page), ["Name ascending"]);
  const names = (await column(page, "Name")).filter(Boolean);
  assert.deepEqual(names.slice(0, 3), ["dc-east-a", "dc-east-a", "dc-east-b"]);
  await click(page, "Name");
  assert.deepEqual(await sorting(page), ["Name descending"]);
  assert.equal((await column(page, "Name"))[0], "partner-b");
  // Dates by time, not by their text; what has none comes last either way.
  await click(page, "Token ends");
  assert.deepEqual(await sorting(page), ["Token ends ascending"]);
  const ends = await column(page, "Token ends");
  assert.match(ends[0] ?? "", /^2026-11-20 expired 9d ago$/);
  assert.deepEqual(ends.slice(-3), ["", "", ""]);
  await click(page, "Token ends");
  const turned = await column(page, "Token ends");
  assert.match(turned[0] ?? "", /^2028-04-12 in 500d$/);
  assert.deepEqual(turned.slice(-3), ["", "", ""]);
  // A phase by its urgency: what the page begins with.
  await click(page, "Phase");
  assert.equal((await column(page, "Zone"))[0], "prod-mars");
});

test("headers sort by keyboard, and say so", async () => {
  const page = await open({});
  await page.focus("thead th:nth-child(5) button");
  await page.keyboard.press("Enter");
  assert.deepEqual(await sorting(page), ["Version ascending"]);
  const snapshot = JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }));
  for (const role of ["columnheader", "rowheader", "caption", "heading"])
    assert.ok(snapshot.includes(`"role":"${role}"`), role);
});

test("without script the table stands, by urgency", async () => {
  const page = await open({ script: false });
  assert.match(await page.content(), /<td class="word" data-label="Zone">prod-dc-east<\/td>/);
  assert.doesNotMatch(await page.content(), /<button/);
});

for (const [name, rows] of [
  ["fleet", FLEET],
  ["crowd", CROWD],
] as const) {
  for (const width of [1280, 800, 375, 320]) {
    test(`${name}, ${width} px: no label overlaps another, nothing is wider than the page`, async () => {
      const page = await open({ rows: [...rows], width });
      const found = await page.evaluate(overlaps);
      assert.ok(found.texts > 8, `${found.texts} texts`);
      assert.deepEqual(found.overlapping, []);
      assert.deepEqual(found.outside, []);
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.deepEqual(widths, [width, width]);
      await page.screenshot({
        path: `${RESULTS}/status-page-${name}-${width}.png`,
        fullPage: name === "fleet",
      });
    });
  }
}

for (const scheme of ["light", "dark"] as const) {
  test(`${scheme}: every text has the contrast of WCAG AA`, async () => {
    const page = await open({ scheme });
    const found = await page.evaluate(contrasts);
    assert.ok(found.length > 50, `${found.length} texts`);
    assert.deepEqual(
      found.filter(({ ratio }) => ratio < 4.5),
      [],
    );
    await page.screenshot({ path: `${RESULTS}/status-page-${scheme}.png`, fullPage: true });
  });
}

test("on paper it is light, and nothing is cut", async () => {
  const page = await open({ scheme: "dark", width: 718 });
  await page.emulateMediaType("print");
  assert.equal(
    await page.$eval("section", (section) => getComputedStyle(section).backgroundColor),
    "rgb(255, 255, 255)",
  );
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 718);
  const cut = await page.$$eval(
    "li, td, th",
    (all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length,
  );
  assert.equal(cut, 0);
  const paper = await page.pdf({ format: "a4" });
  assert.ok(paper.length > 10_000);
  await page.screenshot({ path: `${RESULTS}/status-page-print.png`, fullPage: true });
});

test("text from elsewhere does not run", async () => {
  const canary = `"><img src=x onerror="console.log('canary')"><script>console.log('canary')</script>`;
  const rows = rowsOf(canary, { proxies: { [canary]: proxy({ degraded: [canary, canary], days: 5 }) } }, NOW);
  const page = await open({ rows });
  assert.deepEqual(await column(page, "Name"), [canary]);
  assert.equal(await page.$$eval("img, script", (elements) => elements.length), 1);
});

test("a fleet of 2000 opens and sorts quickly", async () => {
  const rows = Array.from({ length: 10 }, () => CROWD).flat();
  const start = performance.now();
  const page = await open({ rows });
  await click(page, "Warnings");
  const took = performance.now() - start;
  assert.ok(took < 10_000, `${Math.round(took)} ms`);
});
