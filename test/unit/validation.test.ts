import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import {
  annotations,
  check,
  componentName,
  dataKey,
  envName,
  intOrPercent,
  joinPath,
  labels,
  namespaceName,
  objectName,
  quantity,
  strict,
  unknownField,
} from "../../components/workload/validation.ts";
import { only } from "./support.ts";

const x = (length: number): string => "x".repeat(length);

interface Rule {
  rule: string;
  schema: z.ZodType;
  good: unknown[];
  bad: unknown[];
  /** What a message must say of the allowed form. */
  allowed: RegExp;
}

const rules: Rule[] = [
  {
    rule: "the name of a component",
    schema: componentName,
    good: ["a", "dc-east", "a1", `a${x(62)}`],
    bad: [
      "",
      "dc.east",
      "1-east",
      "-a",
      "a-",
      "A",
      "dc_east",
      "dc east",
      "a\n",
      "ä",
      x(64),
      1,
      null,
      undefined,
    ],
    allowed:
      /lower-case letters, digits and '-', starting with a letter|at most 63 characters|expected string/,
  },
  {
    rule: "the name of an object",
    schema: objectName,
    good: ["a", "1", "dc.east-1", `${x(63)}.${x(63)}`, x(253)],
    bad: ["", "a..b", ".a", "a.", "-a", "a-.b", "A", "a_b", "a/b", "a\n", x(254), 1],
    allowed: /lower-case letters, digits, '-' and '.'|at most 253 characters|expected string/,
  },
  {
    rule: "a namespace",
    schema: namespaceName,
    good: ["a", "1-zone", x(63)],
    bad: ["", "a.b", "-a", "a-", "A", x(64), 1],
    allowed: /lower-case letters, digits and '-'|at most 63 characters|expected string/,
  },
  {
    rule: "a key of a Secret",
    schema: dataKey,
    good: ["configToken", "ca.crt", "a_b-c.D9", "9", ".a", "a..b", x(253)],
    bad: ["", "a b", "a/b", "ä", ".", "..", "..a", x(254), 1],
    allowed: /letters, digits, '-', '_' and '.', not only '.'|at most 253 characters|expected string/,
  },
  {
    rule: "the name of an environment variable",
    schema: envName,
    good: ["HTTPS_PROXY", "a.b-c", "_", ".x"],
    bad: ["", "1A", "A B", "A=B", x(254), 1],
    allowed: /not starting with a digit|at most 253 characters|expected string/,
  },
  {
    rule: "a quantity",
    schema: quantity,
    good: [
      "100m",
      "0.5",
      ".5",
      "1.",
      "1",
      1,
      0.5,
      "128Mi",
      "1Gi",
      "1e3",
      "1E-3",
      "+1",
      "10n",
      "10u",
      "1k",
      "1Ei",
      "0",
    ],
    bad: [
      "",
      "lots",
      "1 Gi",
      "-1",
      -1,
      "1gi",
      "1MB",
      "1e",
      "Gi",
      ".",
      "1.5.5",
      "1,5",
      null,
      {},
      true,
      Number.NaN,
    ],
    allowed: /quantity such as 100m, 0\.5, 128Mi or 1Gi/,
  },
  {
    rule: "a count or percentage",
    schema: intOrPercent,
    good: [0, 1, 100, "0%", "50%", "100%"],
    bad: [-1, 1.5, "1", "50 %", "-1%", "1.5%", "%", "", "half", null, true],
    allowed: /whole number from 0 on, or a percentage such as 50%/,
  },
];

for (const { rule, schema, good, bad, allowed } of rules) {
  for (const value of good) {
    test(`${rule} may be ${String(value).slice(0, 40)}`, () => {
      assert.deepEqual(check(schema, value, "path").problems, []);
    });
  }
  for (const value of bad) {
    test(`${rule} may not be ${String(value).slice(0, 40)}, and the message says what it may be`, () => {
      const { problems } = check(schema, value, "path");
      const problem = only(problems);
      assert.equal(problem.path, "path");
      assert.match(problem.message, allowed);
    });
  }
}

test("a quantity given as a number becomes text, as the API server takes it", () => {
  assert.equal(check(quantity, 0.5, "").value, "0.5");
});

const names: [string, boolean][] = [
  ["team", true],
  ["example.com/team", true],
  ["sub.example.com/Team_1.x-y", true],
  [`example.com/${x(63)}`, true],
  [x(64), false],
  ["/team", false],
  ["example.com/", false],
  ["Example.com/team", false],
  ["a/b/c", false],
  ["-team", false],
  ["te am", false],
  ["", false],
];

