// The call to the platform over a stream that takes the place of the network.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { StreamFailure } from "../../components/cluster/port-forward.ts";
import { type Call, NoWay, type Route, sendOver } from "../../components/connector/registration/http.ts";
import type { Answer } from "../../components/connector/registration/outcome.ts";
import { CLIENT, PLATFORM } from "../support/certificates.ts";
import { CREATED, type Platform, startPlatform, startProxy } from "../support/platform.ts";

const TLS = { cert: PLATFORM.certificate, key: PLATFORM.key };

/** Nobody resolves the name: what arrives comes over the stream. */
const post = (scheme: string, more: Partial<Call> = {}): Call => ({
  method: "POST",
  url: `${scheme}://core.ilm-secure.svc/api/v2/connector/register`,
  headers: { Authorization: "Bearer t" },
  body: '{"name":"x"}',
  timeoutSeconds: 30,
  ...more,
});

/** Streams to a platform, and those that were opened. */
function streamsTo({ url }: Platform): { connect: NonNullable<Route["connect"]>; opened: Duplex[] } {
  const opened: Duplex[] = [];
  const open = (): Promise<Duplex> => {
    const stream = connect(Number(new URL(url).port), "127.0.0.1");
    opened.push(stream);
    return Promise.resolve(stream);
  };
  return { connect: open, opened };
}

const said = (answer: Answer): string =>
  answer.answer === "none" ? `${answer.phrase}, ${answer.transient}` : String(answer.code);

for (const [scheme, tls] of [["http", undefined] as const, ["https", TLS] as const])
  test(`${scheme} over a stream, past network and proxy`, async (t) => {
    const platform = await startPlatform(t, tls);
    const proxy = await startProxy(t);
    const { connect, opened } = streamsTo(platform);
    const send = sendOver({ connect, proxy: proxy.url, caBundle: PLATFORM.certificate });
    assert.deepEqual(await send(post(scheme)), { answer: "response", code: 200, body: CREATED.body });
    platform.behave(
      { status: 302, headers: { Location: "http://127.0.0.1:1/" } },
      { status: 429, headers: { "Retry-After": "7" } },
      { status: 200, body: "x".repeat(2 << 20) },
      "stall",
      "hang",
    );
    const refusal = { answer: "response", body: "", retryAfterSeconds: undefined };
    assert.deepEqual(await send(post(scheme)), { ...refusal, code: 302 });
    assert.deepEqual(await send(post(scheme)), { ...refusal, code: 429, retryAfterSeconds: 7 });
    assert.deepEqual(await send(post(scheme)), { answer: "oversized", code: 200 });
    for (let silent = 0; silent < 2; silent++)
      assert.equal(said(await send(post(scheme, { timeoutSeconds: 0.2 }))), "no answer came in time, true");
    assert.deepEqual(proxy.asked, []);
    assert.equal(opened.length, 6);
    for (const stream of opened) assert.ok(stream.destroyed);
    const [{ method, path, headers, body } = assert.fail()] = platform.received;
    assert.deepEqual(
      [method, path, headers.host, headers.authorization, body],
      ["POST", "/api/v2/connector/register", "core.ilm-secure.svc", "Bearer t", '{"name":"x"}'],
    );
  });

test("over a stream, too, the certificate must be the named host's and from a trusted authority", async (t) => {
  const platform = await startPlatform(t, TLS);
  const { connect } = streamsTo(platform);
  const untrusted = "its certificate is not trusted, false";
  const call = post("https");
  assert.equal(said(await sendOver({ connect })(call)), untrusted);
  assert.equal(said(await sendOver({ connect, caBundle: CLIENT.certificate })(call)), untrusted);
  const other = { ...call, url: call.url.replace("core", "other") };
  const send = sendOver({ connect, caBundle: PLATFORM.certificate });
  assert.equal(said(await send(other)), untrusted);
  assert.equal(
    said(await send({ ...call, url: call.url.replace(".svc", ".svc.cluster.local:8443") })),
    "200",
  );
  assert.deepEqual(
    platform.received.map(({ headers }) => headers.host),
    ["core.ilm-secure.svc.cluster.local:8443"],
  );
});

test("a client certificate is shown over a stream", async (t) => {
  const asks = { ...TLS, ca: CLIENT.certificate, requestCert: true, rejectUnauthorized: true };
  const { connect } = streamsTo(await startPlatform(t, asks));
  const route = { connect, caBundle: PLATFORM.certificate };
  assert.equal((await sendOver(route)(post("https"))).answer, "none");
  assert.equal(said(await sendOver({ ...route, clientCertificate: CLIENT })(post("https"))), "200");
});

test("a stream that is not opened, or fails, is a fixed phrase", async () => {
  const noWay = (isTransient: boolean): Route => ({
    connect: () => Promise.reject(new NoWay("why", isTransient)),
  });
  assert.equal(said(await sendOver(noWay(true))(post("http"))), "why, true");
  assert.equal(said(await sendOver(noWay(false))(post("https"))), "why, false");
  const never: Route = { connect: () => new Promise(() => undefined) };
  const soon = { timeoutSeconds: 0.1 };
  assert.equal(said(await sendOver(never)(post("http", soon))), "no answer came in time, true");

  for (const scheme of ["http", "https"]) {
    // As the kubelet tells only over the stream that nobody listens.
    const failing = new Duplex({
      read: () => undefined,
      write(_chunk, _encoding, done) {
        done();
        this.destroy(new StreamFailure("refused"));
      },
    });
    const answer = await sendOver({ connect: () => Promise.resolve(failing) })(post(scheme));
    assert.equal(said(answer), "nothing listens on the port, true");
  }
});
