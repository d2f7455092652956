// Stands in for an API server over HTTPS, where a test needs it to answer what no real one would.
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { KubeConfig } from "@kubernetes/client-node";
import { SERVER } from "./certificates.ts";

export interface HttpsApi {
  url: string;
  /** The address alone. */
  port: number;
  /** A kubeconfig that leads there, with a token. */
  config(): KubeConfig;
  close(): Promise<void>;
}

export const TOKEN = "canary-kubeconfig-token";

/** Starts one that answers so. */
export async function openHttpsApi(answer: RequestListener): Promise<HttpsApi> {
  const server = createServer({ cert: SERVER.certificate, key: SERVER.key }, answer);
  const connections = new Set<Duplex>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("tlsClientError", () => undefined); // what the client refuses, its own error says
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  return {
    url,
    port,
    config: () => {
      const config = new KubeConfig();
      config.loadFromClusterAndUser(
        {
          name: "c",
          server: url,
          caData: Buffer.from(SERVER.certificate).toString("base64"),
          skipTLSVerify: false,
        },
        { name: "u", token: TOKEN },
      );
      return config;
    },
    close: async () => {
      for (const connection of connections) connection.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
