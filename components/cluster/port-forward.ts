// A stream to a port of a pod, through the API server: Kubernetes' port-forward over a WebSocket. The Kubernetes client
// has one as well, with megabytes of API models, which neither tells why it was refused nor when the stream ended.
import type { RequestOptions } from "node:https";
import { Duplex } from "node:stream";
import type { KubeConfig } from "@kubernetes/client-node";
import type { WebSocket } from "ws";
import type { NoAnswer } from "./cluster.ts";

/** A port of a pod, and how to get there. */
export interface PodPort {
  config: KubeConfig;
  /** The class, which only the bundle has. */
  Socket: typeof WebSocket;
  namespace: string;
  pod: string;
  port: number;
}

const MESSAGES: Record<NoAnswer, string> = {
  refused: "nothing listens on the port",
  timeout: "no complete answer in time",
  broken: "the connection broke, or the answer is not HTTP",
  missing: "there is no such pod",
  forbidden: "the identity may not get and create pods/portforward",
  unreachable: "the API server could not open a port-forward to the pod",
};

/** Why a stream could not be opened, or ended before its time; its message is one of the fixed phrases above. */
export class StreamFailure extends Error {
  readonly outcome: NoAnswer;

  constructor(outcome: NoAnswer, cause?: unknown) {
    super(MESSAGES[outcome], { cause });
    this.outcome = outcome;
  }
}

/** Every message begins with the number of its channel: one for the data, one for what the kubelet says of a failure. */
const PROTOCOL = "v4.channel.k8s.io";
const [DATA, FAILURE] = [0, 1];

/** The first two bytes of either channel repeat the port. */
const PREFIX_BYTES = 2;

/** The code of a WebSocket that ended without having been closed. */
const CUT_OFF = 1006;

/** Bytes of one message: a kubelet copies in pieces of 32 KiB. */
const MAX_MESSAGE_BYTES = 1 << 20;

/**
 * Opens a stream, which is destroyed when `deadline` is over.
 * @throws StreamFailure
 */
export function openStream(target: PodPort, deadline: AbortSignal): Promise<Duplex> {
  // A plugin of the kubeconfig that hangs can't be interrupted, only left.
  const expired = new Promise<never>((_, reject) => {
    deadline.addEventListener("abort", () => {
      reject(new StreamFailure("timeout"));
    });
  });
  return Promise.race([connect(target, deadline), expired]);
}

async function connect(target: PodPort, deadline: AbortSignal): Promise<Duplex> {
  const { config, Socket, namespace, pod, port } = target;
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new StreamFailure("unreachable");
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw new StreamFailure("unreachable", error);
  }
  if (deadline.aborted) throw new StreamFailure("timeout");
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward`;
  const url = `${server.replace(/^http/, "ws").replace(/\/$/, "")}${path}?ports=${port}`;
  const limits = { maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false };
  const socket = new Socket(url, PROTOCOL, { ...options, ...limits });
  const stream = streamOver(socket);
  deadline.addEventListener("abort", () => {
    stream.destroy(new StreamFailure("timeout"));
  });
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    socket.once("open", () => {
      resolve(stream);
    });
    socket.once("unexpected-response", (_, { statusCode }) => {
      stream.destroy(new StreamFailure(outcomeOf(statusCode)));
    });
  });
}

function outcomeOf(status: number | undefined): NoAnswer {
  if (status === 403) return "forbidden";
  return status === 404 ? "missing" : "unreachable";
}

/** The data channel as a stream. Messages are handed on as they come: who reads them bounds them. */
function streamOver(socket: WebSocket): Duplex {
  const stream = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _, done) {
      socket.send(Buffer.concat([Buffer.of(DATA), chunk]), done);
    },
    destroy(error, done) {
      socket.terminate();
      done(error);
    },
  });
  const prefixes = new Map([DATA, FAILURE].map((channel) => [channel, PREFIX_BYTES]));
  socket.on("message", (message: Buffer) => {
    const channel = message[0] ?? DATA;
    const prefix = prefixes.get(channel) ?? 0;
    const content = message.subarray(1 + prefix);
    prefixes.set(channel, 0);
    if (content.length === 0) return;
    if (channel === DATA) stream.push(content);
    else
      stream.destroy(
        new StreamFailure(/connection refused/i.test(content.toString()) ? "refused" : "broken"),
      );
  });
  let opened = false;
  socket.once("open", () => (opened = true));
  socket.on("error", (error) => {
    stream.destroy(new StreamFailure(opened ? "broken" : "unreachable", error));
  });
  socket.on("close", (code) => {
    if (code === CUT_OFF) stream.destroy(new StreamFailure("broken"));
    else stream.push(null);
  });
  return stream;
}