for (const [name, good] of names) {
  test(`${JSON.stringify(name).slice(0, 40)} ${good ? "may" : "may not"} name a label or annotation`, () => {
    for (const schema of [labels, annotations]) {
      const { problems } = check(schema, { [name]: "v" }, "labels");
      if (good) assert.deepEqual(problems, []);
      else assert.match(only(problems).message, /at most 63 letters, digits|at most 317 characters/);
    }
  });
}

test("the value of a label is short and plain, that of an annotation any text", () => {
  for (const value of ["", "v1.0_x-Y", x(63)])
    assert.deepEqual(check(labels, { team: value }, "l").problems, []);
  for (const value of ["a b", "-a", "a-", x(64), "ä"]) {
    assert.deepEqual(check(annotations, { team: value }, "a").problems, []);
    const { problems } = check(labels, { team: value }, "l");
    const problem = only(problems);
    assert.equal(problem.path, "l.team");
    assert.match(problem.message, /letters, digits, '-', '_' and '\.'|at most 63 characters/);
  }
  assert.match(only(check(annotations, { team: 1 }, "a").problems).message, /expected string/);
});

const sample = strict({
  replicas: z.int().optional(),
  env: z.array(strict({ name: z.string() })).optional(),
});

test("all problems are reported at once, each with its path", () => {
  const { value, problems } = check(
    sample,
    { replicas: "1", env: [{ name: "A" }, { name: 1, nam: "B" }] },
    "proxies.a",
  );
  assert.equal(value, undefined);
  assert.deepEqual(problems, [
    { path: "proxies.a.replicas", message: "expected number, received string" },
    { path: "proxies.a.env[1].name", message: "expected string, received number" },
    { path: "proxies.a.env[1]", message: 'unknown field "nam"; did you mean "name"?' },
  ]);
});

test("path elements that are no plain words are quoted, as Pulumi's --path takes them", () => {
  const { problems } = check(labels, { "example.com/team": 1 }, "zone.labels");
  assert.equal(only(problems).path, 'zone.labels["example.com/team"]');
});

test("a key is shown in one line that steers no terminal, and only its beginning where it is long", () => {
  const problemsOf = (key: string) =>
    check(strict({ replicas: z.int().optional() }), { [key]: 1 }, "p").problems;
  for (const [key, shown] of [
    ["a\nerror: b", String.raw`a\nerror: b`],
    ["\u001b[31mred", String.raw`\u001b[31mred`],
    ["\u202edata\u0085", String.raw`\u{202e}data\u{85}`],
    ['a"]b', String.raw`a\"]b`],
    ["\ud800", String.raw`\ud800`],
    [x(400), `${x(317)}...`],
    ["ü 🚇", "ü 🚇"],
  ] as const) {
    assert.equal(only(problemsOf(key)).message, `unknown field "${shown}"; known: replicas`);
    assert.equal(joinPath("p", key), `p["${shown}"]`);
  }
});

test("each unknown key is a problem of its own", () => {
  const { problems } = check(strict({ name: z.string() }), { name: "x", nam: 1, other: 2 }, "p");
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['unknown field "nam"; did you mean "name"?', 'unknown field "other"; known: name'],
  );
});

test("keys as long as a document are not compared, and of many only the first are listed", () => {
  const long = x(1 << 20);
  assert.equal(unknownField(long, [long, "name"]).length < 1_000, true);
  const many = Array.from({ length: 100 }, (_, index) => `known-${index}`);
  assert.match(unknownField("other", many), /known: known-0, .*, known-59, \.\.\.$/);
});

test("what is nested deeper than any stack is one problem", () => {
  const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  assert.deepEqual(check(z.unknown(), nested(100), "p").problems, []);
  for (const levels of [102, 100_000])
    assert.deepEqual(check(z.unknown(), nested(levels), "p").problems, [
      { path: "p", message: "must not be nested deeper than 100 levels" },
    ]);
});

test("a path starts without a dot at the root", () => {
  assert.equal(only(check(sample, { replicas: 0.5 }, "").problems).path, "replicas");
});

const unknown: [string, RegExp][] = [
  ["replica", /^unknown field "replica"; did you mean "replicas"\?$/],
  ["REPLICAS", /^unknown field "REPLICAS"; did you mean "replicas"\?$/],
  ["podlabels", /^unknown field "podlabels"; did you mean "podLabels"\?$/],
  ["somethingElse", /^unknown field "somethingElse"; known: replicas, env, podLabels$/],
  ["xyz", /^unknown field "xyz"; known: replicas, env, podLabels$/],
];

for (const [key, message] of unknown) {
  test(`an unknown field "${key}" is told ${message.source.includes("mean") ? "which one was meant" : "which are known"}`, () => {
    assert.match(unknownField(key, ["replicas", "env", "podLabels"]), message);
  });
}

test("a right value comes back with nothing to report", () => {
  assert.deepEqual(check(sample, { replicas: 2 }, "p"), { value: { replicas: 2 }, problems: [] });
});
