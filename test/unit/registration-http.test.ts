// The call to the platform, over real connections.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sendOver, type Call, type Route } from "../../components/connector/registration/http.ts";
import { classify, isTransient, type Outcome } from "../../components/connector/registration/outcome.ts";
import { CLIENT, SERVER } from "../support/certificates.ts";
import { type Behaviour, CREATED, startPlatform, startProxy } from "../support/platform.ts";

const NOW = "2027-01-01T00:00:00Z";
const CANARY = "c4n4ry-s3cr3t";

const post = (url: string, more: Partial<Call> = {}): Call => ({
  method: "POST",
  url: `${url}/v2/connector/register`,
  headers: { "Content-Type": "application/json", Authorization: `Bearer ${CANARY}` },
  body: '{"name":"x"}',
  timeoutSeconds: 30,
  ...more,
});

const REGISTERED: Outcome = {
  outcome: "registered",
  uuid: "3f0b9c1e-7a52-4a44-9d1c-5c8c0b7f8a11",
  status: "waitingForApproval",
  registeredAt: NOW,
};
const BUSY = "the platform can't do it now";

const cases: [string, Behaviour, Outcome, boolean][] = [
  ["200", CREATED, REGISTERED, false],
  ["201", { ...CREATED, status: 201 }, REGISTERED, false],
  ["400", { status: 400, body: CANARY }, { outcome: "rejected", code: 400 }, false],
  ["401", { status: 401, body: CANARY }, { outcome: "rejected", code: 401 }, false],
  ["403", { status: 403, body: CANARY }, { outcome: "rejected", code: 403 }, false],
  ["409", { status: 409, body: CANARY }, { outcome: "rejected", code: 409 }, false],
  ["408", { status: 408 }, { outcome: "unavailable", phrase: BUSY, code: 408 }, true],
  ["429", { status: 429 }, { outcome: "unavailable", phrase: BUSY, code: 429 }, true],
  ["500", { status: 500, body: CANARY }, { outcome: "unavailable", phrase: BUSY, code: 500 }, true],
  ["503", { status: 503 }, { outcome: "unavailable", phrase: BUSY, code: 503 }, true],
  ["an empty 200", { status: 200 }, { outcome: "invalid", phrase: "its answer is empty", code: 200 }, false],
  ["204", { status: 204 }, { outcome: "invalid", phrase: "its answer is empty", code: 204 }, false],
  [
    "a page",
    { status: 200, body: `<html>${CANARY}` },
    { outcome: "invalid", phrase: "its answer is no JSON object", code: 200 },
    false,
  ],
  [
    "a list",
    { status: 200, body: "[1]" },
    { outcome: "invalid", phrase: "its answer is no JSON object", code: 200 },
    false,
  ],
  ...["{}", '{"uuid":""}', '{"uuid":7}', '{"uuid":"a b"}', `{"uuid":"${"a".repeat(129)}"}`].map(
    (body): [string, Behaviour, Outcome, boolean] => [
      `200 with ${body.slice(0, 20)}`,
      { status: 200, body },
      { outcome: "invalid", phrase: "its answer has no uuid", code: 200 },
      false,
    ],
  ),
  [
    "2 MiB",
    { status: 200, body: `{"uuid":"u","x":"${"x".repeat(2 << 20)}"}` },
    { outcome: "invalid", phrase: "its answer is larger than 1 MiB", code: 200 },
    false,
  ],
  ["a broken connection", "reset", { outcome: "unavailable", phrase: "the connection broke" }, true],
  [
    "another protocol",
    { status: 101, headers: { Connection: "Upgrade", Upgrade: "x" } },
    { outcome: "unavailable", phrase: "the connection broke" },
    true,
  ],
];

for (const [name, behaviour, outcome, transient] of cases) {
  test(`${name} is ${outcome.outcome}`, async (t) => {
    const platform = await startPlatform(t);
    platform.behave(behaviour);
    const answer = await sendOver({})(post(platform.url));
    assert.deepEqual(classify(answer, NOW), outcome);
    assert.equal(isTransient(answer), transient);
    assert.deepEqual(
      platform.received.map(({ method, path, body, headers }) => [
        method,
        path,
        body,
        headers["content-type"],
      ]),
      [["POST", "/api/v2/connector/register", '{"name":"x"}', "application/json"]],
    );
  });
}

test("a status of the platform's that is no word is left out", () => {
  for (const status of ["a sentence of words", 7, "x".repeat(65), "", `${CANARY}\n`]) {
    const body = JSON.stringify({ uuid: "u-1", status });
    assert.deepEqual(classify({ answer: "response", code: 200, body }, NOW), {
      outcome: "registered",
      uuid: "u-1",
      registeredAt: NOW,
    });
  }
});

for (const behaviour of ["hang", "stall"] as const) {
  test(`a peer that will ${behaviour} is given up`, async (t) => {
    const platform = await startPlatform(t);
    platform.behave(behaviour);
    const answer = await sendOver({})(post(platform.url, { timeoutSeconds: 0.2 }));
    assert.deepEqual(answer, { answer: "none", phrase: "no answer came in time", transient: true });
  });
}

