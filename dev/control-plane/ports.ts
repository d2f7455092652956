// Free ports on the loopback address.

import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";

/**
 * `count` ports that were free a moment ago. Another process may take one before it is used, so who uses them
 * starts again with others when a program reports its address in use.
 */
export async function freePorts(count: number): Promise<number[]> {
  // All are held at the same time, so that no port is handed out twice.
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) =>
          server.close(() => {
            resolve();
          }),
        ),
    ),
  );
  return ports;
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: 0 }, () => {
      resolve(server);
    });
  });
}
