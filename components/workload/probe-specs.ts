import { z } from "zod";
import { exactlyOne, int32, only, portNumber, portNumberOrName } from "./spec-rules.ts";
import { strict } from "./validation.ts";

/** A command in the container; it succeeds with exit code 0. */
export interface ExecSpec {
  /** The command and its arguments, without a shell; at least one word. */
  command: string[];
}

/** A GET request; it succeeds with a status from 200 to 399. */
export interface HttpGetSpec {
  /** Number or name of a port of the container. */
  port: number | string;
  /**
   * Path.
   * @default /
   */
  path?: string | undefined;
  /**
   * `HTTP` or `HTTPS`; certificates are not verified.
   * @default HTTP
   */
  scheme?: "HTTP" | "HTTPS" | undefined;
  /** Headers of the request. */
  httpHeaders?:
    | {
        name: string;
        value: string;
      }[]
    | undefined;
  /** Only empty: Pod Security forbids requests to other hosts. */
  host?: "" | undefined;
}

/** A TCP connection; it succeeds once it is open. */
export interface TcpSocketSpec {
  /** Number or name of a port of the container. */
  port: number | string;
  /** Only empty: Pod Security forbids connections to other hosts. */
  host?: "" | undefined;
}

/** A gRPC health check. */
export interface GrpcSpec {
  /** Number of a port of the container. */
  port: number;
  /**
   * Name of the service that is asked for.
   * @default empty
   */
  service?: string | undefined;
}

/** A probe of a container: exactly one of `exec`, `httpGet`, `tcpSocket` and `grpc`. */
export interface ContainerProbeSpec {
  exec?: ExecSpec | undefined;
  httpGet?: HttpGetSpec | undefined;
  tcpSocket?: TcpSocketSpec | undefined;
  grpc?: GrpcSpec | undefined;
  /**
   * Seconds before the first probe, from 0 on.
   * @default 0
   */
  initialDelaySeconds?: number | undefined;
  /**
   * Seconds until a probe counts as failed, from 1 on.
   * @default 1
   */
  timeoutSeconds?: number | undefined;
  /**
   * Seconds between probes, from 1 on.
   * @default 10
   */
  periodSeconds?: number | undefined;
  /**
   * Successes in a row that count, from 1 on; only 1 in liveness and startup probes.
   * @default 1
   */
  successThreshold?: number | undefined;
  /**
   * Failures in a row that count, from 1 on.
   * @default 3
   */
  failureThreshold?: number | undefined;
  /**
   * Seconds that the container gets to end after a failed liveness or startup probe, from 1 on.
   * @default the pod's
   */
  terminationGracePeriodSeconds?: number | undefined;
}

/** What runs at a moment of a container's life: exactly one of `exec`, `httpGet` and `sleep`. */
export interface LifecycleHandlerSpec {
  exec?: ExecSpec | undefined;
  httpGet?: HttpGetSpec | undefined;
  /** A pause. Kubernetes 1.30 or newer. */
  sleep?:
    | {
        /** Seconds from 1 on, at most the pod's terminationGracePeriodSeconds. */
        seconds: number;
      }
    | undefined;
}

/** What runs at the start and before the end of a container. */
export interface LifecycleSpec {
  /** Runs beside the entry point; when it fails, the container is restarted. */
  postStart?: LifecycleHandlerSpec | undefined;
  /** Runs before the container is told to end. */
  preStop?: LifecycleHandlerSpec | undefined;
}

const exec = strict({ command: z.array(z.string()).min(1, "must have at least one word") });

const host = only("", "Pod Security forbids other hosts in probes and lifecycle handlers");

const httpGet = strict({
  port: portNumberOrName,
  path: z.string().optional(),
  scheme: z.enum(["HTTP", "HTTPS"]).optional(),
  httpHeaders: z
    .array(
      strict({
        name: z.string().regex(/^[-A-Za-z0-9]+$/, "must be letters, digits and '-'"),
        value: z.string(),
      }),
    )
    .optional(),
  host,
});

const count = int32.min(1).optional();

const fields = {
  exec: exec.optional(),
  httpGet: httpGet.optional(),
  tcpSocket: strict({ port: portNumberOrName, host }).optional(),
  grpc: strict({ port: portNumber, service: z.string().optional() }).optional(),
  initialDelaySeconds: int32.min(0).optional(),
  timeoutSeconds: count,
  periodSeconds: count,
  failureThreshold: count,
};

const handlers = exactlyOne("exec", "httpGet", "tcpSocket", "grpc");

const ONE = "must be 1 in liveness and startup probes";

/** A liveness or startup probe: it fails for good, so one success has to do. */
export const restartProbeSpec = strict({
  ...fields,
  successThreshold: z.int().min(1, ONE).max(1, ONE).optional(),
  terminationGracePeriodSeconds: z.int().min(1).optional(),
}).superRefine(handlers);

export const readinessProbeSpec = strict({ ...fields, successThreshold: count }).superRefine(handlers);

const handler = strict({
  exec: exec.optional(),
  httpGet: httpGet.optional(),
  sleep: strict({ seconds: z.int().min(1) }).optional(),
}).superRefine(exactlyOne("exec", "httpGet", "sleep"));

export const lifecycleSpec = strict({ postStart: handler.optional(), preStop: handler.optional() });
