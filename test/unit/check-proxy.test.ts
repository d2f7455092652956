import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProxy } from "../../components/proxy/checks.ts";
import { configTokenSecretName } from "../../components/proxy/token.ts";
import { CANARY, only } from "./support.ts";

const REF = { configTokenSecretRef: { name: "dc-east-config" } };
const problemsOf = (name: string, spec: unknown, hasConfigToken = false) =>
  checkProxy(name, spec, hasConfigToken, `proxies.${name}`).problems;

test("the smallest proxy names a Secret, or has a token beside it", () => {
  assert.deepEqual(checkProxy("dc-east", REF, false, "p"), { spec: REF, problems: [] });
  assert.deepEqual(checkProxy("dc-east", {}, true, "p"), { spec: {}, problems: [] });
});

test("numbers of resources become the text that Kubernetes takes", () => {
  const { spec } = checkProxy("a", { ...REF, resources: { requests: { cpu: 0.5 } } }, false, "p");
  assert.deepEqual(spec?.resources, { requests: { cpu: "0.5" } });
});

test("a proxy without any token is refused with both ways to give one", () => {
  const problems = problemsOf("dc-east", {});
  const problem = only(problems);
  assert.equal(problem.path, "proxies.dc-east");
  assert.match(problem.message, /configTokenSecretRef\.name/);
  assert.match(problem.message, /pulumi config set --secret --path 'configTokens\.dc-east'/);
});

test("a proxy with both forms of a token is refused", () => {
  const problems = problemsOf("dc-east", REF, true);
  const problem = only(problems);
  assert.match(problem.message, /keep one/);
});

const names: [string, RegExp][] = [
  ["dc.east", /its name must be lower-case letters, digits and '-', starting with a letter/],
  ["1-east", /its name must be lower-case letters, digits and '-', starting with a letter/],
  ["x".repeat(64), /its name must be at most 63 characters/],
  ["DC-East", /its name must be lower-case letters/],
  ["", /its name must be lower-case letters/],
];

for (const [name, message] of names) {
  test(`a proxy may not be called ${JSON.stringify(name).slice(0, 20)}`, () => {
    const problems = problemsOf(name, REF);
    const problem = only(problems);
    assert.match(problem.message, message);
  });
}

