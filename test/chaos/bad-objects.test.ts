// Secrets and ConfigMaps that the API server takes, odd as they are: a run ends well or with one error, and the next is clean.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertAbsentInRun } from "../cluster/support/secrets.ts";
import { makeToken } from "../cluster/support/token.ts";
import { conditionsOf } from "../cluster/support/outputs.ts";
import { type Run, type StackFile, TestZone } from "../cluster/support/zone.ts";
import { assertNoSecret } from "./support/ends.ts";
import { draw, inForm, report } from "./support/form.ts";
import { CANARY } from "./support/odd-values.ts";

const COUNT = inForm({ short: 3, long: 25 });

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString("base64");
const CONTENT = base64(CANARY);
/** As much as the API server takes of one object, all in all. */
const WHOLE = Buffer.alloc(1_000_000, `${CANARY} `);

type Data = Record<string, string>;

/** Many keys, as long as they may be. */
function manyKeys(count: number, value: string): Data {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`K${index}`.padEnd(253, "k"), value]),
  );
}

/** What the token's Secret holds, in base64; `GOOD` stands for a token. */
const GOOD = "a good token";
const TOKENS: Record<string, Data> = {
  "a good token": { configToken: GOOD },
  "a token with spaces around it": { configToken: ` ${GOOD}` },
  "an empty token": { configToken: "" },
  "a binary token": { configToken: base64(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80])) },
  "a token of 1 MB": { configToken: base64(WHOLE) },
  "an empty Secret": {},
  "another key": { token: CONTENT },
};

const SECRETS: Record<string, Data> = {
  "an empty Secret": {},
  "1 MB": { whole: base64(WHOLE) },
  "odd keys": {
    "-": CONTENT,
    "a.b": CONTENT,
    _: CONTENT,
    ".a": CONTENT,
    "007": CONTENT,
    constructor: CONTENT,
  },
  "a key called `__proto__`": JSON.parse(`{"__proto__":"${CONTENT}"}`) as Data,
  "long keys": manyKeys(60, CONTENT),
  "many keys": manyKeys(2_000, CONTENT),
  "a reserved variable": { PROXY_TOKEN_SIGNING_KEY: CONTENT, KEY: CONTENT, "a.b": "" },
};

const CONFIG_MAPS: Record<string, { data?: Data; binaryData?: Data; immutable?: boolean }> = {
  nothing: {},
  "binary data": { binaryData: { "a.der": base64(Buffer.from([0, 255, 254])), b: "" } },
  "text of 1 MB": { data: { text: WHOLE.toString() } },
  "odd text": { data: { A: "", B: "\ufeffa\r\n", C: "🚇 $(HOME) $$", "d.e": "\t" } },
  "many keys": { data: manyKeys(1_000, "x") },
  "what can't be changed": { immutable: true, data: { A: "1" } },
  "a reserved variable": { data: { PROXY_CONFIG_TOKEN: CANARY, A: "1" } },
};

interface Case {
  token: string;
  secret: string;
  configMap: string;
  type: "env" | "volume";
}

const names = (of: object): fc.Arbitrary<string> => fc.constantFrom(...Object.keys(of));
const CASES = draw<Case>(
  "bad objects",
  fc.noBias(
    fc.record({
      token: names(TOKENS),
      secret: names(SECRETS),
      configMap: names(CONFIG_MAPS),
      type: fc.constantFrom("env" as const, "volume" as const),
    }),
  ),
  COUNT,
);

const objectOf = (kind: string, name: string, fields: object): object => ({
  apiVersion: "v1",
  kind,
  metadata: { name },
  ...fields,
});

