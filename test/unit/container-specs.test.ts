import { containersSpec, initContainersSpec } from "../../components/workload/container-specs.ts";
import { accepted, container, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const ports = (...list: object[]): object[] => container({ ports: list });
const port = (fields: object): object[] => ports({ containerPort: 80, ...fields });
const whole = {
  name: "x".repeat(63),
  image: "registry.example.com:5000/a/b:1@sha256:0",
  imagePullPolicy: "Always",
  command: ["sh", "-c"],
  args: ["echo $(A)", ""],
  workingDir: "/tmp",
  ports: [{ name: "http", containerPort: 80, protocol: "TCP", hostPort: 0, hostIP: "" }],
  env: [{ name: "A", value: "1" }],
  envFrom: [{ secretRef: { name: "s" } }],
  resources: { requests: { cpu: "100m" }, limits: { cpu: "1" } },
  resizePolicy: [
    { resourceName: "cpu", restartPolicy: "NotRequired" },
    { resourceName: "memory", restartPolicy: "RestartContainer" },
  ],
  volumeMounts: [{ name: "data", mountPath: "/data" }],
  livenessProbe: { tcpSocket: { port: "http" } },
  readinessProbe: { tcpSocket: { port: 80 } },
  startupProbe: { tcpSocket: { port: 80 } },
  lifecycle: { postStart: { exec: { command: ["true"] } } },
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "FallbackToLogsOnError",
  securityContext: { readOnlyRootFilesystem: true },
  stdin: true,
  stdinOnce: true,
  tty: true,
};

accepted(containersSpec, [
  ["no container", []],
  ["the smallest container", container({})],
  ["containers with all that Kubernetes has", [whole, ...container({})]],
  [
    "ports that differ in protocol alone",
    ports(
      { containerPort: 53, protocol: "UDP" },
      { containerPort: 53 },
      { containerPort: 53, protocol: "SCTP" },
    ),
  ],
  [
    "the lowest and highest port",
    ports({ containerPort: 1, name: "a1-b" }, { containerPort: 65535, name: "9p" }),
  ],
  ["a policy of its own", container({ restartPolicy: "OnFailure" })],
]);

refused(containersSpec, [
  ["containers as a map", { c: CANARY }, "p", /expected array/],
  ["a container as text", [CANARY], "p[0]", /expected object/],
  ["a container without name", [{ image: CANARY }], "p[0].name", /expected string/],
  ["a container with an empty name", container({ name: "" }), "p[0].name", /must be lower-case letters/],
  [
    "a container with a bad name",
    container({ name: `${CANARY}.x` }),
    "p[0].name",
    /lower-case letters, digits and '-'/,
  ],
  [
    "a container with a name too long",
    container({ name: "x".repeat(64) }),
    "p[0].name",
    /at most 63 characters/,
  ],
  ["a container without image", [{ name: "c", args: [CANARY] }], "p[0].image", /expected string/],
  [
    "a container with an empty image",
    container({ image: "" }),
    "p[0].image",
    /^must be the reference of an image$/,
  ],
  [
    "an image with space around it",
    container({ image: ` ${CANARY}` }),
    "p[0].image",
    /reference of an image/,
  ],
  ["an image that is a map", container({ image: { x: CANARY } }), "p[0].image", /expected string/],
  ["a misspelt field", container({ volumeMount: [CANARY] }), "p[0]", /did you mean "volumeMounts"\?/],
  ["a field of the main container", container({ probes: CANARY }), "p[0]", /unknown field "probes"/],
  ["a command as text", container({ command: CANARY }), "p[0].command", /expected array/],
  ["an argument that is a number", container({ args: [8080] }), "p[0].args[0]", /expected string/],
  [
    "another pull policy",
    container({ imagePullPolicy: CANARY }),
    "p[0].imagePullPolicy",
    /"Always"\|"IfNotPresent"/,
  ],
  [
    "another message policy",
    container({ terminationMessagePolicy: CANARY }),
    "p[0].terminationMessagePolicy",
    /"File"\|"FallbackToLogsOnError"/,
  ],
  ["truth as text", container({ tty: "true" }), "p[0].tty", /expected boolean/],
  ["ports as numbers", container({ ports: [80] }), "p[0].ports[0]", /expected object/],
  ["a port without number", ports({ name: "a" }), "p[0].ports[0].containerPort", /must be a port number/],
  ...[0, -1, 65536, 1.5, "80", CANARY].map((containerPort): [string, unknown, string, RegExp] => [
    `the port ${JSON.stringify(containerPort)}`,
    ports({ containerPort }),
    "p[0].ports[0].containerPort",
    /^must be a port number from 1 to 65535$/,
  ]),
  ...["80", "A", "a_b", "a--b", "-a", "a-", ""].map((name): [string, unknown, string, RegExp] => [
    `the port name ${JSON.stringify(name)}`,
    port({ name }),
    "p[0].ports[0].name",
    /must be lower-case letters, digits and single '-', at least one letter/,
  ]),
  ["a port name too long", port({ name: "x".repeat(16) }), "p[0].ports[0].name", /at most 15 characters/],
  ["a protocol in lower case", port({ protocol: "tcp" }), "p[0].ports[0].protocol", /"TCP"\|"UDP"\|"SCTP"/],
  [
    "a port of the node",
    port({ hostPort: 80 }),
    "p[0].ports[0].hostPort",
    /^must be 0 or left out: Pod Security forbids ports of the node$/,
  ],
  ["an address of the node", port({ hostIP: CANARY }), "p[0].ports[0].hostIP", /must be empty or left out/],
  [
    "a port name twice",
    ports({ containerPort: 1, name: "a" }, { containerPort: 2 }, { containerPort: 3, name: "a" }),
    "p[0].ports[2].name",
    /is the name of another port too/,
  ],
  [
    "a port twice",
    ports({ containerPort: 1 }, { containerPort: 1, protocol: "TCP", name: "b" }),
    "p[0].ports[1].containerPort",
    /given twice with this protocol/,
  ],
  [
    "a resize policy twice",
    container({
      resizePolicy: [
        { resourceName: "cpu", restartPolicy: "NotRequired" },
        { resourceName: "cpu", restartPolicy: "RestartContainer" },
      ],
    }),
    "p[0].resizePolicy[1].resourceName",
    /given twice/,
  ],
  [
    "a resize policy of a device",
    container({ resizePolicy: [{ resourceName: CANARY, restartPolicy: "NotRequired" }] }),
    "p[0].resizePolicy[0].resourceName",
    /"cpu"\|"memory"/,
  ],
  [
    "a resize policy that says nothing",
    container({ resizePolicy: [{ resourceName: "cpu" }] }),
    "p[0].resizePolicy[0].restartPolicy",
    /"NotRequired"\|"RestartContainer"/,
  ],
  ["another restart policy", container({ restartPolicy: CANARY }), "p[0].restartPolicy", /"Always"\|"Never"/],
  [
    "rules for restarts, which the provider would drop",
    container({ restartPolicy: "Never", restartPolicyRules: [{ action: CANARY }] }),
    "p[0]",
    /unknown field "restartPolicyRules"/,
  ],
]);

accepted(initContainersSpec, [
  [
    "an init container",
    container({ command: ["true"], volumeMounts: [{ name: "data", mountPath: "/data" }] }),
  ],
  ["a native sidecar", [{ ...whole, restartPolicy: "Always" }]],
  ["an init container that resizes in place", container({ resizePolicy: [whole.resizePolicy[0]] })],
  ["an init container that may fail", container({ restartPolicy: "Never" })],
]);

refused(initContainersSpec, [
  ["a misspelt field of an init container", container({ arg: [CANARY] }), "p[0]", /did you mean "args"\?/],
  [
    "an init container that restarts to resize",
    container({ resizePolicy: whole.resizePolicy }),
    "p[0].resizePolicy[1].restartPolicy",
    /without restartPolicy Always/,
  ],
]);
