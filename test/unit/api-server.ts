// Stands in for an API server and a kubelet that forward the ports of pods, where a test needs them to misbehave.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TestContext } from "node:test";
import { KubeConfig } from "@kubernetes/client-node";
import { type WebSocket, WebSocketServer } from "ws";

/** What it does with the connection that it has been asked for. */
export type Forward = (socket: WebSocket) => void;

/** What it does with a request for one; answering on `raw` refuses it. */
export type Upgrade = (raw: Duplex, accept: (forward: Forward) => void, request: IncomingMessage) => void;

/** Starts one for a test; the kubeconfig leads there. */
export async function openApiServer(t: TestContext, upgrade: Upgrade): Promise<KubeConfig> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const connections = new Set<Duplex>();
  server.on("upgrade", (request, raw, head) => {
    connections.add(raw);
    raw.on("error", () => undefined); // the client may leave at any time
    const accept = (forward: Forward): void => {
      sockets.handleUpgrade(request, raw, head, forward);
    };
    upgrade(raw, accept, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    for (const connection of connections) connection.destroy();
    await server[Symbol.asyncDispose]();
  });
  const config = new KubeConfig();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  config.loadFromClusterAndUser(
    { name: "test", server: url, skipTLSVerify: true },
    { name: "test", token: "t" },
  );
  return config;
}

/** A message of the data channel (0) or the failure channel (1). */
export function message(channel: number, text: string): Buffer {
  return Buffer.concat([Buffer.of(channel), Buffer.from(text)]);
}

/** Begins both channels, as a kubelet does, and answers the first request with these texts, one message for each. */
export function answer(texts: readonly string[], end: (socket: WebSocket) => void): Forward {
  return (socket) => {
    for (const channel of [0, 1]) socket.send(message(channel, "\x21\x4e"));
    socket.once("message", () => {
      for (const text of texts) socket.send(message(0, text));
      end(socket);
    });
  };
}
