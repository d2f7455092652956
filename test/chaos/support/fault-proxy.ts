// Stands between a zone's runs and the API server, and does to their requests what networks and servers do.
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request as httpsRequest } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Identity } from "../../../ci/roles/roles.ts";
import { SERVER } from "../../support/certificates.ts";
import type { TestCluster } from "../../cluster/support/cluster.ts";
import { type Alter, inflict, type Kind, suits } from "./faults.ts";

export interface Faults {
  kinds: readonly Kind[];
  /** Which part of the requests is concerned, from 0 to 1. */
  rate: number;
  /** Numbers from 0 to 1, as many as there are; used again from the first one on. */
  chances: readonly number[];
  /** Which requests may be concerned. Default: all. */
  only?: (request: IncomingMessage) => boolean;
}

export class FaultProxy {
  /** How often each kind was done. */
  readonly counts = new Map<Kind, number>();
  /** How many requests came. */
  requests = 0;
  #faults: readonly Faults[] = [];
  #drawn = 0;
  readonly #upstream: { host: string; port: number; ca: Buffer; agent: Agent };
  readonly #server = createServer({ cert: SERVER.certificate, key: SERVER.key });
  readonly #connections = new Set<Socket>();
  #port = 0;
  #back: NodeJS.Timeout | undefined;

  private constructor(kubeconfig: string) {
    const { server, ca } = readCluster(kubeconfig);
    const agent = new Agent({ keepAlive: true, ca });
    this.#upstream = { host: server.hostname, port: Number(server.port), ca, agent };
    this.#server.on("connection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
    this.#server.on("request", (request, response) => {
      this.#pass(request, response);
    });
    this.#server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#upgrade(request, socket, head);
    });
    this.#server.on("tlsClientError", () => undefined); // a connection that we ended ourselves
  }

  /** Opens one before the API server of a kubeconfig; without faults at first. */
  static async open(kubeconfig: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(kubeconfig);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    proxy.#port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  /** The kubeconfigs of both identities, in a folder, each leading here. */
  kubeconfigs(users: TestCluster["users"], folder: string): Record<Identity, string> {
    const through = (identity: Identity): string => {
      const path = `${folder}/through-proxy-${identity}`;
      const text = readFileSync(users[identity], "utf8");
      const kubeconfig = JSON.parse(text) as { clusters: { cluster: Record<string, string> }[] };
      for (const { cluster } of kubeconfig.clusters) {
        cluster["server"] = `https://127.0.0.1:${this.#port}`;
        cluster["certificate-authority-data"] = Buffer.from(SERVER.certificate).toString("base64");
      }
      writeFileSync(path, JSON.stringify(kubeconfig), { mode: 0o600 });
      return path;
    };
    return { preview: through("preview"), update: through("update") };
  }

  /** From now on these, of which the first that concern a request count; without any, requests pass as they are. */
  inflict(...faults: Faults[]): void {
    this.#faults = faults;
    this.#drawn = 0;
    if (faults.length === 0) this.#listen();
  }

  async close(): Promise<void> {
    clearTimeout(this.#back);
    this.#upstream.agent.destroy();
    for (const connection of this.#connections) connection.destroy();
    await this.#server[Symbol.asyncDispose]();
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    this.requests += 1;
    request.on("error", () => undefined); // either side may leave at any time
    response.on("error", () => undefined);
    const forward = (alter?: Alter): void => {
      this.#forward(request, response, alter);
    };
    const fault = this.#draw(request);
    if (fault === undefined) {
      forward();
      return;
    }
    const { kind, chance } = fault;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const leave = (ms: number): void => {
      this.#leave(ms);
    };
    // Only the connection below TLS can be reset.
    const { remotePort } = request.socket;
    const reset = (): void => {
      for (const raw of this.#connections) if (raw.remotePort === remotePort) raw.resetAndDestroy();
    };
    inflict(kind, { request, response, chance, forward, reset, leave });
  }

  #draw(request: IncomingMessage): { kind: Kind; chance: number } | undefined {
    const faults = this.#faults.find(({ only }) => only?.(request) !== false);
    if (faults === undefined) return undefined;
    const next = (): number => faults.chances[this.#drawn++ % faults.chances.length] ?? 0;
    const kinds = faults.kinds.filter((kind) => suits(kind, request));
    const concerned = next() < faults.rate;
    const kind = kinds[Math.floor(next() * kinds.length)];
    return concerned && kind !== undefined ? { kind, chance: next() } : undefined;
  }

  #forward(request: IncomingMessage, response: ServerResponse, alter?: Alter): void {
    const { host, port, agent } = this.#upstream;
    const { method, url, headers } = request;
    const outgoing = httpsRequest({ host, port, agent, method, path: url, headers }, (answer) => {
      answer.on("error", () => response.destroy());
      if (alter !== undefined) {
        alter(answer, response);
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // A watch that has nothing to say yet has begun all the same.
      response.flushHeaders();
      answer.pipe(response);
    });
    outgoing.on("error", () => request.socket.destroy());
    response.on("close", () => outgoing.destroy());
    request.pipe(outgoing);
  }

  /** WebSockets pass as they are, byte by byte. */
  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { host, port, ca } = this.#upstream;
    const upstream = connectTls({ host, port, ca }, () => {
      const { rawHeaders: raw, method, url } = request;
      const lines = raw.flatMap((name, index) =>
        index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ""}`] : [],
      );
      upstream.write(`${[`${method ?? ""} ${url ?? ""} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const [one, other] of [
      [upstream, socket],
      [socket, upstream],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }

  #leave(ms: number): void {
    if (!this.#server.listening) return;
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
    this.#back = setTimeout(() => {
      this.#listen();
    }, ms);
  }

  #listen(): void {
    clearTimeout(this.#back);
    if (!this.#server.listening) this.#server.listen(this.#port, "127.0.0.1");
  }
}

function readCluster(kubeconfig: string): { server: URL; ca: Buffer } {
  // The test cluster's kubeconfig is JSON.
  const { clusters } = JSON.parse(readFileSync(kubeconfig, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
  };
  const [first] = clusters;
  if (first === undefined) throw new Error(`${kubeconfig} names no cluster`);
  return {
    server: new URL(first.cluster.server),
    ca: Buffer.from(first.cluster["certificate-authority-data"], "base64"),
  };
}
