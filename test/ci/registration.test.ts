// Registrations of connectors: what previews tell of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reportDocument } from "../../ci/preview/document.ts";
import { markdown } from "../../ci/preview/markdown.ts";
import { exitCode } from "../../ci/preview/model.ts";
import { ASKS } from "../../ci/preview/registration.ts";
import { causeText } from "../../ci/preview/words.ts";
import { ASKS as SAID } from "../../components/connector/registration/resource.ts";
import { type RawDiagnostic, type RawStep, STACK, zoneOf } from "./support.ts";

const SECRET = "s3cr3t";
const URN = `urn:pulumi:${STACK}::pulumi-proxies::proxies:index:Connector`;
/** More than it has: also what is shown of objects. */
const STATE = {
  inputs: {
    credentials: { bearerToken: SECRET },
    authAttributes: [{ name: "apiKey", content: { [SECRET]: SECRET } }],
    metadata: {
      namespace: SECRET,
      annotations: { "pulumi-proxies.dev/owner": `${SECRET}/x/Connector/${SECRET}` },
    },
    spec: { replicas: 1, template: { spec: { containers: [{ image: SECRET }] } } },
  },
  outputs: { registration: { posted: SECRET } },
};

/** A step on the registration of a connector. */
function registration(op: string, name = "x509"): RawStep {
  return {
    op,
    urn: `${URN}$pulumi-nodejs:dynamic/proxies:Registration::${name}`,
    ...(op !== "create" && { old: STATE }),
    ...(op !== "delete" && { new: STATE }),
    detailedDiff: null,
  };
}

function said(severity: string, message: string, name = "x509"): RawDiagnostic {
  const prefix = severity === "info" ? "" : `${severity}: `;
  return { severity, message: `${prefix}${message}\n`, urn: `${URN}::${name}` };
}

const asks = said("info", SAID);
const X509 = { kind: "Connector", name: "x509" };

test("the commands know the words of a preview in which the platform is going to be asked", () => {
  assert.equal(ASKS, SAID);
});

const TABLE: [string, RawStep, RawDiagnostic[], string[], number][] = [
  [
    "the platform is asked",
    registration("update"),
    [asks],
    [
      "1 update (asks the platform to register the connector)",
      "no effect on pods",
      "asks the platform to register the connector",
    ],
    2,
  ],
  [
    "nobody is asked, or for another connector",
    registration("update"),
    [said("info", SAID, "other"), said("info", "anything else")],
    [
      "1 update (keeps the connector's uuid, or what deleting it takes)",
      "no effect on pods",
      "keeps the connector's uuid, or what deleting it takes",
    ],
    2,
  ],
  [
    "a connector that runs gets a registration",
    registration("create"),
    [asks],
    [
      "creates Registration x509 (asks the platform to register the connector)",
      "creates",
      "asks the platform to register the connector",
    ],
    2,
  ],
  [
    "one that does not run gets a registration",
    registration("create"),
    [],
    ["creates Registration x509", "creates"],
    2,
  ],
  [
    "a registration is taken out",
    registration("delete"),
    [],
    [
      "DELETES Registration x509 (forgets the registration of the connector)",
      "deletes",
      "forgets the registration of the connector",
    ],
    3,
  ],
];

for (const [name, given, diagnostics, expected, code] of TABLE) {
  test(`the report when ${name}`, () => {
    const zone = zoneOf([given], diagnostics);
    const [only, ...others] = zone.entries;
    const [change] = only?.changes ?? [];
    assert.deepEqual([zone.headline, change?.effect, ...(change?.causes ?? []).map(causeText)], expected);
    assert.deepEqual([only?.component, change?.kind, change?.name], [X509, "Registration", "x509"]);
    assert.deepEqual([others, zone.warnings, exitCode([zone])], [[], [], code]);
  });
}

test("it is one of the objects of a connector that is made, or goes, as a whole", () => {
  const whole = (op: string): RawStep[] => [
    { ...registration(op), urn: `${URN}::x509`, ...(op === "create" ? { new: {} } : { old: {} }) },
    registration(op),
  ];
  assert.equal(zoneOf(whole("create")).headline, "creates Connector x509 (1 object)");
  assert.equal(zoneOf(whole("delete")).headline, "DELETES Connector x509 (1 object)");
});

test("nothing of what it holds is told, whatever the engine says of it", () => {
  const path = `authAttributes[0].content["${SECRET}"]`;
  const steps = ["create", "update", "delete", "replace", "surprise"].map((op, index) => ({
    ...registration(op, `c${index}`),
    detailedDiff: { [path]: { kind: "update" } },
  }));
  const zone = zoneOf(steps, [asks]);
  assert.equal(zone.entries.length, 5);
  const texts = [JSON.stringify(zone), markdown([zone]), JSON.stringify(reportDocument([zone]))];
  for (const text of texts) assert.doesNotMatch(text, new RegExp(SECRET));
});
