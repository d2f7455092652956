// One call to the platform over the network, with bounds on its time and size. Redirects are not followed.
import * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import * as tls from "node:tls";
import { StreamFailure } from "../../cluster/port-forward.ts";
import { readAnswer, retryAfter } from "../../cluster/read-answer.ts";
import type { Answer } from "./outcome.ts";

/** Bytes of an answer that are read. */
const MAX_BODY = 1024 * 1024;

/** A call to the platform. */
export interface Call {
  method: "POST" | "DELETE";
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Seconds for all of it: the way there, the answer and its body. */
  timeoutSeconds: number;
}

/** Makes a call. It never throws for what a network or a platform may do. */
export type Send = (call: Call) => Promise<Answer>;

/** How the platform is reached. */
export interface Route {
  /** Opens a stream to it, which takes the place of the network; `end` ends it. */
  connect?: ((end: AbortSignal) => Promise<Duplex>) | undefined;
  /** The corporate proxy that a call over the network goes through. */
  proxy?: string | undefined;
  /** Certificates (PEM) of the authorities to trust in place of the well-known ones. */
  caBundle?: string | undefined;
  /** The client's own certificate and key (PEM). */
  clientCertificate?: { certificate: string; key: string } | undefined;
}

/** No stream to the platform could be opened. */
export class NoWay extends Error {
  readonly isTransient: boolean;

  /** `message` is a fixed phrase; `isTransient` when trying again at once may help. */
  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

/** Calls the platform: directly, through a corporate proxy, or over a stream. */
export function sendOver(route: Route): Send {
  return async (call) => {
    const end = new AbortController();
    const timer = setTimeout(() => {
      end.abort();
    }, call.timeoutSeconds * 1000);
    // Not everything that opens a stream can be interrupted, but all can be left.
    const expired = new Promise<never>((_, reject) => {
      end.signal.addEventListener("abort", reject);
    });
    try {
      return await Promise.race([exchange(call, route, end.signal), expired]);
    } catch (error) {
      return noAnswer(error, end.signal.aborted);
    } finally {
      clearTimeout(timer);
      end.abort();
    }
  };
}

async function exchange(call: Call, route: Route, signal: AbortSignal): Promise<Answer> {
  const url = new URL(call.url);
  const isSecure = url.protocol === "https:";
  const body = call.body === undefined ? undefined : Buffer.from(call.body);
  // Over a connection that it did not make, Node would name port 80, whatever the scheme.
  const headers = { Host: url.host, ...call.headers, ...(body && { "Content-Length": body.length }) };
  const shared = { method: call.method, headers, signal } as const;
  const direct = { ...shared, agent: false } as const;
  const secure: tls.SecureContextOptions = {
    ...(route.caBundle !== undefined && { ca: route.caBundle }),
    ...(route.clientCertificate && {
      cert: route.clientCertificate.certificate,
      key: route.clientCertificate.key,
    }),
  };
  const proxy = route.connect !== undefined || route.proxy === undefined ? undefined : new URL(route.proxy);
  if (proxy !== undefined && !isSecure)
    return finish(clientOf(proxy).request(proxy, { ...direct, path: call.url }), body);
  const stream = await (proxy === undefined ? route.connect?.(signal) : tunnel(proxy, url, signal));
  if (stream === undefined) return finish(clientOf(url).request(url, { ...direct, ...secure }), body);
  const servername = url.hostname.replace(/^\[|\]$/g, "");
  // Any agent, none at all included (`agent: false`), would connect by itself, past the stream.
  const createConnection = (): Duplex =>
    isSecure ? tls.connect({ socket: stream, host: servername, ...named(servername), ...secure }) : stream;
  return finish(clientOf(url).request(url, { ...shared, createConnection }), body);
}

/** Addresses have no server name in TLS. */
function named(host: string): { servername?: string } {
  return /^[\d.]+$|:/.test(host) ? {} : { servername: host };
}

function clientOf(url: URL): typeof http | typeof https {
  return url.protocol === "https:" ? https : http;
}

const NO_TUNNEL = "the proxy opened no tunnel to it";

/** Asks a proxy for a tunnel to the platform. */
function tunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const path = `${target.hostname}:${target.port || "443"}`;
    const request = clientOf(proxy).request(proxy, {
      method: "CONNECT",
      path,
      headers: { Host: path },
      agent: false,
      signal,
    });
    request.on("connect", (response, socket: Duplex) => {
      if (response.statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new NoWay(NO_TUNNEL, true));
    });
    request.on("response", () => {
      request.destroy();
      reject(new NoWay(NO_TUNNEL, true));
    });
    request.on("error", reject);
    request.end();
  });
}

/** Sends the body and reads the answer: of a refusal its status alone. */
async function finish(request: http.ClientRequest, content: Buffer | undefined): Promise<Answer> {
  const wantsBody = (status: number): boolean => status >= 200 && status < 300;
  const {
    status: code,
    headers,
    body,
  } = await readAnswer(request, content, { maxBytes: MAX_BODY, wantsBody });
  if (body !== undefined) return { answer: "response", code, body: body.toString("utf8") };
  if (wantsBody(code)) return { answer: "oversized", code };
  const asked = retryAfter(headers);
  return {
    answer: "response",
    code,
    retryAfterSeconds: asked === undefined ? undefined : Math.ceil(asked / 1000),
    body: "",
  };
}

const NETWORK: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name can't be resolved",
  EAI_AGAIN: "its name can't be resolved",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  ETIMEDOUT: "no connection came about",
  EHOSTUNREACH: "no connection came about",
  ENETUNREACH: "no connection came about",
};

/** A failed call as one fixed phrase: the error's own text holds addresses. */
function noAnswer(error: unknown, timedOut: boolean): Answer {
  const none = (phrase: string, transient: boolean): Answer => ({ answer: "none", phrase, transient });
  if (timedOut) return none("no answer came in time", true);
  if (error instanceof NoWay) return none(error.message, error.isTransient);
  if (error instanceof StreamFailure) return none(error.message, true);
  // A name with several addresses fails with one error for each.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const { code = "" } = first as { code?: string };
  const network = NETWORK[code];
  if (network !== undefined) return none(network, true);
  if (isCertificateError(code)) return none("its certificate is not trusted", false);
  if (/^ERR_(SSL|OSSL|CRYPTO)|^EPROTO$/.test(code)) return none("TLS failed", false);
  return none("the call failed", true);
}

function isCertificateError(code: string): boolean {
  return /CERT|UNABLE_TO_|SELF_SIGNED|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/.test(code);
}
