import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProbeSpec } from "../../components/workload/pod-specs.ts";
import { httpProbe } from "../../components/workload/probes.ts";
import { container } from "./support.ts";

const DEFAULT = { path: "/health", initialDelaySeconds: 10, periodSeconds: 30, failureThreshold: 3 };

const rows: [string, ProbeSpec | undefined, object | undefined][] = [
  [
    "that is not given is the default one",
    undefined,
    {
      httpGet: { path: "/health", port: 8080 },
      initialDelaySeconds: 10,
      periodSeconds: 30,
      failureThreshold: 3,
    },
  ],
  [
    "that is given replaces the default one",
    { path: "/own", initialDelaySeconds: 1, periodSeconds: 2, failureThreshold: 4 },
    { httpGet: { path: "/own", port: 8080 }, initialDelaySeconds: 1, periodSeconds: 2, failureThreshold: 4 },
  ],
  [
    "with a path alone takes nothing from the default one",
    { path: "/own" },
    { httpGet: { path: "/own", port: 8080 } },
  ],
  [
    "with some numbers takes no others from the default one",
    { path: "/own", failureThreshold: 9 },
    { httpGet: { path: "/own", port: 8080 }, failureThreshold: 9 },
  ],
  [
    "leaves a period or threshold of 0 to Kubernetes, and keeps a delay of 0",
    { path: "/own", initialDelaySeconds: 0, periodSeconds: 0, failureThreshold: 0 },
    { httpGet: { path: "/own", port: 8080 }, initialDelaySeconds: 0 },
  ],
  ["without path is none", {}, undefined],
  ["with numbers and no path is none", { initialDelaySeconds: 1, periodSeconds: 2 }, undefined],
  ["with an empty path is none", { path: "", periodSeconds: 2 }, undefined],
];

for (const [does, override, expected] of rows) {
  test(`a probe ${does}`, () => {
    assert.deepEqual(httpProbe(override, DEFAULT, 8080), expected);
  });
}

const LIVENESS = {
  httpGet: { path: "/health", port: 8080 },
  initialDelaySeconds: 10,
  periodSeconds: 30,
  failureThreshold: 3,
};
const READINESS = {
  httpGet: { path: "/ready", port: 8080 },
  initialDelaySeconds: 5,
  periodSeconds: 10,
  failureThreshold: 3,
};
const STARTUP = {
  httpGet: { path: "/health", port: 8080 },
  initialDelaySeconds: 0,
  periodSeconds: 10,
  failureThreshold: 30,
};

const proxies: [string, Parameters<typeof container>[0], object][] = [
  [
    "an overridden liveness probe",
    { probes: { liveness: { path: "/own" } } },
    {
      livenessProbe: { httpGet: { path: "/own", port: 8080 } },
      readinessProbe: READINESS,
      startupProbe: STARTUP,
    },
  ],
  [
    "no liveness probe",
    { probes: { liveness: { path: "" } } },
    { readinessProbe: READINESS, startupProbe: STARTUP },
  ],
  [
    "no readiness probe",
    { probes: { readiness: { periodSeconds: 5 } } },
    { livenessProbe: LIVENESS, startupProbe: STARTUP },
  ],
  ["no startup probe", { probes: { startup: {} } }, { livenessProbe: LIVENESS, readinessProbe: READINESS }],
  ["no probe at all", { probes: { liveness: {}, readiness: {}, startup: {} } }, {}],
  [
    "an empty block",
    { probes: {} },
    { livenessProbe: LIVENESS, readinessProbe: READINESS, startupProbe: STARTUP },
  ],
];

for (const [what, spec, expected] of proxies) {
  test(`a proxy with ${what} keeps the others`, () => {
    const probes = Object.entries(container(spec)).filter(([key]) => key.endsWith("Probe"));
    assert.deepEqual(Object.fromEntries(probes), expected);
  });
}
