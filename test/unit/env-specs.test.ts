import { containersSpec } from "../../components/workload/container-specs.ts";
import { accepted, container, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const variable = (entry: object): object[] => container({ env: [{ name: "A", ...entry }] });
const from = (valueFrom: unknown): object[] => variable({ valueFrom });
const at = (field: string): string => `p[0].env[0].valueFrom.${field}`;
const resource = (resourceFieldRef: object): object[] => from({ resourceFieldRef });

accepted(containersSpec, [
  ["no variables", container({ env: [], envFrom: [] })],
  [
    "a plain variable and one without value",
    container({ env: [{ name: "a.b-c_D", value: "x" }, { name: "_" }] }),
  ],
  ["keys", from({ secretKeyRef: { name: "s.a", key: "k.e_y-1", optional: true } })],
  ["keys of a ConfigMap", from({ configMapKeyRef: { name: "c", key: "1" } })],
  [
    "an empty value beside its source",
    variable({ value: "", valueFrom: { fieldRef: { fieldPath: "metadata.uid" } } }),
  ],
  ...[
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "metadata.labels['app.kubernetes.io/name']",
    "metadata.annotations['Example.com/Size']",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
  ].map((fieldPath): [string, unknown] => [`the field ${fieldPath}`, from({ fieldRef: { fieldPath } })]),
  ["a field with its version", from({ fieldRef: { fieldPath: "metadata.name", apiVersion: "v1" } })],
  ...["requests.cpu", "limits.memory", "requests.ephemeral-storage", "limits.hugepages-2Mi"].map(
    (name): [string, unknown] => [`the resource ${name}`, resource({ resource: name })],
  ),
  [
    "a resource of another container",
    resource({ resource: "limits.cpu", containerName: "c", divisor: "1m" }),
  ],
  ...["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei", "0"].map(
    (divisor): [string, unknown] => [`the unit ${divisor}`, resource({ resource: "limits.memory", divisor })],
  ),
  [
    "whole objects",
    container({
      envFrom: [
        { secretRef: { name: "s", optional: true } },
        { prefix: "P_", configMapRef: { name: "c" } },
        { configMapRef: { name: "c" } },
      ],
    }),
  ],
]);

refused(containersSpec, [
  ["variables as a map", container({ env: { A: CANARY } }), "p[0].env", /expected array/],
  ["a variable without name", container({ env: [{ value: CANARY }] }), "p[0].env[0].name", /expected string/],
  [
    "a variable with an empty name",
    container({ env: [{ name: "" }] }),
    "p[0].env[0].name",
    /must be letters/,
  ],
  [
    "a variable with a bad name",
    container({ env: [{ name: `1${CANARY}` }] }),
    "p[0].env[0].name",
    /not starting/,
  ],
  ["a value that is a number", variable({ value: 1 }), "p[0].env[0].value", /expected string/],
  ["a misspelt source", variable({ valuefrom: CANARY }), "p[0].env[0]", /did you mean "valueFrom"\?/],
  [
    "a variable twice",
    container({ env: [{ name: "A", value: CANARY }, { name: "B" }, { name: "A" }] }),
    "p[0].env[2].name",
    /is given twice; keep one/,
  ],
  [
    "a value and a source",
    variable({ value: CANARY, valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }),
    "p[0].env[0]",
    /has both value and valueFrom: keep one/,
  ],
  ["no source", from({}), "p[0].env[0].valueFrom", /must have one of secretKeyRef, configMapKeyRef/],
  [
    "two sources",
    from({ secretKeyRef: { name: "a", key: "b" }, fieldRef: { fieldPath: "metadata.name" } }),
    "p[0].env[0].valueFrom",
    /has secretKeyRef and fieldRef: keep exactly one/,
  ],
  [
    "a key without object",
    from({ secretKeyRef: { key: CANARY } }),
    at("secretKeyRef.name"),
    /expected string/,
  ],
  [
    "an empty name of an object",
    from({ secretKeyRef: { name: "", key: "a" } }),
    at("secretKeyRef.name"),
    /lower-case/,
  ],
  [
    "a bad name of an object",
    from({ configMapKeyRef: { name: "A_", key: "a" } }),
    at("configMapKeyRef.name"),
    /lower/,
  ],
  ["no key", from({ configMapKeyRef: { name: "a" } }), at("configMapKeyRef.key"), /expected string/],
  ["an empty key", from({ secretKeyRef: { name: "a", key: "" } }), at("secretKeyRef.key"), /must be letters/],
  ...[".", "..", `..${CANARY}`].map((key): [string, unknown, string, RegExp] => [
    `the key ${key}`,
    from({ secretKeyRef: { name: "a", key } }),
    at("secretKeyRef.key"),
    /not only '\.' and not starting with '\.\.'/,
  ]),
  [
    "a bad key",
    from({ secretKeyRef: { name: "a", key: `${CANARY}/` } }),
    at("secretKeyRef.key"),
    /must be letters/,
  ],
  ...[
    "",
    "metadata.nam",
    "metadata.labels",
    "metadata.labels['a b']",
    "metadata.annotations[]",
    "metadata.name['a']",
    "status.phase",
    "spec.restartPolicy",
    `spec.${CANARY}`,
  ].map((fieldPath): [string, unknown, string, RegExp] => [
    `the field ${JSON.stringify(fieldPath)}`,
    from({ fieldRef: { fieldPath } }),
    at("fieldRef.fieldPath"),
    /must be one of metadata\.name, .*metadata\.annotations\['<key>'\]$/,
  ]),
  [
    "another version of a field",
    from({ fieldRef: { fieldPath: "metadata.name", apiVersion: CANARY } }),
    at("fieldRef.apiVersion"),
    /must be v1 or left out/,
  ],
  ...["", "cpu", "limits.gpu", "limits.example.com/gpu", `limit.${CANARY}`].map(
    (name): [string, unknown, string, RegExp] => [
      `the resource ${JSON.stringify(name)}`,
      resource({ resource: name }),
      at("resourceFieldRef.resource"),
      /must be requests\. or limits\. and then cpu/,
    ],
  ),
  ...["1Mi", "2", "1k"].map((divisor): [string, unknown, string, RegExp] => [
    `the unit ${divisor} of cpu`,
    resource({ resource: "limits.cpu", divisor }),
    at("resourceFieldRef.divisor"),
    /must be one of 1m, 1$/,
  ]),
  ...["1m", "1K", "10", CANARY].map((divisor): [string, unknown, string, RegExp] => [
    `the unit ${divisor} of memory`,
    resource({ resource: "requests.memory", divisor }),
    at("resourceFieldRef.divisor"),
    /must be one of 1, 1k, 1Ki, 1M, 1Mi/,
  ]),
  [
    "a unit of huge pages",
    resource({ resource: "requests.hugepages-2Mi", divisor: "1m" }),
    at("resourceFieldRef.divisor"),
    /must be one of 1, 1k/,
  ],
  [
    "a file, which the provider would drop",
    from({ fileKeyRef: { volumeName: CANARY, path: "a", key: "A" } }),
    at("").replace(/\.$/, ""),
    /unknown field "fileKeyRef"/,
  ],
  [
    "an object that is no source",
    container({ envFrom: [{}] }),
    "p[0].envFrom[0]",
    /one of secretRef, configMapRef/,
  ],
  [
    "two objects in one",
    container({ envFrom: [{ secretRef: { name: "a" }, configMapRef: { name: "a" } }] }),
    "p[0].envFrom[0]",
    /has secretRef and configMapRef/,
  ],
  [
    "an object without name",
    container({ envFrom: [{ secretRef: {} }] }),
    "p[0].envFrom[0].secretRef.name",
    /expected string/,
  ],
  [
    "a bad prefix",
    container({ envFrom: [{ prefix: `1${CANARY}`, secretRef: { name: "a" } }] }),
    "p[0].envFrom[0].prefix",
    /not starting with a digit/,
  ],
]);
