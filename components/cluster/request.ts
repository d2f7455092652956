// One request to the API server, within its bounds.
import type { Agent } from "node:http";
import { request, type RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { LoginError } from "./login.ts";
import { readAnswer, retryAfter } from "./read-answer.ts";

/** Milliseconds that one request may take; what the login takes before it is bounded elsewhere. */
export const REQUEST_TIMEOUT = 10_000;
/** Bytes of an answer that are read: a page of a list is at most a few MiB in practice. */
const MAX_BYTES = 256 << 20;

const UNUSABLE = "the credentials of the kubeconfig's context can't be used: kubectl says why";

export interface Request {
  method: "GET" | "PATCH" | "POST" | "DELETE";
  path: string;
  body?: { type: string; content: object };
}

export interface Answer {
  status: number;
  /** Undefined when it is no JSON. */
  body: unknown;
  /** Whether it says that it is JSON: what is not complete then was cut off. */
  isJson: boolean;
  retryAfterMs: number | undefined;
}

/** Why there is no answer. `code` is Node's name for it, such as ECONNRESET. */
export class NoAnswerError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Sends one request. What the network or the kubeconfig's login says comes back as an Error. */
export async function send(
  config: KubeConfig,
  { method, path, body }: Request,
  timeoutMs = REQUEST_TIMEOUT,
): Promise<Answer | NoAnswerError> {
  const { server = "" } = config.getCurrentCluster() ?? {};
  const content = body?.content;
  const options: RequestOptions = {
    method,
    // For the way through a proxy, which no signal reaches.
    timeout: timeoutMs,
    headers: { Accept: "application/json", ...(body !== undefined && { "Content-Type": body.type }) },
  };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    return new NoAnswerError(credentialProblem(error as Error), "credentials");
  }
  try {
    share(options.agent);
    const signal = AbortSignal.timeout(timeoutMs);
    const outgoing = request(`${server.replace(/\/$/, "")}${path}`, { ...options, signal });
    const reading = readAnswer(outgoing, content && JSON.stringify(content), { maxBytes: MAX_BYTES });
    const read = await Promise.race([reading, expired(signal)]);
    if (read.body === undefined)
      return new NoAnswerError("the answer of the API server is too large", "size");
    return {
      status: read.status,
      body: parse(read.body.toString("utf8")),
      isJson: /\bjson\b/i.test(read.headers["content-type"] ?? ""),
      retryAfterMs: retryAfter(read.headers),
    };
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    if (name === "AbortError" || name === "TimeoutError") {
      const origin = new URL(server).origin;
      return new NoAnswerError(`no answer from ${origin} within ${timeoutMs / 1000} s`, "timeout");
    }
    return new NoAnswerError(describe(error as Error), code ?? name);
  }
}

/**
 * Has requests follow each other over the connections of a kubeconfig's agent. An idle one is closed after the
 * milliseconds that a request may take, before what lies between would cut it.
 */
function share(agent: RequestOptions["agent"]): void {
  if (typeof agent === "object") Object.assign<Agent, object>(agent, { keepAlive: true });
}

function expired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });
}

/** What isn't Node's own may repeat a value of the kubeconfig. */
function credentialProblem(error: Error): string {
  const isNodes = (error as NodeJS.ErrnoException).code !== undefined && !showsValue(error);
  return error instanceof LoginError || isNodes ? error.message : UNUSABLE;
}

/** Node shows the value that has a wrong type. */
function showsValue(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

function describe(error: Error): string {
  if (showsValue(error)) return UNUSABLE;
  // A refused connection to a name with several addresses is an AggregateError without a message of its own.
  const causes = (error instanceof AggregateError ? error.errors : [error]) as NodeJS.ErrnoException[];
  const said = causes.map(({ message, code, name }) => message || `the connection ended (${code ?? name})`);
  return [...new Set(said)].join("; ");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway in front of the API server may answer with a page; its status code is what counts.
    return undefined;
  }
}
