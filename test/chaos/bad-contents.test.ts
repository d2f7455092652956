// Whatever Secrets and ConfigMaps hold: a phase or one clear error, checksums that follow the content, and none of it shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import type { KubeObject } from "../../components/cluster/cluster.ts";
import { tokenExpiry } from "../../components/proxy/token.ts";
import { Proxy } from "../../components/index.ts";
import { proxyStatus, proxySummary, proxyWarnings } from "../../components/proxy/status.ts";
import type { Deployment } from "../../components/workload/manifest.ts";
import { envName } from "../../components/workload/validation.ts";
import { type Recorded, reveal, run, the } from "../program/support/engine.ts";
import { type Outputs, outputsOf, REF } from "../program/support/proxy.ts";
import { deployment, found, MISSING, openZone, type World } from "../program/support/zone.ts";
import { brokenRules } from "../unit/arbitrary/restricted.ts";
import { facts } from "../unit/proxy-facts.ts";
import { assertClear, assertNoSecret, Ends } from "./support/ends.ts";
import { inForm, report, seedOf } from "./support/form.ts";
import { brokenData, type Data, oddData, oddToken } from "./support/odd-contents.ts";

const RUNS = inForm({ short: { tokens: 1_500, contents: 100 }, long: { tokens: 8_000, contents: 2_000 } });

/** What Kubernetes takes for the annotations of an object, keys and values together. */
const MOST_ANNOTATIONS = 262_144;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test("any token has an end or none, and what is said of it repeats nothing", async (t) => {
  const ends = new Ends();
  const property = fc.asyncProperty(oddToken, (bytes) =>
    ends.of(() => {
      const end = tokenExpiry(bytes.toString("utf8"));
      const known = facts({ tokenExpiresAt: end });
      const status = proxyStatus(known);
      const said = [proxySummary(status, known, "1.0.0"), ...proxyWarnings(status)];
      for (const message of [...said, ...status.conditions.map((each) => each.message)]) assertClear(message);
      if (end === undefined) return "no end";
      assert.match(end, RFC_3339);
      return status.conditions.find(({ type }) => type === "TokenExpiring")?.reason ?? "nothing said";
    }),
  );
  await fc.assert(property, { numRuns: RUNS.tokens, seed: seedOf("bad tokens") });
  assert.ok(ends.kinds >= 3, "they end in different ways");
  report(t, "bad-tokens", { title: "Tokens that nobody should issue", rows: ends.rows() });
});

/** What stands in the cluster, and how a proxy refers to it. */
const given = fc.record({
  token: fc.oneof(
    { weight: 9, arbitrary: oddToken.map((bytes): Data => [["configToken", bytes]]) },
    { weight: 1, arbitrary: oddData },
  ),
  secret: oddData,
  configMap: oddData,
  /** In place of one's data. */
  broken: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    fc.record({
      which: fc.constantFrom("Secret/dc-east-config", "Secret/extra", "ConfigMap/settings"),
      data: brokenData,
    }),
  ),
  tokenKey: fc.oneof(
    { weight: 8, arbitrary: fc.constant("configToken") },
    fc.constantFrom("constructor", "__proto__"),
  ),
  type: fc.constantFrom("env", "volume"),
  keys: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    fc.constantFrom("KEY", "constructor", "a.b", "__proto__"),
  ),
  /** What the run before has left on the Deployment. */
  left: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    fc.constantFrom(
      "",
      "soon",
      "2027-06-01T00:00:00Z",
      "{}",
      '{"Secret/extra":["A"]}',
      "[",
      "a\nb",
      "\u001b[31m",
    ),
  ),
});
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

const COMPANIONS = ["token-expires-at", "reference-digests", "checksum-key-id", "guarded-references"];

function base64(data: Data): object {
  return Object.fromEntries(data.map(([key, bytes]) => [key, bytes.toString("base64")]));
}

function objectOf(name: string, fields: object): KubeObject {
  return { metadata: { name, namespace: "proxies" }, ...fields };
}

/** A ConfigMap keeps text apart from what is none. */
function configMapOf(data: Data): object {
  const isText = ([, bytes]: Data[number]): boolean => Buffer.from(bytes.toString("utf8")).equals(bytes);
  const texts = data.filter(isText).map(([key, bytes]) => [key, bytes.toString("utf8")]);
  return {
    data: Object.fromEntries(texts) as object,
    binaryData: base64(data.filter((each) => !isText(each))),
  };
}

function worldOf({ token, secret, configMap, broken, left }: Given): World {
  const objects: Record<string, KubeObject> = {
    "Secret/dc-east-config": objectOf("dc-east-config", { data: base64(token) }),
    "Secret/extra": objectOf("extra", { data: base64(secret) }),
    "ConfigMap/settings": objectOf("settings", configMapOf(configMap)),
  };
  if (broken !== undefined)
    objects[broken.which] = objectOf("x", { data: broken.data, binaryData: broken.data });
  const reads: NonNullable<World["reads"]> = Object.fromEntries(
    Object.entries(objects).map(([id, object]) => [id, found(object)]),
  );
  if (left === undefined) return { reads };
  // What was left counts where something is missing now.
  const annotations = Object.fromEntries(COMPANIONS.map((name) => [`pulumi-proxies.dev/${name}`, left]));
  const live = deployment(1, 1, { checksum: left, annotations });
  const missing = { "ConfigMap/settings": MISSING, "Deployment/dc-east": found(live) };
  return { reads: { ...reads, ...missing }, lists: { Deployment: found([live]) } };
}