const bad: [string, unknown, path: string, message: RegExp][] = [
  ["replicas as text", { replicas: CANARY }, ".replicas", /expected number/],
  ["negative replicas", { replicas: -1 }, ".replicas", />=0/],
  ["half a replica", { replicas: 1.5 }, ".replicas", /expected int/],
  ["a Secret without name", { configTokenSecretRef: {} }, ".configTokenSecretRef.name", /expected string/],
  [
    "a Secret with a bad name",
    { configTokenSecretRef: { name: `${CANARY}_` } },
    ".configTokenSecretRef.name",
    /lower-case letters/,
  ],
  [
    "a bad token key",
    { configTokenSecretRef: { name: "a", tokenKey: `${CANARY} x` } },
    ".configTokenSecretRef.tokenKey",
    /letters, digits/,
  ],
  [
    "a bad signing key",
    { configTokenSecretRef: { name: "a", signingKeyKey: `${CANARY}/` } },
    ".configTokenSecretRef.signingKeyKey",
    /letters, digits/,
  ],
  ["an unknown field", { replica: CANARY }, "", /unknown field "replica"; did you mean "replicas"\?/],
  ["a token among plain values", { configToken: CANARY }, "", /unknown field "configToken"/],
  ["a bad image", { image: { tag: `${CANARY}:x` } }, ".image.tag", /image tag/],
  ["bad resources", { resources: { limits: { memory: CANARY } } }, ".resources.limits.memory", /quantity/],
  ["a bad variable", { env: [{ name: "A", value: 1 }] }, ".env[0].value", /expected string/],
  ["a bad toleration", { tolerations: [{ effect: CANARY }] }, ".tolerations[0].effect", /NoSchedule/],
  ["a bad pod label", { podLabels: { team: `${CANARY} x` } }, ".podLabels.team", /letters, digits/],
  ["a bad pod annotation", { podAnnotations: { team: 1 } }, ".podAnnotations.team", /expected string/],
  [
    "a bad budget",
    { podDisruptionBudget: { enabled: CANARY } },
    ".podDisruptionBudget.enabled",
    /expected boolean/,
  ],
  ["bad metrics", { metrics: { enabled: true, path: CANARY } }, ".metrics.path", /starts with \//],
  [
    "a bad network policy",
    { networkPolicy: { enabled: CANARY } },
    ".networkPolicy.enabled",
    /expected boolean/,
  ],
  [
    "a Secret volume without path",
    { secretRefs: [{ name: "s", type: "volume" }] },
    ".secretRefs[0].mountPath",
    /is required with type volume/,
  ],
  [
    "a ConfigMap of another type",
    { configMapRefs: [{ name: "c", type: CANARY }] },
    ".configMapRefs[0].type",
    /"env"\|"volume"/,
  ],
  [
    "a volume with a relative path",
    { volumes: [{ name: "v", mountPath: CANARY }] },
    ".volumes[0].mountPath",
    /absolute path/,
  ],
  ["a bad group", { securityContext: { fsGroup: -1 } }, ".securityContext.fsGroup", />=0/],
  ["a bad user", { securityContext: { runAsUser: CANARY } }, ".securityContext", /unknown field "runAsUser"/],
  ["a negative grace period", { terminationGracePeriodSeconds: -1 }, ".terminationGracePeriodSeconds", />=0/],
  [
    "a grace period as text",
    { terminationGracePeriodSeconds: CANARY },
    ".terminationGracePeriodSeconds",
    /expected number/,
  ],
  [
    "a token's warning without unit",
    { tokenExpiryWarning: CANARY },
    ".tokenExpiryWarning",
    /must be a Prometheus duration such as 30s/,
  ],
  ["a bad node label", { nodeSelector: { disk: `${CANARY} x` } }, ".nodeSelector.disk", /letters, digits/],
  ["affinity as text", { affinity: CANARY }, ".affinity", /expected object/],
  [
    "an init container without image",
    { initContainers: [{ name: "i", args: [CANARY] }] },
    ".initContainers[0].image",
    /expected string/,
  ],
  ["a sidecar without name", { sidecars: [{ image: CANARY }] }, ".sidecars[0].name", /expected string/],
  ["a bad probe", { probes: { startup: { path: CANARY } } }, ".probes.startup.path", /starts with \//],
  ["a bad account", { serviceAccount: { name: `${CANARY}_` } }, ".serviceAccount.name", /lower-case letters/],
  [
    "a variable that stands twice",
    {
      env: [{ name: CANARY }],
      secretRefs: [{ name: "s", type: "env", keys: [{ secretKey: "x", envVar: CANARY }] }],
    },
    ".secretRefs[0].keys[0]",
    /set by another entry too/,
  ],
  [
    "a mount path that stands twice",
    {
      configMapRefs: [{ name: "c", type: "volume", mountPath: `/${CANARY}` }],
      volumes: [{ name: "v", mountPath: `/${CANARY}` }],
    },
    ".volumes[0].mountPath",
    /mounted by another volume too/,
  ],
  [
    "a volume named like a reference's",
    {
      secretRefs: [{ name: CANARY, type: "volume", mountPath: "/s" }],
      volumes: [{ name: `secret-${CANARY}`, mountPath: "/v" }],
    },
    ".volumes[0].name",
    /name of another volume too/,
  ],
  [
    "a sidecar named like the proxy's own container",
    { sidecars: [{ name: "proxy", image: CANARY }] },
    ".sidecars[0].name",
    /name of another container too/,
  ],
  ["a bad rollout", { rollout: { timeoutSeconds: 0 } }, ".rollout.timeoutSeconds", />=1/],
  ["a bad wait for references", { referenceTimeoutSeconds: -1 }, ".referenceTimeoutSeconds", />=0/],
  ["adopt as text", { adopt: CANARY }, ".adopt", /expected boolean/],
];

for (const [what, spec, path, message] of bad) {
  test(`${what} is refused by path and allowed form, without the value`, () => {
    const problems = problemsOf("a", { ...REF, ...(spec as object) });
    const problem = only(problems);
    assert.equal(problem.path, `proxies.a${path}`);
    assert.match(problem.message, message);
    assert.equal(JSON.stringify(problems).includes(CANARY), false);
  });
}

test("every problem of a proxy is reported in one go", () => {
  const problems = problemsOf("dc.east", { replicas: "2", image: { tag: ":" }, envs: [] }, true);
  assert.equal(problems.length, 4);
});

for (const given of [CANARY, null, [CANARY], 1]) {
  test(`a proxy that is ${JSON.stringify(given).replace(CANARY, "text")} is one problem`, () => {
    const problems = problemsOf("a", given);
    const problem = only(problems);
    assert.match(problem.message, /expected object/);
    assert.equal(JSON.stringify(problems).includes(CANARY), false);
  });
}

test("the Secret of a proxy's own token is named after it", () => {
  assert.equal(configTokenSecretName("dc-east"), "dc-east-config-token");
});
