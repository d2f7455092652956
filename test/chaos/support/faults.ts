// What a network, a gateway or a busy API server may do to a request, and how each is done.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Each as it is counted. */
export const KINDS = [
  "refused",
  "dropped before",
  "dropped after",
  "cut off",
  "truncated",
  "delayed",
  "silent",
  "429 seconds",
  "429 date",
  "429 nonsense",
  "500",
  "503",
  "409",
  "watch cut",
] as const;
export type Kind = (typeof KINDS)[number];

/** A request on its way to the API server. */
export interface Passing {
  request: IncomingMessage;
  response: ServerResponse;
  /** A number from 0 to 1, by chance. */
  chance: number;
  /** Hands the request on; `alter` may take the answer's body away. */
  forward: (alter?: Alter) => void;
  /** Resets the connection. */
  reset: () => void;
  /** Lets nobody connect for so many milliseconds, and ends all connections. */
  leave: (ms: number) => void;
}

/** What becomes of an answer: whole bodies and headers at once, or watches as they come. */
export type Alter = (answer: IncomingMessage, response: ServerResponse) => void;

const isWatch = ({ url }: IncomingMessage): boolean => /[?&]watch=(true|1)/.test(url ?? "");
const isWrite = ({ method }: IncomingMessage): boolean => method !== "GET" && method !== "HEAD";

/** Whether a kind makes sense for a request. */
export function suits(kind: Kind, request: IncomingMessage): boolean {
  if (kind === "watch cut") return isWatch(request);
  if (kind === "409") return isWrite(request);
  // Half a line of a watch, or of discovery that is asked for as Protobuf, is cut off as well.
  return kind === "truncated" ? !isWatch(request) : true;
}

const HOW: Record<Kind, (passing: Passing) => void> = {
  refused: ({ leave, chance }) => {
    leave(200 + 1_300 * chance);
  },
  "dropped before": ({ request }) => {
    request.socket.destroy();
  },
  "dropped after": ({ request, forward }) => {
    forward(() => request.socket.destroy());
  },
  "cut off": ({ forward, reset }) => {
    forward(halved(reset));
  },
  truncated: ({ forward }) => {
    forward(halved());
  },
  delayed: ({ forward, chance }) => {
    void sleep(200 + 2_000 * chance).then(() => {
      forward();
    });
  },
  silent: () => undefined,
  "429 seconds": (passing) => {
    refuse(passing, 429, "TooManyRequests", "1");
  },
  "429 date": (passing) => {
    refuse(passing, 429, "TooManyRequests", new Date(Date.now() + 1_000).toUTCString());
  },
  "429 nonsense": (passing) => {
    refuse(passing, 429, "TooManyRequests", "in a while");
  },
  "500": (passing) => {
    refuse(passing, 500, "InternalError");
  },
  "503": (passing) => {
    refuse(passing, 503, "ServiceUnavailable", "1");
  },
  "409": (passing) => {
    refuse(passing, 409, "Conflict");
  },
  "watch cut": ({ request, forward, chance }) => {
    forward();
    void sleep(200 + 800 * chance).then(() => request.socket.destroy());
  },
};

/** Does it. */
export function inflict(kind: Kind, passing: Passing): void {
  HOW[kind](passing);
}

function refuse({ response }: Passing, code: number, reason: string, retryAfter?: string): void {
  response.writeHead(code, {
    "content-type": "application/json",
    ...(retryAfter !== undefined && { "retry-after": retryAfter }),
  });
  const message = `a fault of the test: ${reason}`;
  response.end(
    JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      code,
      reason,
      message,
    }),
  );
}

/** Half of an answer: with the length of the whole and a reset, or as if that were all. */
function halved(reset?: () => void): Alter {
  return (answer, response) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => {
      const whole = Buffer.concat(chunks);
      const half = whole.subarray(0, whole.length / 2);
      const headers = { ...answer.headers, "content-length": String((reset ? whole : half).length) };
      delete (headers as Record<string, unknown>)["transfer-encoding"];
      response.writeHead(answer.statusCode ?? 502, headers);
      response.write(half, () => {
        if (reset) reset();
        else response.end();
      });
    });
  };
}
