// Whatever a stack file holds: a configuration or a list of problems, in time, that repeats none of its secrets.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { dumpYaml } from "@kubernetes/client-node";
import fc from "fast-check";
import { mergeStackFile } from "../../adopt/stack-file.ts";
import { zoneNeeds } from "../../ci/roles/needs.ts";
import { rolesText } from "../../ci/roles/roles.ts";
import { zonePlace } from "../../ci/zone.ts";
import { readStackConfig, type StackConfig } from "../../stacks/config.ts";
import { bounded, PROJECT, run, valueOf } from "../program/support/engine.ts";
import { assertClear, assertNoSecret, Ends, kindOf } from "./support/ends.ts";
import { inForm, report, seedOf } from "./support/form.ts";
import { mutated, type Mutation, mutation, oddValue, withDepth } from "./support/odd-values.ts";
import { brokenText, type TextBreak, textBreak } from "./support/broken-yaml.ts";
import { type Config, rightConfigs, SECRET_KEYS } from "./support/stack-files.ts";

const RUNS = inForm({
  short: { program: 500, commands: 300 },
  long: { program: 8_000, commands: 5_000 },
});
const KEYS = "PULUMI_CONFIG_SECRET_KEYS";

const right = fc.constantFrom(...rightConfigs());
const mutations = fc.array(mutation, { minLength: 1, maxLength: 3, size: "max" });
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, value);

/** A configuration as the engine hands it over: maps as JSON, texts as they are. */
interface Given {
  config: Config;
  mutations: Mutation[];
  /** A key whose secretness is turned over. */
  turned: string | undefined;
}

const given: fc.Arbitrary<Given> = fc.record({
  config: right,
  mutations,
  turned: rarely(fc.constantFrom("zone", "proxies", "connectors", ...SECRET_KEYS)),
});

function handedOver({ config, mutations: changes, turned }: Given): {
  values: Record<string, string>;
  secretKeys: string[];
} {
  const broken = Object.entries(mutated(config, changes));
  const values = broken.map(([key, value]) => [
    `${PROJECT}:${key}`,
    typeof value === "string" ? value : withDepth(JSON.stringify(value)),
  ]);
  const isSecret = (key: string): boolean => SECRET_KEYS.includes(key) !== (key === turned);
  return {
    values: Object.fromEntries(values) as Record<string, string>,
    secretKeys: broken.flatMap(([key]) => (isSecret(key) ? [`${PROJECT}:${key}`] : [])),
  };
}

/** Every secret of a configuration comes as one. */
async function assertSecret({ proxies, connectors, checksumKey }: StackConfig): Promise<void> {
  const secrets: unknown[] = [checksumKey];
  for (const { configToken, tokenSigningKey } of Object.values(proxies))
    secrets.push(configToken, tokenSigningKey);
  for (const { registration } of Object.values(connectors)) secrets.push(registration?.credentials);
  for (const secret of secrets) {
    if (!pulumi.Output.isInstance(secret)) continue;
    assert.equal(await pulumi.isSecret(secret), true);
    await valueOf(secret);
  }
}

/** How the program's reading of it ends. */
async function endInProgram(of: Given): Promise<string> {
  const { values, secretKeys } = handedOver(of);
  let end = "a configuration";
  const { logs } = await run(false, async () => {
    pulumi.runtime.setAllConfig(values, secretKeys);
    process.env[KEYS] = JSON.stringify(secretKeys);
    try {
      await bounded(readStackConfig().then(assertSecret), "the configuration");
    } catch (error) {
      assert.ok(pulumi.RunError.isInstance(error), `a ${String(error).slice(0, 500)}`);
      assertClear(error.message);
      end = "problems";
    }
  });
  assert.equal(logs.length > 0, end === "problems", "an error says what is wrong, and nothing else is said");
  for (const { message } of logs) assertClear(message);
  const [, first = ""] = /^[^:]+:.*?: (.*)$/s.exec(logs[0]?.message ?? "") ?? [];
  return logs.length === 0 ? end : kindOf(first);
}

test("the program takes any configuration, or says what is wrong with it", async (t) => {
  t.after(() => {
    pulumi.runtime.setAllConfig({}, []);
    Reflect.deleteProperty(process.env, KEYS);
  });
  const ends = new Ends();
  const property = fc.asyncProperty(given, (of) => ends.of(() => endInProgram(of)));
  await fc.assert(property, { numRuns: RUNS.program, seed: seedOf("bad stack config") });
  assert.ok(ends.kinds >= 5, "they end in different ways");
  report(t, "bad-stack-config", {
    title: "Stack configurations that nobody should write, in the program",
    rows: ends.rows(),
  });
});