/** The objects of a case, and the proxy that refers to them. */
function made(
  { token, secret, configMap, type }: Case,
  name: string,
  good: string,
): { objects: object[]; proxy: object } {
  const tokens = Object.entries(TOKENS[token] ?? {}).map(([key, value]) => [
    key,
    value.includes(GOOD) ? base64(value.replace(GOOD, good)) : value,
  ]);
  const at = (path: string): object => ({ type, ...(type === "volume" && { mountPath: path }) });
  return {
    objects: [
      objectOf("Secret", `${name}-config`, { data: Object.fromEntries(tokens) as Data }),
      objectOf("Secret", `${name}-extra`, { data: SECRETS[secret], immutable: true }),
      objectOf("ConfigMap", `${name}-settings`, CONFIG_MAPS[configMap] ?? {}),
    ],
    proxy: {
      configTokenSecretRef: { name: `${name}-config` },
      secretRefs: [{ name: `${name}-extra`, ...at("/etc/extra") }],
      configMapRefs: [{ name: `${name}-settings`, ...at("/etc/settings") }],
      referenceTimeoutSeconds: 0,
      rollout: { timeoutSeconds: 300 },
    },
  };
}

/** Makes objects that are too large for an annotation of `kubectl apply`. */
function create(zone: TestZone, objects: object[]): Promise<string> {
  const list = { apiVersion: "v1", kind: "List", items: objects };
  return zone.kubectl(["--namespace", zone.namespace, "create", "-f", "-"], JSON.stringify(list));
}

test("whatever the API server takes, a run ends well or with one error, and the next has no changes", async (t) => {
  const good = await makeToken("30d");
  const all = CASES.map((each, index) => ({ ...each, name: `p${index}`, ...made(each, `p${index}`, good) }));
  const proxies = Object.fromEntries(all.map(({ name, proxy }) => [name, proxy]));
  const file: StackFile = { proxies };
  const zone = await TestZone.open(t, file);
  const streams: string[] = [];
  const up = async (...args: string[]): Promise<Run> => {
    const run = await zone.up(...args);
    streams.push(run.output);
    assertNoSecret(run.output);
    assert.doesNotMatch(run.output, /\n\s+at .*\(?(file|node):|unhandled/i);
    return run;
  };
  for (const { objects } of all) await create(zone, objects);

  const first = await up();
  assert.equal(first.code, 0, first.output);
  const second = await up("--expect-no-changes");
  assert.equal(second.code, 0, second.output);
  const outputs = await zone.outputs();
  const rows = all.map(({ name, token, secret, configMap, type }) => {
    const output = outputs[name];
    const lacksToken = TOKENS[token]?.["configToken"] === undefined;
    assert.equal(output?.phase, lacksToken ? "Failed" : "Running", `${name}: ${token}`);
    const degraded = conditionsOf(output).find((condition) => condition.startsWith("Degraded"));
    return { token, secret, "config map": configMap, as: type, end: `${output.phase}, ${degraded ?? ""}` };
  });

  // More variables than a Deployment can hold: the others are not concerned.
  const plain = made(
    { token: GOOD, secret: "an empty Secret", configMap: "nothing", type: "env" },
    "wide",
    good,
  );
  const data = { PROXY_CONFIG_TOKEN: CANARY, ...manyKeys(3_000, "x") };
  await create(zone, [...plain.objects, objectOf("ConfigMap", "wide", { data })]);
  const wide = { ...plain.proxy, configMapRefs: [{ name: "wide", type: "env" }] };
  zone.write({ proxies: { ...proxies, wide } });
  const refused = await up();
  assert.notEqual(refused.code, 0);
  const errors = refused.output.split("\n").filter((line) => /^\s*error:/.test(line));
  assert.equal(errors.length, 1, errors.join("\n"));
  assert.match(
    errors[0] ?? "",
    /error: ConfigMap\/wide holds a variable that is reserved for the token, and too many/,
  );
  zone.write(file);
  for (const args of [[], ["--expect-no-changes"]]) assert.equal((await up(...args)).code, 0);

  assertAbsentInRun(zone, [...streams, await zone.state()], [good, CANARY]);
  report(t, "bad-objects", { title: "Secrets and ConfigMaps that the API server takes", rows });
});
