import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { configMapRefsSpec, secretRefsSpec } from "../../components/workload/config-specs.ts";
import { check } from "../../components/workload/validation.ts";
import { accepted, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const kinds: [kind: string, schema: z.ZodType, key: string][] = [
  ["Secret", secretRefsSpec, "secretKey"],
  ["ConfigMap", configMapRefsSpec, "configMapKey"],
];

for (const [kind, schema, key] of kinds) {
  const env = (keys: unknown): unknown => [{ name: "s", type: "env", keys }];
  const volume = (keys: unknown): unknown => [{ name: "s", type: "volume", mountPath: "/s", keys }];

  accepted(schema, [
    [`no ${kind}`, []],
    [`a whole ${kind} as variables`, [{ name: "s.example", type: "env" }]],
    [`a whole ${kind} as files`, [{ name: "s", type: "volume", mountPath: "/" }]],
    [`a ${kind}'s keys as variables`, env([{ [key]: "A_b" }, { [key]: "1.x-y", envVar: "._-x1" }])],
    [
      `a ${kind}'s keys as files`,
      volume([{ [key]: "1.crt" }, { [key]: "_x", path: "a/b..c/.d" }, { [key]: "x", path: "." }]),
    ],
  ]);

  refused(schema, [
    [`a ${kind} outside a list`, { name: "s", type: CANARY }, "p", /expected array/],
    [`a ${kind} as text`, [CANARY], "p[0]", /expected object/],
    [`a ${kind} without name`, [{ type: "env" }], "p[0].name", /expected string/],
    [`a ${kind} with an empty name`, [{ name: "", type: "env" }], "p[0].name", /must be lower-case letters/],
    [
      `a ${kind} with a bad name`,
      [{ name: `${CANARY}_`, type: "env" }],
      "p[0].name",
      /must be lower-case letters, digits, '-' and '\.'/,
    ],
    [
      `a ${kind} with a name of 254 characters`,
      [{ name: "x".repeat(254), type: "env" }],
      "p[0].name",
      /at most 253 characters/,
    ],
    [`a ${kind} without type`, [{ name: "s" }], "p[0].type", /"env"\|"volume"/],
    [`a ${kind} of another type`, [{ name: "s", type: CANARY }], "p[0].type", /"env"\|"volume"/],
    [
      `an unknown field of a ${kind}`,
      [{ name: "s", type: "env", optional: CANARY }],
      "p[0]",
      /unknown field "optional"/,
    ],
    [
      `a ${kind} volume without path`,
      [{ name: "s", type: "volume" }],
      "p[0].mountPath",
      /^is required with type volume$/,
    ],
    [
      `a ${kind} volume with an empty path`,
      [{ name: "s", type: "volume", mountPath: "" }],
      "p[0].mountPath",
      /^must be an absolute path without ':'$/,
    ],
    [
      `a ${kind} volume with a relative path`,
      [{ name: "s", type: "volume", mountPath: `${CANARY}/x` }],
      "p[0].mountPath",
      /^must be an absolute path without ':'$/,
    ],
    [
      `a ${kind} volume with a colon in its path`,
      [{ name: "s", type: "volume", mountPath: `/${CANARY}:ro` }],
      "p[0].mountPath",
      /^must be an absolute path without ':'$/,
    ],
    [
      `variables of a ${kind} with a mount path`,
      [{ name: "s", type: "env", mountPath: `/${CANARY}` }],
      "p[0].mountPath",
      /^has no meaning with type env$/,
    ],
    [`a ${kind} with an empty list of keys`, env([]), "p[0].keys", />=1 items/],
    [`a ${kind} with keys as text`, env([CANARY]), "p[0].keys[0]", /expected object/],
    [`a key of a ${kind} without name`, env([{ envVar: "A" }]), `p[0].keys[0].${key}`, /expected string/],
    [`an empty key of a ${kind}`, env([{ [key]: "" }]), `p[0].keys[0].${key}`, /must be letters, digits/],
    [
      `a bad key of a ${kind}`,
      env([{ [key]: "A" }, { [key]: `${CANARY}/x` }]),
      `p[0].keys[1].${key}`,
      /must be letters, digits, '-', '_' and '\.'/,
    ],
    [
      `an unknown field of a ${kind}'s key`,
      env([{ [key]: "A", envvar: CANARY }]),
      "p[0].keys[0]",
      /unknown field "envvar"; did you mean "envVar"\?/,
    ],
    [
      `a bad variable of a ${kind}`,
      env([{ [key]: "A", envVar: `1${CANARY}` }]),
      "p[0].keys[0].envVar",
      /not starting with a digit/,
    ],
    [
      `a variable of a ${kind} volume`,
      volume([{ [key]: "A" }, { [key]: "B", envVar: CANARY }]),
      "p[0].keys[1].envVar",
      /^has no meaning with type volume$/,
    ],
    [
      `a file path of a ${kind}'s variables`,
      env([{ [key]: "A" }, { [key]: "B", path: CANARY }]),
      "p[0].keys[1].path",
      /^has no meaning with type env$/,
    ],
    ...["", `/${CANARY}`, "..", `../${CANARY}`, `${CANARY}/..`, `a/../${CANARY}`].map(
      (path): [string, unknown, string, RegExp] => [
        `the file path ${JSON.stringify(path.replace(CANARY, "x"))} of a ${kind}`,
        volume([{ [key]: "A", path }]),
        "p[0].keys[0].path",
        /^must be a path below mountPath, without '\.\.'$/,
      ],
    ),
    // The API server keeps such names to itself, and refuses the Deployment.
    [
      `a file path of a ${kind} that starts with two dots`,
      volume([{ [key]: "A", path: `..${CANARY}` }]),
      "p[0].keys[0].path",
      /'\.\.'/,
    ],
    // The key is the variable's name, and API servers before 1.32 refuse the Deployment for it.
    [
      `a key of a ${kind} that is no variable's name and is given none`,
      env([{ [key]: `1${CANARY}` }]),
      `p[0].keys[0].${key}`,
      /envVar/,
    ],
  ]);

  test(`all that is wrong with one ${kind} is told at once`, () => {
    const { problems } = check(schema, volumeOf(key), "p");
    assert.deepEqual(
      problems.map(({ path }) => path),
      ["p[0].mountPath", "p[0].keys[0].envVar", "p[1].name", "p[1].keys[0].envVar"],
    );
    assert.equal(JSON.stringify(problems).includes(CANARY), false);
  });
}

function volumeOf(key: string): unknown {
  return [
    { name: "s", type: "volume", keys: [{ [key]: "A", envVar: CANARY }] },
    { name: `${CANARY}_`, type: "env", keys: [{ [key]: "A", envVar: `1${CANARY}` }] },
  ];
}

const mistaken: [what: string, schema: z.ZodType, key: string, own: string][] = [
  ["a ConfigMap's key of a Secret", secretRefsSpec, "configMapKey", "secretKey"],
  ["a Secret's key of a ConfigMap", configMapRefsSpec, "secretKey", "configMapKey"],
];

for (const [what, schema, key, own] of mistaken) {
  test(`${what} is refused: the field has another name there`, () => {
    const { problems } = check(schema, [{ name: "s", type: "env", keys: [{ [key]: CANARY }] }], "p");
    assert.deepEqual(
      problems.map(({ path }) => path),
      [`p[0].keys[0].${own}`, "p[0].keys[0]"],
    );
    assert.match(problems[1]?.message ?? "", new RegExp(`unknown field "${key}"`));
    assert.equal(JSON.stringify(problems).includes(CANARY), false);
  });
}