/** A stack file, its project's file, and what becomes of the text of either. */
const files = fc.record({
  config: right,
  mutations: fc.array(mutation, { maxLength: 2, size: "max" }),
  /** Whether its secrets are encrypted, as they should be. */
  encrypted: fc.constantFrom(true, true, true, false),
  project: rarely(fc.record({ mutations, breaks: fc.array(textBreak, { maxLength: 1 }) })),
  breaks: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(textBreak, { minLength: 1, maxLength: 2, size: "max" }),
  ),
});

type Files = typeof files extends fc.Arbitrary<infer Value> ? Value : never;

const DECLARED = {
  name: PROJECT,
  runtime: "nodejs",
  stackConfigDir: "stacks",
  config: { proxies: { type: "object", default: {} }, connectors: { default: {} }, "aws:region": "x" },
};

/** The text of a file: YAML as people write it, with what happened to it. */
function textOf(value: object, breaks: readonly TextBreak[]): string {
  return brokenText(withDepth(dumpYaml(value).replace(/(?<=[:-] )@deep@$/gm, '"@deep@"')), breaks);
}

/** A secret as the CLI writes it: each text by itself. */
function withCiphertexts(value: unknown): unknown {
  if (typeof value === "string") return { secure: "v1:abc:def" };
  if (Array.isArray(value)) return value.map(withCiphertexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withCiphertexts(inner)]));
}

/** What the commands say of a file: one line. */
function endOf(command: () => string): string {
  try {
    return command();
  } catch (error) {
    assert.equal((error as Error).constructor, Error, `a ${String((error as Error).stack).slice(0, 900)}`);
    const { message } = error as Error;
    for (const part of message.split("; ")) assertClear(part);
    return /is no YAML$/.test(message) ? "no YAML" : "an error with what is wrong";
  }
}

test("the commands take any stack file and project, or say what is wrong with it", async (t) => {
  const folder = mkdtempSync(`${tmpdir()}/stack-files-`);
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const ends = new Ends();
  const merged = new Ends();
  const [file, projectFile] = [`${folder}/Pulumi.zone.yaml`, `${folder}/Pulumi.yaml`];
  const one = async ({ config, mutations: changes, project, breaks, encrypted }: Files): Promise<void> => {
    const written = Object.entries(mutated(config, changes)).map(([key, value]) => [
      `${PROJECT}:${key}`,
      encrypted && SECRET_KEYS.includes(key) ? withCiphertexts(value) : value,
    ]);
    const text = textOf({ encryptionsalt: "v1:x", config: Object.fromEntries(written) as object }, breaks);
    writeFileSync(file, text);
    writeFileSync(projectFile, textOf(mutated(DECLARED, project?.mutations ?? []), project?.breaks ?? []));
    await ends.of(() =>
      endOf(() => {
        const roles = rolesText("zone", zoneNeeds(file, projectFile));
        assertNoSecret(roles);
        return "the rights of a zone";
      }),
    );
    await merged.of(() => {
      const { namespace } = config["zone"] as { namespace: string };
      const place = { project: PROJECT, namespace, context: undefined, namespaceUid: undefined };
      const { problems } = mergeStackFile(text, place, []);
      for (const { path, message } of problems) assertClear(`${path}: ${message}`);
      return problems.length === 0 ? "a stack file" : "a list of problems";
    });
  };
  await fc.assert(fc.asyncProperty(files, one), { numRuns: RUNS.commands, seed: seedOf("bad stack files") });
  assert.ok(ends.kinds >= 3, "they end in different ways");
  report(t, "bad-stack-files", {
    title: "Stack files and projects that nobody should write, in `npm run roles` and `npm run adopt`",
    rows: [
      ...ends.rows().map((row) => ({ command: "roles", ...row })),
      ...merged.rows().map((row) => ({ command: "adopt", ...row })),
    ],
  });
});

test("where a zone is comes out of any answer of the CLI, or not at all", () => {
  const answer = fc.oneof(
    oddValue,
    oddValue.map((entry) => ({ [`${PROJECT}:zone`]: entry })),
    fc.record({ objectValue: oddValue, secret: fc.constantFrom(true, false, undefined) }).map((entry) => ({
      [`${PROJECT}:zone`]: entry,
    })),
  );
  const property = fc.property(answer, (config) => {
    const place = zonePlace(config);
    assert.ok(place === undefined || typeof place.namespace === "string");
  });
  fc.assert(property, { numRuns: RUNS.commands, seed: seedOf("bad answers of the CLI") });
});
