// One HTTP request to a pod, over a stream that the API server forwards.
import { request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpAnswer, NoAnswer, PodRequest } from "./cluster.ts";
import { openStream, type PodPort, StreamFailure } from "./port-forward.ts";
import { readAnswer } from "./read-answer.ts";

const DETAILS: Record<NoAnswer, string> = {
  refused: "nothing listens on the port",
  timeout: "no complete answer in time",
  broken: "the connection broke, or the answer is not HTTP",
  missing: "there is no such pod",
  forbidden: "the identity may not get and create pods/portforward",
  unreachable: "the API server could not open a port-forward to the pod",
};

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
    return { outcome: error.outcome, detail: DETAILS[error.outcome] };
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