test("a redirect is not followed", async (t) => {
  const platform = await startPlatform(t);
  const other = await startPlatform(t);
  for (const status of [301, 302, 307, 308]) {
    platform.behave({ status, headers: { Location: other.url } });
    assert.deepEqual(classify(await sendOver({})(post(platform.url)), NOW), {
      outcome: "rejected",
      code: status,
    });
  }
  assert.deepEqual(other.received, []);
});

test("Retry-After is read as seconds and as a date, and not as anything else", async (t) => {
  const platform = await startPlatform(t);
  const asked = async (header: string): Promise<number | undefined> => {
    platform.behave({ status: 429, headers: { "Retry-After": header } });
    const answer = await sendOver({})(post(platform.url));
    return answer.answer === "response" ? answer.retryAfterSeconds : undefined;
  };
  assert.equal(await asked("7"), 7);
  assert.equal(await asked("soon"), undefined);
  const inAnHour = (await asked(new Date(Date.now() + 3_600_000).toUTCString())) ?? 0;
  assert.ok(inAnHour > 3_500 && inAnHour <= 3_600);
  assert.equal(await asked(new Date(0).toUTCString()), 0);
});

test("a closed port and an unknown name are fixed phrases", async (t) => {
  const platform = await startPlatform(t);
  await platform.stop();
  const phraseOf = async (url: string): Promise<string> => {
    const answer = await sendOver({})(post(url));
    return answer.answer === "none" ? answer.phrase : "";
  };
  assert.equal(await phraseOf(platform.url), "the connection was refused");
  assert.equal(await phraseOf("http://nowhere.invalid/api"), "its name can't be resolved");
});

test("a private authority is trusted when it is given, and nobody else then", async (t) => {
  const platform = await startPlatform(t, { cert: SERVER.certificate, key: SERVER.key });
  const codeOf = async (route: Route): Promise<number | string> => {
    const answer = await sendOver(route)(post(platform.url));
    return answer.answer === "none" ? `${answer.phrase}, ${answer.transient}` : answer.code;
  };
  assert.equal(await codeOf({}), "its certificate is not trusted, false");
  assert.equal(await codeOf({ caBundle: SERVER.certificate }), 200);
  assert.equal(await codeOf({ caBundle: CLIENT.certificate }), "its certificate is not trusted, false");
  assert.equal(await codeOf({ caBundle: "no certificate" }), "its certificate is not trusted, false");
  assert.equal(platform.received.length, 1);
});

test("a client certificate is shown to who asks for it", async (t) => {
  const tls = { cert: SERVER.certificate, key: SERVER.key, ca: CLIENT.certificate, requestCert: true };
  const platform = await startPlatform(t, { ...tls, rejectUnauthorized: true });
  const route = { caBundle: SERVER.certificate };
  const without = await sendOver(route)(post(platform.url));
  assert.equal(without.answer, "none");
  const answer = await sendOver({ ...route, clientCertificate: CLIENT })(post(platform.url));
  assert.equal(answer.answer === "response" && answer.code, 200);
  const wrong = { certificate: CLIENT.certificate, key: SERVER.key };
  assert.deepEqual(await sendOver({ ...route, clientCertificate: wrong })(post(platform.url)), {
    answer: "none",
    phrase: "TLS failed",
    transient: false,
  });
  assert.equal(platform.received.length, 1);
});

test("a corporate proxy tunnels https, and sees neither path nor credentials", async (t) => {
  const platform = await startPlatform(t, { cert: SERVER.certificate, key: SERVER.key });
  const proxy = await startProxy(t);
  const answer = await sendOver({ proxy: proxy.url, caBundle: SERVER.certificate })(post(platform.url));
  assert.equal(answer.answer === "response" && answer.code, 200);
  assert.deepEqual(proxy.asked, [`CONNECT ${new URL(platform.url).host}`]);
  assert.equal(platform.received[0]?.headers.authorization, `Bearer ${CANARY}`);
  // The certificate is the platform's, and is checked as without a proxy.
  const distrusted = await sendOver({ proxy: proxy.url })(post(platform.url));
  assert.equal(distrusted.answer === "none" && distrusted.phrase, "its certificate is not trusted");
});

test("a corporate proxy forwards http", async (t) => {
  const platform = await startPlatform(t);
  const proxy = await startProxy(t);
  const answer = await sendOver({ proxy: proxy.url })(post(platform.url));
  assert.equal(answer.answer === "response" && answer.code, 200);
  assert.deepEqual(proxy.asked, [`POST ${platform.url}/v2/connector/register`]);
  assert.equal(platform.received[0]?.headers.host, new URL(platform.url).host);
});

test("a proxy that opens no tunnel is a phrase of its own", async (t) => {
  const platform = await startPlatform(t, { cert: SERVER.certificate, key: SERVER.key });
  const proxy = await startProxy(t, true);
  const answer = await sendOver({ proxy: proxy.url })(post(platform.url));
  assert.deepEqual(answer, { answer: "none", phrase: "the proxy opened no tunnel to it", transient: true });
  assert.deepEqual(platform.received, []);
});
