// Rows 109 to 118 of the facts on the operator: what its API server refuses is refused here by path.
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

const SECRET_KEY = { secretName: "platform", key: "token" };
const REGISTRATION = { platformUrl: "https://ilm.example.com/api", name: "X.509", authType: "none" };
const registered = (more: object): object => ({ registration: { ...REGISTRATION, ...more } });
const health = (healthCheck: object): object => ({ healthCheck });

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
  [
    "a whole health check",
    { healthCheck: { enabled: true, path: "/health%2Fliveness", periodSeconds: 60, timeoutSeconds: 20 } },
  ],
  ["a health check every 10 seconds", { healthCheck: { periodSeconds: 10 } }],
  ["a health check of 30 seconds", { healthCheck: { timeoutSeconds: 30 } }],
  ["an empty health check", { healthCheck: {} }],
  ["a path of 1024 characters", { healthCheck: { path: `/${"x".repeat(1023)}` } }],
  ["the smallest registration", { registration: REGISTRATION }],
  [
    "a whole registration",
    {
      registration: {
        ...REGISTRATION,
        authAttributes: [{ name: "a", content: null }],
        customAttributes: [{ name: "b", content: [{ c: 1 }] }],
        generation: 2,
        uuid: "3f0b9c1e-7a52-4a44-9d1c-5c8c0b7f8a11",
        required: true,
        deregisterOnDelete: true,
        credentials: {
          basic: { username: "u", password: SECRET_KEY },
          clientCertificate: { certificate: SECRET_KEY, key: SECRET_KEY },
        },
        caBundle: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
        timeoutSeconds: 0,
      },
    },
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
    "a health check that takes longer than its period",
    health({ timeoutSeconds: 21, periodSeconds: 20 }),
    ".healthCheck.timeoutSeconds",
    /at most periodSeconds/,
  ],
  [
    "a health check that takes longer than the default period of the operator",
    health({ periodSeconds: 10, timeoutSeconds: 11 }),
    ".healthCheck.timeoutSeconds",
    /at most periodSeconds/,
  ],
  [
    "a health check every 5 seconds",
    health({ periodSeconds: 5, timeoutSeconds: 1 }),
    ".healthCheck.periodSeconds",
    /10/,
  ],
  [
    "a health check of 31 seconds",
    health({ periodSeconds: 60, timeoutSeconds: 31 }),
    ".healthCheck.timeoutSeconds",
    /30/,
  ],
  ...["health", "/%zz", "/a\tb", "/a\u0085b", "/a?b", "/a#b"].map(
    (path): [string, object, string, RegExp] => [
      `the health path ${JSON.stringify(path)}`,
      health({ path }),
      ".healthCheck.path",
      /start with \/|control characters/,
    ],
  ),
  [
    "a health path of 1025 characters",
    health({ path: `/${"x".repeat(1024)}` }),
    ".healthCheck.path",
    /at most 1024/,
  ],
  ["a misspelt field of the health check", health({ periodSecond: 30 }), ".healthCheck", /periodSeconds/],
  ["a platform that is no URL", registered({ platformUrl: "core" }), ".registration.platformUrl", /http:/],
  [
    "a platform of another scheme",
    registered({ platformUrl: "ftp://core/api" }),
    ".registration.platformUrl",
    /http:/,
  ],
  [
    "credentials in the address of the platform",
    registered({ platformUrl: `https://u:${CANARY}@core/api` }),
    ".registration.platformUrl",
    /registration\.credentials/,
  ],
  [
    "a query in the address of the platform",
    registered({ platformUrl: "https://core/api?x" }),
    ".registration.platformUrl",
    /neither query nor fragment/,
  ],
  ["a registration without name", registered({ name: undefined }), ".registration.name", /expected string/],
  ["another authType", registered({ authType: CANARY }), ".registration.authType", /"jwt"/],
  [
    "an attribute without content",
    registered({ authAttributes: [{ name: "a" }] }),
    ".registration.authAttributes[0].content",
    /any JSON/,
  ],
  [
    "an attribute without name",
    registered({ customAttributes: [{ content: CANARY }] }),
    ".registration.customAttributes[0].name",
    /expected string/,
  ],
  ["generation 0", registered({ generation: 0 }), ".registration.generation", /1/],
  ["a uuid with a slash", registered({ uuid: "a/b" }), ".registration.uuid", /letters, digits/],
  [
    "two ways to identify oneself",
    registered({ credentials: { bearerToken: CANARY, basic: { username: CANARY, password: CANARY } } }),
    ".registration.credentials",
    /keep one/,
  ],
  [
    "a password that is no text",
    registered({ credentials: { basic: { username: "u", password: 1 } } }),
    ".registration.credentials.basic.password",
    /secretName and key/,
  ],
  ["certificates in another form", registered({ caBundle: CANARY }), ".registration.caBundle", /PEM/],
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
