// Whatever an API server, or what stands in its place, answers: an outcome, in time, that repeats no Secret's data.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { WebSocket } from "ws";
import { clusterOf } from "../../components/cluster/client.ts";
import { type Cluster, PODS, SECRETS, type Resource } from "../../components/cluster/cluster.ts";
import { retries } from "../../components/cluster/retries.ts";
import { openHttpsApi, TOKEN } from "../support/https-api.ts";
import { inForm, report, seedOf } from "./support/form.ts";

const CANARY = "canary-in-an-answer";
const RUNS = inForm({ short: 300, long: 4_000 });

/** Milliseconds: of one request, of the patience of a read, and what a call with all of it may take on a busy machine. */
const REQUEST = 300;
const PATIENCE = 50;
const BOUND = 20_000;

interface Bad {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** What becomes of the body on its way. */
  way: "whole" | "half" | "gzip" | "reset" | "never ends";
}

const metadata = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    {},
    [],
    "x",
    { name: null },
    { name: 5 },
    { name: "d", managedFields: null },
  ),
  fc.record({ name: fc.string(), continue: fc.constantFrom("", "1", 5, null, CANARY) }),
);
const data = fc.constantFrom<unknown>({ token: CANARY }, null, CANARY);
const object = fc.record(
  {
    kind: fc.constantFrom<unknown>("Secret", "Pod", "Status", "SecretList", "List", null, 5),
    metadata,
    data,
  },
  { requiredKeys: [] },
);
const document = fc.oneof(
  object,
  fc.record(
    {
      kind: fc.constantFrom("SecretList", "PodList", "APIResourceList", "Status", CANARY),
      metadata,
      items: fc.oneof(fc.array(fc.oneof(object, fc.constantFrom(null, 5, CANARY)), { maxLength: 3 }), data),
      resources: fc.oneof(fc.array(fc.oneof(object, fc.constantFrom(null, CANARY))), data),
      message: fc.constantFrom<unknown>("because", "", null, 5, { a: CANARY }),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);
const body = fc.oneof(
  { weight: 6, arbitrary: document.map((value) => JSON.stringify(value)) },
  fc.constantFrom(
    "",
    "null",
    `<html>${CANARY}</html>`,
    `{"data": "${CANARY}`,
    "\u0000\u0001",
    `[${`"${CANARY}",`.repeat(50_000)}"x"]`,
  ),
  fc.string({ unit: "binary" }),
);
const bad: fc.Arbitrary<Bad> = fc.record({
  status: fc.oneof(
    { weight: 3, arbitrary: fc.constant(200) },
    fc.constantFrom(
      201,
      204,
      301,
      302,
      304,
      307,
      400,
      401,
      403,
      404,
      405,
      406,
      409,
      410,
      415,
      422,
      429,
      500,
      502,
      503,
      504,
      599,
      600,
      999,
    ),
  ),
  headers: fc.record(
    {
      "content-type": fc.constantFrom(
        "application/json",
        "text/html",
        "application/json; charset=utf-16",
        "application/vnd.kubernetes.protobuf",
        "",
      ),
      "retry-after": fc.constantFrom(
        "0",
        "1",
        "-1",
        "99999999999",
        "soon",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "1e309",
      ),
      location: fc.constantFrom("/", "https://127.0.0.1:1/", "nowhere", `https://u:${CANARY}@127.0.0.1:1`),
      "content-encoding": fc.constantFrom("gzip", "br", "nonsense"),
    },
    { requiredKeys: [] },
  ),
  body,
  way: fc.oneof(
    { weight: 12, arbitrary: fc.constant("whole" as const) },
    fc.constantFrom("half", "gzip", "reset", "never ends"),
  ),
});

function answerWith({ status, headers, body: text, way }: Bad, response: ServerResponse): void {
  const whole = way === "gzip" ? gzipSync(text) : Buffer.from(text);
  response.writeHead(status, headers);
  if (way === "never ends" || way === "reset") {
    response.write(whole.subarray(0, whole.length / 2));
    if (way === "reset") setImmediate(() => response.destroy());
  } else response.end(way === "half" ? whole.subarray(0, whole.length / 2) : whole);
}

const CALLS: Record<
  string,
  (cluster: Cluster, resource: Resource) => Promise<{ outcome: string; detail?: string }>
> = {
  get: (cluster, resource) => cluster.get(resource, "n", "d"),
  list: (cluster, resource) => cluster.list(resource, "n"),
  serves: (cluster, resource) => cluster.serves(resource),
  dryRunCreate: (cluster, resource) => cluster.dryRunCreate(resource, "n", { data: CANARY }),
  jsonPatch: (cluster, resource) => cluster.jsonPatch(resource, "n", "d", []),
  create: (cluster, resource) => cluster.create(resource, "n", { data: CANARY }),
  remove: (cluster, resource) => cluster.remove(resource, "n", "d", { uid: "u", resourceVersion: "1" }),
};
const OUTCOMES = ["found", "missing", "forbidden", "unreachable", "conflict"];

test("any answer becomes an outcome that repeats no data", async (t) => {
  let answers: readonly Bad[] = [];
  let asked = 0;
  const api = await openHttpsApi((_, response) => {
    const answer = answers[asked++ % answers.length];
    if (answer !== undefined) answerWith(answer, response);
  });
  t.after(() => api.close());
  const ends = new Map<string, number>();
  const property = fc.asyncProperty(
    fc.array(bad, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...Object.keys(CALLS)),
    fc.constantFrom(SECRETS, PODS),
    async (given, call, resource) => {
      answers = given;
      asked = 0;
      const cluster = clusterOf(api.config(), WebSocket, { requestMs: REQUEST, again: retries(PATIENCE) });
      const begin = performance.now();
      const result = await CALLS[call]?.(cluster, resource);
      assert.ok(performance.now() - begin < BOUND, "it hangs");
      const { outcome = "", detail = "" } = result ?? {};
      assert.ok(OUTCOMES.includes(outcome), outcome);
      for (const secret of [CANARY, TOKEN]) assert.ok(!detail.includes(secret), detail);
      assert.ok(outcome === "found" || outcome === "missing" || detail !== "", "it says why");
      ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: seedOf("bad answers") });
  assert.ok(ends.size >= 4, "they end in different ways");
  report(t, "bad-answers", {
    title: "Answers that no API server gives",
    rows: [...ends].sort().map(([outcome, count]) => ({ outcome, cases: count })),
  });
});
