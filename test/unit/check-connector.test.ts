// Rows 109 to 114 of the facts on the operator: what its API server refuses is refused here by path.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConnector } from "../../components/connector/checks.ts";
import { IMAGE } from "./connector-support.ts";
import { CANARY, only } from "./support.ts";

const problemsOf = (spec: unknown, name = "x509") =>
  checkConnector(name, spec, `connectors.${name}`).problems;

test("the smallest connector names its image", () => {
  assert.deepEqual(checkConnector("x509", { image: IMAGE }, "c"), { spec: { image: IMAGE }, problems: [] });
});

const rolling = (maxSurge: unknown, maxUnavailable: unknown): object => ({
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
});
const volume = (source: object): object => ({ volumes: [{ name: "v", mountPath: "/v", ...source }] });

const good: [string, object][] = [
  ["no surge and one unavailable", rolling(0, 1)],
  ["a claim", volume({ persistentVolumeClaim: { claimName: "c" } })],
  ["a volume without source", volume({})],
  ["every service type", { service: { port: 65535, type: "NodePort" } }],
  ["an empty service", { service: {} }],
  [
    "a lifecycle",
    { lifecycle: { terminationGracePeriodSeconds: 0, podDisruptionBudget: { enabled: false } } },
  ],
  ["the reserved port of metrics", { metrics: { enabled: true, port: 9090, path: "/m" } }],
];

for (const [what, spec] of good) {
  test(`accepted: ${what}`, () => {
    assert.deepEqual(problemsOf({ image: IMAGE, ...spec }), []);
  });
}

const bad: [string, object, path: string, message: RegExp][] = [
  ["no image", { image: undefined }, ".image", /expected object/],
  ["an image without tag", { image: { repository: "a" } }, ".image.tag", /expected string/],
  [
    "a digest in place of a tag",
    { image: { repository: "a", digest: `sha256:${"a".repeat(64)}` } },
    ".image.tag",
    /expected string/,
  ],
  ["an image without repository", { image: { tag: "1" } }, ".image.repository", /expected string/],
  ["bounds under Recreate", { strategy: { type: "Recreate", rollingUpdate: {} } }, ".strategy", /keep one/],
  ["both bounds zero", rolling(0, "0%"), ".strategy.rollingUpdate", /both 0/],
  ["a surge that is no number", rolling("nope", 1), ".strategy.rollingUpdate.maxSurge", /./],
  ["a negative surge", rolling(-1, 1), ".strategy.rollingUpdate.maxSurge", /./],
  ["pods unavailable that are no number", rolling(1, "nope"), ".strategy.rollingUpdate.maxUnavailable", /./],
  ["a negative number unavailable", rolling(1, -1), ".strategy.rollingUpdate.maxUnavailable", /./],
  ["OnDelete", { strategy: { type: "OnDelete" } }, ".strategy.type", /./],
  [
    "a volume with both sources",
    volume({ emptyDir: {}, persistentVolumeClaim: { claimName: "c" } }),
    ".volumes[0]",
    /./,
  ],
  [
    "a claim without name",
    volume({ persistentVolumeClaim: { claimName: "" } }),
    ".volumes[0].persistentVolumeClaim.claimName",
    /./,
  ],
  ["port 0", { service: { port: 0 } }, ".service.port", /1 to 65535/],
  ["port 65536", { service: { port: 65536 } }, ".service.port", /1 to 65535/],
  ["another service type", { service: { type: "ExternalName" } }, ".service.type", /./],
  ["a field of the Proxy", { tokenExpiryWarning: CANARY }, "", /unknown field "tokenExpiryWarning"/],
  ["a grace outside lifecycle", { terminationGracePeriodSeconds: 1 }, "", /unknown field/],
  [
    "a misspelt lifecycle",
    { lifecycle: { podDisruptionBudgets: {} } },
    ".lifecycle",
    /did you mean "podDisruptionBudget"/,
  ],
];

for (const [what, spec, path, message] of bad) {
  test(`refused by its path: ${what}`, () => {
    const problem = only(problemsOf({ image: IMAGE, ...spec }));
    assert.equal(problem.path, `connectors.x509${path}`);
    assert.match(problem.message, message);
    assert.ok(!problem.message.includes(CANARY));
  });
}

test("a hook may not outlast the grace of lifecycle", () => {
  const preStop = { sleep: { seconds: 10 } };
  const sidecars = [{ name: "s", image: "s:1", lifecycle: { preStop } }];
  const within = (terminationGracePeriodSeconds: number) =>
    problemsOf({ image: IMAGE, sidecars, lifecycle: { terminationGracePeriodSeconds } });
  assert.deepEqual(within(60), []);
  assert.match(only(within(5)).path, /^connectors\.x509\.sidecars\[0\]\.lifecycle\.preStop/);
});

test("a name that no Service may have is refused", () => {
  assert.match(only(problemsOf({ image: IMAGE }, "1-x")).message, /its name must be/);
});
