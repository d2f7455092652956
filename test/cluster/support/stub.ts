// An HTTP server in place of what would listen in a pod, or of a platform: it does as it is told, path by path, and
// remembers what it was asked.
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { TestContext } from "node:test";
import { POD_PORTS } from "../../../dev/kwok/port-forward.ts";

/** What a stub does with a request that it has read to its end. */
export type Behaviour = (response: http.ServerResponse) => void;

export interface StubRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Stub {
  /** On the loopback address; every pod of a local cluster has it as its own. */
  port: number;
  /** Oldest first. */
  requests: StubRequest[];
  /** By path; may be changed at any time. Other paths are answered with 404. */
  behaviours: Record<string, Behaviour>;
}

/** Starts a stub that ends with the test; with `tls` it speaks HTTPS. */
export async function openStub(
  t: TestContext,
  behaviours: Record<string, Behaviour> = {},
  tls?: https.ServerOptions,
): Promise<Stub> {
  const requests: StubRequest[] = [];
  const listener: http.RequestListener = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      (stub.behaviours[path] ?? reply(404))(response);
    });
  };
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  // A client that trusts nobody breaks off: that is what the test is about.
  server.on("tlsClientError", () => undefined);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  });
  const stub: Stub = { port: await listen(server), requests, behaviours };
  t.after(async () => {
    // Also those on which TLS came to nothing, which the server does not count: kwok keeps them.
    for (const socket of sockets) socket.destroy();
    await server[Symbol.asyncDispose]();
  });
  return stub;
}

/** A port on which nobody listens when the promise resolves. */
export async function freePodPort(): Promise<number> {
  const server = http.createServer();
  const port = await listen(server);
  await server[Symbol.asyncDispose]();
  return port;
}

/** Takes the first free port of those that pods have, from anywhere among them: other tests look for one as well. */
async function listen(server: http.Server | https.Server): Promise<number> {
  const { first, count } = POD_PORTS;
  const start = Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried++) {
    const port = first + ((start + tried) % count);
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
  throw new Error(`all ports from ${first} to ${first + count - 1} are taken`);
}

export function reply(status: number, body: string | Buffer = "", headers: object = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { ...headers }).end(body);
  };
}

export function replyJson(status: number, body: unknown): Behaviour {
  return reply(status, JSON.stringify(body), { "Content-Type": "application/json" });
}

/** Says nothing, and keeps the connection. */
export const hang: Behaviour = () => undefined;

/** Ends the connection without an answer. */
export const reset: Behaviour = ({ socket }) => {
  socket?.resetAndDestroy();
};

/** Writes this text in place of an answer, and ends the connection. */
export function garbage(text: string): Behaviour {
  return ({ socket }) => {
    socket?.end(text);
  };
}

/** Begins an answer and then says no more, or ends the connection. */
export function stopMidway(then: "hang" | "reset"): Behaviour {
  return (response) => {
    response.writeHead(200, { "Content-Length": "100" });
    response.write("half", () => {
      if (then === "reset") response.socket?.resetAndDestroy();
    });
  };
}

/** Answers without an end, a byte every few milliseconds, until nobody listens. */
export const drip: Behaviour = (response) => {
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => {
    clearInterval(timer);
  });
};
