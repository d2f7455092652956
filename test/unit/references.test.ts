import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Reference,
  type ReferenceOutcome,
  type References,
  resolveReferences,
} from "../../components/workload/references.ts";

const token: Reference = { kind: "Secret", name: "token", requiredKeys: ["configToken"], isToken: true };
const extra: Reference = { kind: "Secret", name: "extra", requiredKeys: [] };
const ca: Reference = { kind: "ConfigMap", name: "ca", requiredKeys: [] };
const keyed: Reference = { ...extra, requiredKeys: ["user", "password"] };
const file: Reference = { ...ca, requiredKeys: ["ca.crt"] };

const found = (reference: Reference, ...keys: string[]): ReferenceOutcome => ({
  outcome: "found",
  object: {
    kind: reference.kind,
    name: reference.name,
    data: Object.fromEntries(keys.map((key) => [key, Buffer.from("x")])),
  },
});
const missing: ReferenceOutcome = { outcome: "missing" };
const forbidden: ReferenceOutcome = { outcome: "forbidden", detail: "User x cannot get secrets" };
const unreachable: ReferenceOutcome = { outcome: "unreachable", detail: "connect ECONNREFUSED" };

const MISSING_TOKEN: References = {
  outcome: "missing",
  reason: "MissingSecret",
  message: 'Secret "token" not found',
};
const MISSING_KEY: References = {
  outcome: "missing",
  reason: "MissingTokenKey",
  message: 'Secret "token" has no key "configToken"',
};
const MISSING_CA: References = {
  outcome: "missing",
  reason: "MissingConfigMap",
  message: 'ConfigMap "ca" not found',
};

const rows: {
  when: string;
  outcomes: [ReferenceOutcome, ReferenceOutcome, ReferenceOutcome];
  expected: References;
}[] = [
  {
    when: "the token's Secret is missing",
    outcomes: [missing, found(extra), found(ca)],
    expected: MISSING_TOKEN,
  },
  {
    when: "the token's key is missing",
    outcomes: [found(token, "other"), found(extra), found(ca)],
    expected: MISSING_KEY,
  },
  {
    when: "a ConfigMap is missing",
    outcomes: [found(token, "configToken"), found(extra), missing],
    expected: MISSING_CA,
  },
  {
    when: "several are missing, the first counts",
    outcomes: [found(token, "configToken"), missing, missing],
    expected: { outcome: "missing", reason: "MissingSecret", message: 'Secret "extra" not found' },
  },
  {
    when: "a key is missing before an object",
    outcomes: [found(token), missing, missing],
    expected: MISSING_KEY,
  },
  {
    when: "one may not be read",
    outcomes: [forbidden, found(extra), found(ca)],
    expected: { outcome: "unknown", message: 'Secret "token" could not be read: User x cannot get secrets' },
  },
  {
    when: "several can't be read, the first counts",
    outcomes: [found(token, "configToken"), unreachable, forbidden],
    expected: { outcome: "unknown", message: 'Secret "extra" could not be read: connect ECONNREFUSED' },
  },
  {
    when: "something later is missing beside an unreadable one",
    outcomes: [forbidden, found(extra), missing],
    expected: MISSING_CA,
  },
  {
    when: "something earlier is missing beside an unreadable one",
    outcomes: [missing, forbidden, found(ca)],
    expected: MISSING_TOKEN,
  },
];

for (const { when, outcomes, expected } of rows) {
  test(`references are ${expected.outcome} when ${when}`, () => {
    assert.deepEqual(resolveReferences([token, extra, ca], outcomes), expected);
  });
}

test("references are found when all of them are, with their objects in order", () => {
  const outcomes = [found(token, "configToken", "other"), found(extra), found(ca)];
  assert.deepEqual(resolveReferences([token, extra, ca], outcomes), {
    outcome: "found",
    objects: outcomes.map((each) => (each.outcome === "found" ? each.object : undefined)),
  });
});

test("an empty value counts as there", () => {
  const empty: ReferenceOutcome = {
    outcome: "found",
    object: { kind: "Secret", name: "token", data: { configToken: new Uint8Array() } },
  };
  assert.equal(resolveReferences([token], [empty]).outcome, "found");
});

test("a key is not found on JavaScript's own prototype", () => {
  const odd: Reference = { ...token, requiredKeys: ["constructor"] };
  assert.deepEqual(resolveReferences([odd], [found(odd)]), {
    outcome: "missing",
    reason: "MissingTokenKey",
    message: 'Secret "token" has no key "constructor"',
  });
});

test("a missing key that is not the token's has a reason of its own, the first of several counts", () => {
  assert.deepEqual(resolveReferences([keyed], [found(keyed, "password")]), {
    outcome: "missing",
    reason: "MissingKey",
    message: 'Secret "extra" has no key "user"',
  });
  assert.deepEqual(resolveReferences([keyed], [found(keyed)]), {
    outcome: "missing",
    reason: "MissingKey",
    message: 'Secret "extra" has no key "user"',
  });
  assert.deepEqual(resolveReferences([file], [found(file, "tls.crt")]), {
    outcome: "missing",
    reason: "MissingKey",
    message: 'ConfigMap "ca" has no key "ca.crt"',
  });
});

test("a key that becomes a file may stand among binary data, one that becomes a variable may not", () => {
  const object = {
    kind: "ConfigMap",
    name: "ca",
    data: {},
    binaryData: { "ca.crt": new Uint8Array() },
  } as const;
  assert.deepEqual(resolveReferences([{ ...file, asFiles: true }], [{ outcome: "found", object }]), {
    outcome: "found",
    objects: [object],
  });
  assert.equal(resolveReferences([file], [{ outcome: "found", object }]).outcome, "missing");
});

test("no references are found references", () => {
  assert.deepEqual(resolveReferences([], []), { outcome: "found", objects: [] });
});

test("a reference without an outcome counts as missing", () => {
  assert.deepEqual(resolveReferences([token], []), MISSING_TOKEN);
});
