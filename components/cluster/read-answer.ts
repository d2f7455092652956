// Reads the answer to one HTTP request, whatever connection it goes over.
import type { ClientRequest, IncomingHttpHeaders } from "node:http";

/** What is read of an answer. */
export interface Bounds {
  /** A longer body is not read to its end. */
  maxBytes: number;
  /** Of which statuses the body is read at all. Default: of all. */
  wantsBody?: (status: number) => boolean;
}

/** An answer; without its body where that is too long, or not wanted. */
export interface ReadAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
}

/** Sends a request with its body, and reads the answer. Its connection is left to its agent where all of it was read. */
export function readAnswer(
  outgoing: ClientRequest,
  body: string | Buffer | undefined,
  { maxBytes, wantsBody = () => true }: Bounds,
): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    // Node says nothing more than that it ended, as when another protocol is answered with.
    const fail = (error: Error = Object.assign(new Error(), { code: "ECONNRESET" })): void => {
      reject(error);
    };
    outgoing.on("response", (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      const leave = (): void => {
        resolve({ status, headers, body: undefined });
        outgoing.destroy();
      };
      if (!wantsBody(status)) {
        leave();
        return;
      }
      const chunks: Buffer[] = [];
      let length = 0;
      incoming.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length <= maxBytes) chunks.push(chunk);
        else leave();
      });
      incoming.on("error", fail);
      incoming.on("end", () => {
        resolve({ status, headers, body: Buffer.concat(chunks) });
        // An answer may come before all of the request is sent.
        if (!outgoing.writableFinished) outgoing.destroy();
      });
    });
    outgoing.on("error", fail);
    outgoing.on("close", fail);
    outgoing.end(body);
  });
}

/** What a Retry-After header asks to wait, in milliseconds from now: it is seconds or a date (RFC 9110, 10.2.3). */
export function retryAfter({ "retry-after": header }: IncomingHttpHeaders): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
