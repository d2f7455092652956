import { labelSelectorSpec } from "../../components/workload/selector-specs.ts";
import { accepted, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const expression = (fields: object): object => ({ matchExpressions: [{ key: "a", ...fields }] });
const at = (field: string): string => `p.matchExpressions[0].${field}`;

accepted(labelSelectorSpec, [
  ["a selector of everything", {}],
  ["empty conditions", { matchLabels: {}, matchExpressions: [] }],
  ["labels", { matchLabels: { app: "a", "example.com/b": "", [`${"a.".repeat(126)}b/c`]: "x".repeat(63) } }],
  [
    "every operator, twice on one key",
    {
      matchExpressions: [
        { key: "a", operator: "In", values: ["1", ""] },
        { key: "a", operator: "NotIn", values: ["1"] },
        { key: "b.c/d", operator: "Exists" },
        { key: "e", operator: "DoesNotExist", values: [] },
      ],
    },
  ],
]);

refused(labelSelectorSpec, [
  ["a selector as text", CANARY, "p", /expected object/],
  ["labels without their frame", { app: CANARY }, "p", /unknown field "app"; known: matchLabels, matchExpr/],
  ["a misspelt frame", { matchLabel: { app: CANARY } }, "p", /did you mean "matchLabels"\?/],
  ["labels as a list", { matchLabels: [CANARY] }, "p.matchLabels", /expected record/],
  ["a label that is a number", { matchLabels: { a: 1 } }, "p.matchLabels.a", /expected string/],
  ["a bad label", { matchLabels: { a: `${CANARY}!` } }, "p.matchLabels.a", /letters, digits/],
  ["a label too long", { matchLabels: { a: CANARY.repeat(5) } }, "p.matchLabels.a", /at most 63 characters/],
  ["a bad key of a label", { matchLabels: { "a b": CANARY } }, 'p.matchLabels["a b"]', /must be a name/],
  [
    "a key of a label with a domain too long",
    { matchLabels: { [`${"a.".repeat(126)}bc/c`]: CANARY } },
    `p.matchLabels["${"a.".repeat(126)}bc/c"]`,
    /must be a name/,
  ],
  ["expressions as a map", { matchExpressions: { a: CANARY } }, "p.matchExpressions", /expected array/],
  ["an expression without key", { matchExpressions: [{ operator: "Exists" }] }, at("key"), /expected string/],
  ["a bad key", expression({ key: `${CANARY}!`, operator: "Exists" }), at("key"), /must be a name/],
  ["no operator", expression({}), at("operator"), /"In"\|"NotIn"\|"Exists"\|"DoesNotExist"$/],
  ["an operator in lower case", expression({ operator: "in", values: [CANARY] }), at("operator"), /"In"/],
  ["an operator that only nodes know", expression({ operator: "Gt", values: ["1"] }), at("operator"), /"In"/],
  ["a value by itself", expression({ operator: "In", values: CANARY }), at("values"), /expected array/],
  [
    "a value that is a number",
    expression({ operator: "In", values: [1] }),
    at("values[0]"),
    /expected string/,
  ],
  ["a bad value", expression({ operator: "In", values: [`${CANARY}!`] }), at("values[0]"), /letters, digits/],
  ...["In", "NotIn"].flatMap((operator): [string, unknown, string, RegExp][] => [
    [
      `${operator} without values`,
      expression({ operator }),
      at("values"),
      /at least one value with operator In/,
    ],
    [`${operator} no value`, expression({ operator, values: [] }), at("values"), /at least one value/],
  ]),
  ...["Exists", "DoesNotExist"].map((operator): [string, unknown, string, RegExp] => [
    `${operator} with a value`,
    expression({ operator, values: [CANARY] }),
    at("values"),
    /no meaning with operator Exists or DoesNotExist/,
  ]),
]);
