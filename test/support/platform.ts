// A platform that really listens on loopback, and does what a test tells it.
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** What became of a request: an answer, silence, a broken connection, or silence after the half of an answer. */
export type Behaviour =
  { status: number; body?: string; headers?: Record<string, string> } | "hang" | "reset" | "stall";

export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Platform {
  /** Base URL, with /api. */
  url: string;
  /** All requests, in order. */
  received: Received[];
  /** What the next requests get; the last one stays. */
  behave(...behaviours: Behaviour[]): void;
  /** Stops listening; until `start`, connections are refused. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Called for each request, before it is answered. */
  onRequest: (request: Received) => Promise<void> | void;
}

export const CREATED = {
  status: 200,
  body: JSON.stringify({
    uuid: "3f0b9c1e-7a52-4a44-9d1c-5c8c0b7f8a11",
    name: "x",
    status: "waitingForApproval",
  }),
};

/** Starts a platform that registers whatever it is asked to; it is gone after the test. */
export async function startPlatform(t: TestContext, tls?: https.ServerOptions): Promise<Platform> {
  let behaviours: Behaviour[] = [CREATED];
  const sockets = new Set<Socket>();
  const listener: http.RequestListener = (request, response) => void serve(request, response);
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  });
  // A client that trusts nobody breaks off: that is what the test is about.
  server.on("tlsClientError", () => undefined);
  const platform: Platform = {
    url: "",
    received: [],
    onRequest: () => undefined,
    behave: (...next) => {
      behaviours = next;
    },
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    start: async () => {
      const port = platform.url === "" ? 0 : Number(new URL(platform.url).port);
      await once(server.listen(port, "127.0.0.1"), "listening");
      const { port: listening } = server.address() as AddressInfo;
      platform.url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${listening}/api`;
    },
  };
  async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const received = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    platform.received.push(received);
    await platform.onRequest(received);
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    if (behaviour === undefined || behaviour === "hang") return;
    if (behaviour === "reset") request.socket.resetAndDestroy();
    else if (behaviour === "stall") response.writeHead(200).write('{"uuid": "half');
    else response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
  }
  await platform.start();
  t.after(() => (server.listening ? platform.stop() : undefined));
  return platform;
}

/** A corporate proxy that tunnels, and forwards plain HTTP; `asked` are the lines of its requests. */
export async function startProxy(t: TestContext, refuses = false): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    if (refuses) {
      response.writeHead(403).end();
      return;
    }
    const { method, headers } = request;
    const onward = http.request(request.url ?? "", { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on("connect", (request: http.IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url ?? ""}`);
    if (refuses) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