function argsOf({ type, keys, tokenKey }: Given): object {
  const volume = (path: string): object => (type === "volume" ? { mountPath: path } : {});
  return {
    ...REF,
    configTokenSecretRef: { name: "dc-east-config", tokenKey },
    referenceTimeoutSeconds: 0,
    secretRefs: [
      { name: "extra", type, ...volume("/etc/extra"), ...(keys && { keys: [{ secretKey: keys }] }) },
    ],
    configMapRefs: [{ name: "settings", type, ...volume("/etc/settings") }],
  };
}

/** What holds for a Deployment, whatever its references hold. */
function assertValid({ metadata, spec }: Deployment): void {
  const { annotations = {} } = metadata as { annotations?: Record<string, string> };
  const bytes = Buffer.byteLength(Object.entries(annotations).flat().join(""));
  assert.ok(bytes <= MOST_ANNOTATIONS, `${bytes} bytes of annotations`);
  assert.deepEqual(brokenRules(spec.template.spec), []);
  const names = spec.template.spec.containers
    .slice(0, 1)
    .flatMap(({ env = [] }) => env.map(({ name }) => name));
  assert.equal(new Set(names).size, names.length, "each variable once");
  for (const name of names) assert.ok(envName.safeParse(name).success, name);
}

/** A run of a program with one such proxy, to the end that it comes to. */
async function runOf(of: Given): Promise<Recorded & { outputs: Outputs | undefined }> {
  let outputs: Outputs | undefined;
  let isOver = false;
  const failed = async (): Promise<void> => {
    while (!isOver && process.exitCode === undefined) await sleep(2);
  };
  const body = async (): Promise<void> => {
    const { zone } = openZone(false, worldOf(of));
    const proxy = new Proxy("dc-east", { ...(argsOf(of) as typeof REF), zone });
    const known = outputsOf(proxy).then((all) => (outputs = all));
    // Of a proxy that fails, nothing more ever comes.
    await Promise.race([known, failed()]).finally(() => (isOver = true));
    if (outputs === undefined) known.catch(() => undefined);
  };
  const until = (): Promise<unknown> => (outputs === undefined ? sleep(20) : pulumi.runtime.disconnect());
  return { ...(await run(false, body, until)), outputs };
}

/** What a proxy comes to. */
async function comesTo(of: Given): Promise<{ checksum: string | undefined; end: string }> {
  const recorded = await runOf(of);
  const { outputs, logs, registrations, exitCode } = recorded;
  assertNoSecret(JSON.stringify([outputs, logs, registrations]));
  for (const { message } of logs) assertClear(message);
  if (outputs === undefined) {
    assert.equal(exitCode, 32);
    assert.equal(logs.filter(({ severity }) => severity === "error").length, 1);
    return { checksum: undefined, end: "one error" };
  }
  assert.equal(exitCode, undefined);
  for (const message of [outputs.summary, ...outputs.conditions.map((each) => each.message)])
    assertClear(message);
  assertValid(reveal(the(recorded, "Deployment").inputs) as Deployment);
  if (outputs.tokenExpiresAt !== undefined) assert.match(outputs.tokenExpiresAt, RFC_3339);
  const degraded = outputs.conditions.find(({ type }) => type === "Degraded");
  return { checksum: outputs.configChecksum, end: `${outputs.phase}, ${degraded?.reason ?? ""}` };
}

const turned = (of: Given): Given => ({
  ...of,
  token: of.token.toReversed(),
  secret: of.secret.toReversed(),
  configMap: of.configMap.toReversed(),
});

/** With one key more, and be its name what it may. */
function withOneMore(of: Given): Given {
  const names = of.secret.map(([key]) => key);
  const name = names.includes("__proto__") ? "one-more" : "__proto__";
  return { ...of, secret: [...of.secret, [name, Buffer.alloc(0)]] };
}

test("whatever references hold, a proxy has a phase, and its checksum follows the content alone", async (t) => {
  const ends = new Ends();
  const property = fc.asyncProperty(given, (of) =>
    ends.of(async () => {
      const { checksum, end } = await comesTo(of);
      assert.equal((await comesTo(turned(of))).checksum, checksum, "the order has no say");
      const isRead = end.startsWith("Running") && of.left === undefined && of.broken === undefined;
      if (!isRead) return end;
      assert.match(checksum ?? "", /^[0-9a-f]{64}$/);
      assert.notEqual((await comesTo(withOneMore(of))).checksum, checksum, "content changes it");
      return end;
    }),
  );
  await fc.assert(property, { numRuns: RUNS.contents, seed: seedOf("bad contents") });
  assert.ok(ends.kinds >= 3, "they end in different ways");
  report(t, "bad-contents", {
    title: "Secrets and ConfigMaps that nobody should make, in the program",
    rows: ends.rows(),
  });
});
