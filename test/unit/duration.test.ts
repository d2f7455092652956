import assert from "node:assert/strict";
import { test } from "node:test";
import { check, duration, durationMilliseconds } from "../../components/workload/validation.ts";

const DAY = 86_400_000;

const rows: [text: string, milliseconds: number][] = [
  ["1ms", 1],
  ["30s", 30_000],
  ["1m", 60_000],
  ["1m30s", 90_000],
  ["36h", 1.5 * DAY],
  ["14d", 14 * DAY],
  ["1w2d", 9 * DAY],
  ["1y", 365 * DAY],
  ["1y1w1d1h1m1s1ms", 373 * DAY + 3_661_001],
  ["0d", 0],
  ["0s", 0],
  ["007d", 7 * DAY],
];

for (const [text, milliseconds] of rows) {
  test(`${text} is ${milliseconds} ms`, () => {
    assert.deepEqual(check(duration, text, "p").problems, []);
    assert.equal(durationMilliseconds(text), milliseconds);
  });
}

for (const text of [
  "",
  "14",
  "d",
  "14 d",
  "-1d",
  "1.5d",
  "1D",
  "1d1w",
  "1d1d",
  "14d ",
  "P14D",
  "forever",
  14,
]) {
  test(`${JSON.stringify(text)} is no duration`, () => {
    const { problems } = check(duration, text, "p");
    assert.equal(problems.length, 1);
    assert.match(
      problems[0]?.message ?? "",
      /must be a Prometheus duration such as 30s or 1m30s|expected string/,
    );
  });
}
