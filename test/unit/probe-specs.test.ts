import { containersSpec, initContainersSpec } from "../../components/workload/container-specs.ts";
import { accepted, container, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const tcpSocket = { port: 80 };
const live = (livenessProbe: unknown): object[] => container({ livenessProbe });
const at = (field: string): string => `p[0].livenessProbe.${field}`;
const stop = (preStop: unknown): object[] => container({ lifecycle: { preStop } });

accepted(containersSpec, [
  ["a probe by command", live({ exec: { command: ["true"] } })],
  ["a probe over HTTP", live({ httpGet: { port: 65535 } })],
  [
    "a whole probe over HTTP",
    container({
      readinessProbe: {
        httpGet: {
          port: "http-1",
          path: "/a?b=c",
          scheme: "HTTPS",
          httpHeaders: [{ name: "X-A", value: "" }],
          host: "",
        },
        initialDelaySeconds: 0,
        timeoutSeconds: 1,
        periodSeconds: 1,
        successThreshold: 5,
        failureThreshold: 2147483647,
      },
    }),
  ],
  [
    "a probe over TCP",
    container({ startupProbe: { tcpSocket: { port: "a", host: "" }, successThreshold: 1 } }),
  ],
  ["a probe over gRPC", live({ grpc: { port: 1, service: "" }, terminationGracePeriodSeconds: 1 })],
  ["a probe over gRPC without service", live({ grpc: { port: 1 } })],
  ["an empty lifecycle", container({ lifecycle: {} })],
  [
    "a lifecycle",
    container({
      lifecycle: { postStart: { exec: { command: ["a", ""] } }, preStop: { sleep: { seconds: 30 } } },
    }),
  ],
  ["an end over HTTP", stop({ httpGet: { port: 80, host: "" } })],
]);

refused(containersSpec, [
  ["a probe as text", live(CANARY), "p[0].livenessProbe", /expected object/],
  [
    "a probe without handler",
    live({ periodSeconds: 1 }),
    "p[0].livenessProbe",
    /^must have one of exec, httpGet, tcpSocket, grpc$/,
  ],
  [
    "a probe with two handlers",
    live({ tcpSocket, exec: { command: [CANARY] } }),
    "p[0].livenessProbe",
    /^has exec and tcpSocket: keep exactly one$/,
  ],
  [
    "a misspelt handler",
    live({ httpget: { port: 1, path: CANARY } }),
    "p[0].livenessProbe",
    /unknown field "httpget"; did you mean "httpGet"\?/,
  ],
  ["a command as text", live({ exec: { command: CANARY } }), at("exec.command"), /expected array/],
  ["an empty command", live({ exec: { command: [] } }), at("exec.command"), /at least one word/],
  ["no command", live({ exec: {} }), at("exec.command"), /expected array/],
  [
    "no port",
    live({ httpGet: { path: CANARY } }),
    at("httpGet.port"),
    /must be a port number from 1 to 65535, or/,
  ],
  ...[0, 65536, 1.5, "80", "", "a--b", "-a", "A", "a_b", "a".repeat(16)].map(
    (port): [string, unknown, string, RegExp] => [
      `the port ${JSON.stringify(port)}`,
      live({ tcpSocket: { port } }),
      at("tcpSocket.port"),
      /must be a port number from 1 to 65535, or the name of a port/,
    ],
  ),
  [
    "a scheme in lower case",
    live({ httpGet: { port: 1, scheme: "http" } }),
    at("httpGet.scheme"),
    /"HTTP"\|"HTTPS"/,
  ],
  [
    "a bad header",
    live({ httpGet: { port: 1, httpHeaders: [{ name: `${CANARY}:`, value: "a" }] } }),
    at("httpGet.httpHeaders[0].name"),
    /letters, digits and '-'/,
  ],
  [
    "a header without value",
    live({ httpGet: { port: 1, httpHeaders: [{ name: "A" }] } }),
    at("httpGet.httpHeaders[0].value"),
    /expected string/,
  ],
  [
    "another host over HTTP",
    live({ httpGet: { port: 1, host: CANARY } }),
    at("httpGet.host"),
    /must be empty or left out: Pod Security forbids/,
  ],
  [
    "another host over TCP",
    live({ tcpSocket: { port: 1, host: CANARY } }),
    at("tcpSocket.host"),
    /Pod Security/,
  ],
  ["a named port over gRPC", live({ grpc: { port: CANARY } }), at("grpc.port"), /must be a port number/],
  ["no port over gRPC", live({ grpc: {} }), at("grpc.port"), /must be a port number/],
  ["a port 0 over gRPC", live({ grpc: { port: 0 } }), at("grpc.port"), /must be a port number/],
  ["a negative delay", live({ tcpSocket, initialDelaySeconds: -1 }), at("initialDelaySeconds"), />=0/],
  ...["timeoutSeconds", "periodSeconds", "failureThreshold", "terminationGracePeriodSeconds"].map(
    (field): [string, unknown, string, RegExp] => [
      `no ${field}`,
      live({ tcpSocket, [field]: 0 }),
      at(field),
      />=1/,
    ],
  ),
  [
    "a period beyond 32 bits",
    live({ tcpSocket, periodSeconds: 2147483648 }),
    at("periodSeconds"),
    /<=2147483647/,
  ],
  ["a period as text", live({ tcpSocket, periodSeconds: CANARY }), at("periodSeconds"), /expected number/],
  [
    "two successes of a liveness probe",
    live({ tcpSocket, successThreshold: 2 }),
    at("successThreshold"),
    /must be 1/,
  ],
  [
    "two successes of a startup probe",
    container({ startupProbe: { tcpSocket, successThreshold: 2 } }),
    "p[0].startupProbe.successThreshold",
    /must be 1 in liveness and startup probes/,
  ],
  [
    "a readiness probe that ends the container",
    container({ readinessProbe: { tcpSocket, terminationGracePeriodSeconds: 1 } }),
    "p[0].readinessProbe",
    /unknown field "terminationGracePeriodSeconds"/,
  ],
  ["no handler at the end", stop({}), "p[0].lifecycle.preStop", /must have one of exec, httpGet, sleep/],
  [
    "two handlers at the end",
    stop({ exec: { command: [CANARY] }, sleep: { seconds: 1 } }),
    "p[0].lifecycle.preStop",
    /has exec and sleep: keep exactly one/,
  ],
  [
    "a TCP handler, which fails at run time",
    stop({ tcpSocket }),
    "p[0].lifecycle.preStop",
    /unknown field "tcpSocket"/,
  ],
  [
    "another host at the end",
    stop({ httpGet: { port: 1, host: CANARY } }),
    "p[0].lifecycle.preStop.httpGet.host",
    /Pod/,
  ],
  ["a negative sleep", stop({ sleep: { seconds: -1 } }), "p[0].lifecycle.preStop.sleep.seconds", />=1/],
  [
    "no sleep, which old servers refuse",
    stop({ sleep: { seconds: 0 } }),
    "p[0].lifecycle.preStop.sleep.seconds",
    />=1/,
  ],
  [
    "a signal, which needs an operating system",
    container({ lifecycle: { stopSignal: "SIGTERM" } }),
    "p[0].lifecycle",
    /unknown field "stopSignal"/,
  ],
]);

const running = { livenessProbe: { tcpSocket }, readinessProbe: { tcpSocket }, startupProbe: { tcpSocket } };

accepted(initContainersSpec, [
  [
    "a native sidecar with probes",
    container({ restartPolicy: "Always", ...running, lifecycle: { preStop: { sleep: { seconds: 1 } } } }),
  ],
]);

refused(
  initContainersSpec,
  ["livenessProbe", "readinessProbe", "startupProbe"].flatMap((field): [string, unknown, string, RegExp][] =>
    [undefined, "OnFailure"].map((restartPolicy) => [
      `a ${field} of an init container with restartPolicy ${restartPolicy}`,
      container({ [field]: { tcpSocket }, ...(restartPolicy && { restartPolicy }) }),
      `p[0].${field}`,
      /^has no meaning in an init container without restartPolicy Always/,
    ]),
  ),
);

refused(initContainersSpec, [
  [
    "a lifecycle of an init container",
    container({ lifecycle: {} }),
    "p[0].lifecycle",
    /without restartPolicy Always/,
  ],
]);
