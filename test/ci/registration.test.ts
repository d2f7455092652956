// Registrations of connectors: what previews tell of them, and what drift makes of that.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeFindings, isAmbiguous } from "../../ci/drift/findings.ts";
import { untold } from "../../ci/drift/registration.ts";
import { statesOf } from "../../ci/drift/states.ts";
import { reportDocument } from "../../ci/preview/document.ts";
import { markdown } from "../../ci/preview/markdown.ts";
import { exitCode, type ZoneReport } from "../../ci/preview/model.ts";
import { causeText } from "../../ci/preview/words.ts";
import { rowsOf } from "../../ci/status/rows.ts";
import { ASKS } from "../../components/connector/registration/outcome.ts";
import { brief, entry, live } from "./drift-support.ts";
import { type RawDiagnostic, type RawStep, STACK, step, zoneOf } from "./support.ts";
import { NOW, proxy } from "./status-fleet.ts";

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

const asks = said("info", ASKS);
const unavailable =
  "the connector is not registered yet: the connection was refused; the next run tries again";
const failed = said("warning", `RegistrationFailed: ${unavailable}`);
const X509 = { kind: "Connector", name: "x509" };

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
    [said("info", ASKS, "other"), said("info", "anything else")],
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

const rows = rowsOf("z", { connectors: { x509: proxy() } }, NOW);

/** What drift finds where this is what a preview says, and the connector runs. */
function drift(report: ZoneReport, objects = [live("Service", [])]): ReturnType<typeof brief> {
  assert.equal(isAmbiguous({ report, objects }), false);
  const changes = changeFindings({ report, objects });
  return brief([...changes, ...statesOf(rows, untold(report.warnings, changes)).findings]);
}

test("a platform that is still to be asked is a finding of its own, with what the last run was told, once", () => {
  const reason = "the connector is not registered yet: the connection was refused";
  const pending = (what: string) => ["registration pending", "Connector x509", "-", what, true];
  const still = "the platform is still to be asked to register the connector";
  assert.deepEqual(drift(zoneOf([registration("update")], [asks])), [pending(still)]);
  assert.deepEqual(drift(zoneOf([registration("update")], [asks, failed])), [pending(reason)]);
  // Those of others, and other warnings, stay.
  const others = [said("warning", `RegistrationFailed: ${unavailable}`, "other"), said("warning", "beside")];
  assert.deepEqual(drift(zoneOf([registration("update")], [asks, failed, ...others])), [
    pending(reason),
    ["warning", "Connector x509", "-", "beside", false],
    ["warning", "Connector other", "-", `RegistrationFailed: ${unavailable}`, false],
  ]);
});

test("what the stack file says differently of it waits to be applied", () => {
  const args = (what: string) => ["args pending", "Connector x509", "Registration x509", what, true];
  assert.deepEqual(drift(zoneOf([registration("update")])), [
    args("keeps the connector's uuid, or what deleting it takes"),
  ]);
  assert.deepEqual(drift(zoneOf([registration("create")], [asks])), [
    args("is not made yet: asks the platform to register the connector"),
  ]);
  assert.deepEqual(drift(zoneOf([registration("delete")])), [
    args("is to be DELETED: forgets the registration of the connector"),
  ]);
});

test("drift beside it takes no second preview for it, and one that was needed changes nothing of it", () => {
  const edited = live("Service", [entry("kubectl-label", { "f:metadata": { "f:labels": { "f:a": {} } } })]);
  const service = step("update", {
    kind: "Service",
    paths: ['metadata.annotations["pulumi-proxies.dev/repairs"]'],
  });
  const report = zoneOf([service, registration("update")], [asks, failed]);
  assert.deepEqual(
    drift(report, [edited]).map(([kind]) => kind),
    ["registration pending", "drift"],
  );
  const intended = zoneOf([]);
  assert.deepEqual(
    changeFindings({ report, intended, objects: [edited] }).map(({ kind }) => kind),
    ["registration pending", "drift"],
  );
});

test("a connector that runs, and is not registered or not well: a warning that says where to look", () => {
  const registering = '"Registration" in docs/troubleshooting.md says what to do';
  const health =
    'ask the connector and its log; "The health of connectors" in docs/troubleshooting.md has each reason';
  const messages: [string, string][] = [
    ["RegistrationFailed: the platform rejected the registration with status 422: look", registering],
    ["registration: name changed since the connector was registered", registering],
    ["registration.platformUrl is http://: the credentials", registering],
    ["health Down: the connector reports DOWN; not up: db (DOWN)", health],
    ["ReferenceUnreadable: forbidden", "docs/status.md says what each reason means"],
  ];
  const warnings = messages.map(([message]) => ({ message, component: X509 }));
  assert.deepEqual(
    statesOf(rows, warnings).findings.map(({ kind, what, todo, mendable }) => [kind, what, todo, mendable]),
    messages.map(([message, todo]) => ["warning", message, todo, false]),
  );
});

test("neither is a reason for a phase, and what a row repeats of the last run counts only if the preview says so", () => {
  const conditions = [{ type: "Available", status: "True", reason: "Some", message: "1/2 replicas ready" }];
  const updating = rows.map((row) => ({ ...row, phase: "Updating", conditions }));
  const messages = [`RegistrationFailed: ${unavailable}`, "health Down: the connector reports DOWN"];
  const warnings = messages.map((message) => ({ message, component: X509 }));
  assert.deepEqual(brief(statesOf(updating, warnings).findings), [
    ["phase", "Connector x509", "-", "Updating: 1/2 replicas ready", false],
    ...messages.map((message) => ["warning", "Connector x509", "-", message, false]),
  ]);
  const repeating = rows.map((row) => ({
    ...row,
    warnings: messages.map((message) => `${message} (when the last run looked)`),
  }));
  assert.deepEqual(statesOf(repeating, []).findings, []);
  assert.deepEqual(brief(statesOf(repeating, warnings).findings), [
    ...messages.map((message) => ["warning", "Connector x509", "-", message, false]),
  ]);
});
