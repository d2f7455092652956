import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpAnswer, PodRequest } from "../../components/cluster/cluster.ts";
import type { HealthCheckSpec } from "../../components/connector/args.ts";
import { askHealth } from "../../components/connector/health.ts";

const answered = (status: number, body: string): HttpAnswer => ({
  outcome: "answered",
  status,
  headers: {},
  body: Buffer.from(body),
});
const report = (status: string, code = 200): HttpAnswer => answered(code, JSON.stringify({ status }));
const NO_ANSWERS: HttpAnswer[] = (
  ["refused", "timeout", "broken", "missing", "forbidden", "unreachable"] as const
).map((outcome) => ({ outcome, detail: `the words for ${outcome}` }));

interface Said {
  condition: string;
  message: string;
  asked: PodRequest[];
}

/** The condition of a connector that answers like this, path by path, and what it was asked. */
async function healthWith(answers: Record<string, HttpAnswer>, check: HealthCheckSpec = {}): Promise<Said> {
  const asked: PodRequest[] = [];
  const judgement = await askHealth(check, true, (request) => {
    asked.push(request);
    const answer = answers[request.path];
    return answer ? Promise.resolve(answer) : Promise.reject(new Error(`${request.path} was asked`));
  });
  assert.ok(judgement?.type === "Healthy");
  const { status, reason, message } = judgement;
  return { condition: `${status}/${reason}`, message, asked };
}

const STATUSES = {
  UP: "True/Up",
  ok: "True/Up",
  DEGRADED: "False/Degraded",
  DOWN: "False/Down",
  nok: "False/Down",
  OUT_OF_SERVICE: "False/OutOfService",
  UNKNOWN: "False/Unknown",
  unknown: "False/Unknown",
};

test("every status of either version means the same on any path, with 200 or 503", async () => {
  for (const [status, expected] of Object.entries(STATUSES))
    for (const code of [200, 503]) {
      const v2 = await healthWith({ "/v2/health": report(status, code) });
      assert.deepEqual([v2.condition, v2.message], [expected, `the connector reports ${status}`]);
      const v1 = await healthWith({ "/v2/health": answered(404, ""), "/v1/health": report(status, code) });
      assert.equal(v1.condition, expected);
      const own = await healthWith({ "/own": report(status, code) }, { path: "/own" });
      assert.equal(own.condition, expected);
    }
});

test("a report on the first path ends the walk, whatever the next would say", async () => {
  const { condition, asked } = await healthWith({ "/v2/health": report("DOWN"), "/v1/health": report("ok") });
  assert.equal(condition, "False/Down");
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["/v2/health"],
  );
});

test("no answer ends the walk, and says so in fixed words", async () => {
  for (const answer of NO_ANSWERS) {
    const first = await healthWith({ "/v2/health": answer });
    assert.equal(first.condition, "Unknown/NoAnswer");
    assert.equal(first.message, `/v2/health gave no answer: the words for ${answer.outcome}`);
    const second = await healthWith({ "/v2/health": answered(404, "x"), "/v1/health": answer });
    assert.equal(second.condition, "Unknown/NoAnswer");
    assert.equal(
      second.message,
      "/v2/health answered 404 without a health report; " +
        `/v1/health gave no answer: the words for ${answer.outcome}`,
    );
  }
});

test("an answer without a report leads to the next path, and all are named", async () => {
  const none: [name: string, answer: HttpAnswer, code: number][] = [
    ["an error", report("UP", 500), 500],
    ["a code that carries no report", report("UP", 201), 201],
    ["not found", answered(404, "{}"), 404],
    ["a redirect", answered(302, '{"status":"UP"}'), 302],
    ["too large", { outcome: "too large", status: 200, detail: "" }, 200],
    ["a problem", answered(503, '{"type":"about:blank","status":503}'), 503],
    ["a page", answered(200, "<html>UP</html>"), 200],
    ["an unknown status", report("FINE"), 200],
  ];
  for (const [name, answer, code] of none) {
    const { condition, message } = await healthWith({
      "/v2/health": answer,
      "/v1/health": answered(500, ""),
    });
    assert.equal(condition, "Unknown/NoHealthReport", name);
    assert.equal(
      message,
      `/v2/health answered ${code} without a health report; /v1/health answered 500 without a health report`,
    );
    const next = await healthWith({ "/v2/health": answer, "/v1/health": report("ok") });
    assert.equal(next.condition, "True/Up", name);
    const only = await healthWith({ "/own": answer }, { path: "/own" });
    assert.equal(only.message, `/own answered ${code} without a health report`, name);
  }
});

test("a request asks for JSON, for at most 1 MiB, and in what is left of the time", async () => {
  const { asked } = await healthWith({ "/v2/health": answered(404, ""), "/v1/health": report("ok") });
  for (const { method, headers, maxBytes, timeoutMs, body } of asked) {
    assert.deepEqual([method, headers, maxBytes], ["GET", { Accept: "application/json" }, 1_048_576]);
    assert.equal(body, undefined);
    assert.ok(timeoutMs >= 1 && timeoutMs <= 10_000);
  }
  assert.ok((asked[1]?.timeoutMs ?? 0) <= (asked[0]?.timeoutMs ?? 0));
});

test("when the time is over, the next path is asked with the least there is", async () => {
  const asked: number[] = [];
  await askHealth({ timeoutSeconds: 0 }, true, ({ timeoutMs }) => {
    asked.push(timeoutMs);
    return Promise.resolve(answered(404, ""));
  });
  assert.deepEqual(asked, [1, 1]);
});

test("a path is sent encoded, and its own escapes stay", async () => {
  const check = { path: "/zdraví a%2Fb" };
  const { asked, message } = await healthWith({ "/zdrav%C3%AD%20a%2Fb": answered(404, "") }, check);
  assert.equal(asked.length, 1);
  assert.equal(message, "/zdraví a%2Fb answered 404 without a health report");
});

test("a connector that does not run, or that nobody wants to know of, is not asked", async () => {
  const never = (): never => assert.fail("it was asked");
  assert.deepEqual(await askHealth({}, false, never), {
    type: "Healthy",
    status: "Unknown",
    reason: "NotRunning",
    message: "the connector does not run, so it was not asked",
  });
  for (const running of [true, false])
    assert.equal(await askHealth({ enabled: false }, running, never), undefined);
});
