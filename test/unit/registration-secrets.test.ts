// What connectors register with and nobody may read, as a stack file holds it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem } from "../../components/workload/validation.ts";
import { checkStackConfig } from "../../stacks/config.ts";
import { CANARY } from "./support.ts";

const KEY = "registrationSecrets";
const REGISTRATION = { platformUrl: "https://ilm.example.com/api", name: "X.509", authType: "none" };
const image = { repository: "hub.example.com/x509", tag: "1.3.1" };
const connector = (registration?: object): object => ({ image, ...(registration && { registration }) });

function checked(connectors: object, secrets: unknown, secretKeys = [KEY]) {
  const values = { zone: { namespace: "proxies" }, connectors, [KEY]: secrets };
  const texts = Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]);
  return checkStackConfig({
    values: Object.fromEntries(texts) as Record<string, string>,
    secretKeys: new Set(secretKeys),
  });
}

test("which secrets there are is known, and none of them", () => {
  const { value, problems } = checked(
    { x509: connector(REGISTRATION), other: connector(REGISTRATION) },
    {
      x509: {
        credentials: { bearerToken: CANARY },
        authAttributes: { key: CANARY, chain: [CANARY] },
        customAttributes: {},
      },
    },
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(value?.registrationSecrets, {
    x509: { credentials: true, authAttributes: ["key", "chain"], customAttributes: [] },
  });
  assert.doesNotMatch(JSON.stringify(value), new RegExp(CANARY));
});

const bad: [string, connectors: object, secrets: unknown, secretKeys: string[], Problem["path"], RegExp][] = [
  ["a connector that is not there", {}, { x: {} }, [KEY], `${KEY}.x`, /unknown field "x"/],
  [
    "a connector that does not register",
    { x: connector() },
    { x: {} },
    [KEY],
    `${KEY}.x`,
    /without registration/,
  ],
  [
    "another field",
    { x: connector(REGISTRATION) },
    { x: { credential: CANARY } },
    [KEY],
    `${KEY}.x`,
    /did you mean "credentials"/,
  ],
  [
    "two ways to identify oneself",
    { x: connector(REGISTRATION) },
    { x: { credentials: { bearerToken: CANARY, basic: { username: CANARY, password: CANARY } } } },
    [KEY],
    `${KEY}.x.credentials`,
    /keep one/,
  ],
  [
    "credentials that the connector has as well",
    { x: connector({ ...REGISTRATION, credentials: { bearerToken: { secretName: "s", key: "k" } } }) },
    { x: { credentials: { bearerToken: CANARY } } },
    [KEY],
    `${KEY}.x.credentials`,
    /too: keep one/,
  ],
  [
    "an attribute that the connector has as well",
    { x: connector({ ...REGISTRATION, customAttributes: [{ name: "a.b", content: 1 }] }) },
    { x: { customAttributes: { "a.b": CANARY } } },
    [KEY],
    `${KEY}.x.customAttributes["a.b"]`,
    /too: keep one/,
  ],
  ["secrets in clear", { x: connector(REGISTRATION) }, { x: {} }, [], KEY, /must be secret/],
  [
    "a secure leaf in a connector",
    { x: connector(REGISTRATION) },
    {},
    ["connectors"],
    "connectors",
    /registrationSecrets/,
  ],
  ["no map", {}, CANARY, [KEY], KEY, /expected a map/],
  ...Object.entries({
    bearerToken: CANARY,
    "basic.password": { username: "u", password: CANARY },
    "clientCertificate.key": { certificate: "c", key: CANARY },
  }).map(([field, value]): (typeof bad)[number] => [
    `${field} in clear among the args`,
    { x: connector({ ...REGISTRATION, credentials: { [field.split(".")[0] ?? ""]: value } }) },
    {},
    [],
    `connectors.x.registration.credentials.${field}`,
    /stands here in clear/,
  ]),
];

for (const [what, connectors, secrets, secretKeys, path, message] of bad) {
  test(`refused by its path, without a value: ${what}`, () => {
    const { value, problems } = checked(connectors, secrets, secretKeys);
    assert.equal(value, undefined);
    assert.deepEqual(
      problems.map((problem) => problem.path),
      [path],
    );
    assert.match(problems[0]?.message ?? "", message);
    assert.doesNotMatch(JSON.stringify(problems), new RegExp(CANARY));
  });
}
