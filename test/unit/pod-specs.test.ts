import { probesSpec, securityContextSpec, serviceAccountSpec } from "../../components/workload/pod-specs.ts";
import { accepted, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

accepted(securityContextSpec, [
  ["an empty security context", {}],
  ["a whole security context", { runAsNonRoot: false, readOnlyRootFilesystem: false, fsGroup: 10001 }],
  ["the lowest group", { fsGroup: 0 }],
  ["the highest group", { fsGroup: 2147483647 }],
]);

refused(securityContextSpec, [
  ["a security context as text", CANARY, "p", /expected object/],
  ["runAsNonRoot as text", { runAsNonRoot: CANARY }, "p.runAsNonRoot", /expected boolean/],
  [
    "readOnlyRootFilesystem as text",
    { readOnlyRootFilesystem: CANARY },
    "p.readOnlyRootFilesystem",
    /expected boolean/,
  ],
  ["a group as text", { fsGroup: CANARY }, "p.fsGroup", /expected number/],
  ["a negative group", { fsGroup: -1 }, "p.fsGroup", />=0/],
  ["a group beyond the highest", { fsGroup: 2147483648 }, "p.fsGroup", /<=2147483647/],
  ["half a group", { fsGroup: 1.5 }, "p.fsGroup", /expected int/],
  ["a user", { runAsUser: CANARY }, "p", /unknown field "runAsUser"/],
  ["privileges", { privileged: CANARY }, "p", /unknown field "privileged"/],
]);

accepted(probesSpec, [
  ["no overridden probe", {}],
  [
    "a whole probe",
    {
      liveness: { path: "/own?x=1", initialDelaySeconds: 0, periodSeconds: 1, failureThreshold: 2147483647 },
    },
  ],
  ["probes without and with an empty path", { readiness: {}, startup: { path: "", periodSeconds: 0 } }],
]);

for (const probe of ["liveness", "readiness", "startup"]) {
  refused(probesSpec, [
    [`a ${probe} probe as text`, { [probe]: CANARY }, `p.${probe}`, /expected object/],
    [
      `a ${probe} probe with a relative path`,
      { [probe]: { path: CANARY } },
      `p.${probe}.path`,
      /^must be a path that starts with \/$/,
    ],
    [`a ${probe} probe with a path that is a number`, { [probe]: { path: 1 } }, `p.${probe}.path`, /string/],
    ...["initialDelaySeconds", "periodSeconds", "failureThreshold"].flatMap(
      (field): [string, unknown, string, RegExp][] => [
        [
          `a ${probe} probe's ${field} as text`,
          { [probe]: { [field]: CANARY } },
          `p.${probe}.${field}`,
          /number/,
        ],
        [`a negative ${field} (${probe})`, { [probe]: { [field]: -1 } }, `p.${probe}.${field}`, />=0/],
        [`half a ${field} (${probe})`, { [probe]: { [field]: 0.5 } }, `p.${probe}.${field}`, /expected int/],
        [
          `a ${field} beyond 32 bits (${probe})`,
          { [probe]: { [field]: 2147483648 } },
          `p.${probe}.${field}`,
          /<=2147483647/,
        ],
      ],
    ),
    [
      `another kind of ${probe} probe`,
      { [probe]: { exec: { command: [CANARY] } } },
      `p.${probe}`,
      /unknown field "exec"/,
    ],
    [
      `a field of a ${probe} probe that the resource lacks`,
      { [probe]: { path: "/", periodSecond: CANARY } },
      `p.${probe}`,
      /unknown field "periodSecond"; did you mean "periodSeconds"\?/,
    ],
  ]);
}

refused(probesSpec, [
  ["probes as a list", [CANARY], "p", /expected object/],
  ["an unknown probe", { livenes: CANARY }, "p", /unknown field "livenes"; did you mean "liveness"\?/],
]);

accepted(serviceAccountSpec, [
  ["an empty account", {}],
  ["a whole account", { name: "shared.account", annotations: { "example.com/role": "arn:x y", a: "" } }],
]);

refused(serviceAccountSpec, [
  ["an account as text", CANARY, "p", /expected object/],
  ["an account with an empty name", { name: "" }, "p.name", /must be lower-case letters/],
  ["an account with a bad name", { name: `${CANARY}_` }, "p.name", /must be lower-case letters/],
  ["annotations as a list", { annotations: [CANARY] }, "p.annotations", /expected record/],
  ["an annotation that is a number", { annotations: { a: 1 } }, "p.annotations.a", /expected string/],
  [
    "an annotation with a bad key",
    { annotations: { "a b": CANARY } },
    'p.annotations["a b"]',
    /must be a name of at most 63 letters/,
  ],
  ["an unknown field of an account", { create: CANARY }, "p", /unknown field "create"/],
]);
