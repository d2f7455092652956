// One HTTP request to a pod, over a stream that the API server forwards.
import { request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpAnswer, PodRequest } from "./cluster.ts";
import { openStream, type PodPort, StreamFailure } from "./port-forward.ts";
import { readAnswer } from "./read-answer.ts";

/** Sends a request and reads the answer, within the request's bounds. */
export async function ask(target: PodPort, request: PodRequest): Promise<HttpAnswer> {
  try {
    const stream = await openStream(target, AbortSignal.timeout(request.timeoutMs));
    try {
      return await exchange(stream, target.port, request);
    } finally {
      stream.destroy();
    }
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { outcome: error.outcome, detail: error.message };
  }
}

async function exchange(stream: Duplex, port: number, request: PodRequest): Promise<HttpAnswer> {
  const { method, path, headers: sent, maxBytes } = request;
  // With a connection of its own and no agent, Node neither keeps it alive nor looks for a proxy.
  const options = { method, path, headers: sent, port, createConnection: () => stream };
  try {
    const { status, headers, body } = await readAnswer(httpRequest(options), request.body, { maxBytes });
    return body === undefined
      ? { outcome: "too large", status, detail: "the answer is too large" }
      : { outcome: "answered", status, headers, body };
  } catch (error) {
    throw error instanceof StreamFailure ? error : new StreamFailure("broken", error);
  }
}
