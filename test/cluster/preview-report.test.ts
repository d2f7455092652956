import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ciCommand } from "./support/ci-command.ts";
import { part } from "./support/part.ts";
import { openRegisteringZone } from "./support/registering-zone.ts";
import { briefOf, deploymentOf, type PreviewReport, type ReportedZone } from "./support/reports.ts";
import { makeToken } from "./support/token.ts";
import { type StackFile, TestZone } from "./support/zone.ts";

interface Reported {
  code: number;
  comment: string;
  zones: ReportedZone[];
}

/** `preview-report` over both zones, as CI runs it. */
async function previewReport(zone: TestZone, other: TestZone): Promise<Reported> {
  const { stack, workspace } = zone;
  await other.grantRights();
  const json = `${workspace.dir}/report.json`;
  const args = ["--stack", stack, other.stack, "--concurrency", "2", "--json", json];
  const { code, stdout: comment } = await ciCommand(zone, "preview-report", ...args);
  const { zones } = JSON.parse(readFileSync(json, "utf8")) as PreviewReport;
  assert.deepEqual(
    zones.map((reported) => reported.stack),
    [stack, other.stack],
  );
  return { code, comment, zones };
}

test("preview-report over two zones: rotations, no change, foreign edits, a removed proxy, a broken stack file", async (t) => {
  const file = (...names: string[]): StackFile => ({
    proxies: Object.fromEntries(
      names.map((name) => [name, name === "own" ? {} : { configTokenSecretRef: { name: `${name}-config` } }]),
    ),
  });
  const zone = await TestZone.open(t, file("given", "own", "leaving"));
  const other = await zone.anotherZone({ proxies: {} });
  const tokens: string[] = [];
  const rotateGiven = async (expires: string): Promise<void> => {
    tokens.push(await zone.putToken("given-config", expires, { beside: "same" }));
  };
  const rotateOwn = async (expires: string): Promise<void> => {
    const token = await makeToken(expires);
    tokens.push(token);
    const args = ["config", "set", "--secret", "--path", "configTokens.own"];
    assert.equal((await zone.pulumi(args, { input: token })).code, 0);
  };
  await rotateGiven("30d");
  await rotateOwn("30d");
  await zone.putToken("leaving-config", "30d");
  for (const up of await Promise.all([zone.up(), other.up()])) assert.equal(up.code, 0, up.output);

  const comments: string[] = [];
  const report = async (): Promise<Reported> => {
    const result = await previewReport(zone, other);
    comments.push(result.comment, JSON.stringify(result.zones));
    return result;
  };

  await part(t, "no change", async () => {
    const { code, comment } = await report();
    assert.equal(comment.split("\n")[0], `${zone.stack}: no change; ${other.stack}: no change`);
    assert.equal(code, 0);
  });

  for (const [route, rotate, secret] of [
    ["a Secret of the zone", rotateGiven, "given-config"],
    ["configTokens", rotateOwn, "own-config-token"],
  ] as const) {
    await part(t, `a token rotated in ${route}: one rollout in one zone`, async () => {
      await rotate("90d");
      const { code, comment, zones } = await report();
      const change = deploymentOf(zones[0]);
      const { before, after } = change.tokenExpiry;
      assert.ok(before !== null && after !== null && before < after);
      assert.equal(
        comment.split("\n")[0],
        `${zone.stack}: 1 rollout (config token rotated, valid until ${after.slice(0, 10)}); ${other.stack}: no change`,
      );
      assert.deepEqual(
        change.causes.map(({ text }) => text),
        [`config token rotated (Secret ${secret}, key configToken)`],
      );
      assert.equal(change.effect, "rolls pods");
      const { rollouts, updates } = zones[0]?.counts ?? {};
      assert.deepEqual([rollouts, updates], [1, 0]);
      assert.equal(code, 2);
      const applied = await zone.up();
      assert.equal(applied.code, 0, applied.output);
      assert.equal((await report()).code, 0, "no change after the update");
    });
  }

  await part(
    t,
    "foreign edits: the fields and their manager, and what their repair does to pods",
    async () => {
      await zone.kube("set", "env", "deployment/given", "HACK=1");
      await zone.kube("label", "service", "given", "colour=blue");
      const { code, comment, zones } = await report();
      const changes = zones[0]?.components.flatMap((component) => component.changes) ?? [];
      assert.deepEqual(
        changes.map(({ kind, effect, causes }) => [kind, effect, causes.map(({ text }) => text)]),
        [
          [
            "Deployment",
            "rolls pods",
            ["repair of foreign edits: spec.template.spec.containers[proxy].env[HACK] (by kubectl-set)"],
          ],
          [
            "Service",
            "no effect on pods",
            ["repair of foreign edits: metadata.labels.colour (by kubectl-label)"],
          ],
        ],
      );
      assert.match(comment, /: 1 rollout \(repair of foreign edits by kubectl-set\)/);
      assert.equal(code, 2);
      const repaired = await zone.up();
      assert.equal(repaired.code, 0, repaired.output);
    },
  );

  await part(t, "a key of the checksums: the cause of every rollout, and nothing else", async () => {
    const args = ["config", "set", "--secret", "checksumKey"];
    assert.equal((await zone.pulumi(args, { input: "a-key-of-checksums" })).code, 0);
    const { code, zones } = await report();
    assert.equal(zones[0]?.headline, "3 rollouts (checksumKey added)");
    assert.equal(code, 2);
    const applied = await zone.up();
    assert.equal(applied.code, 0, applied.output);
    assert.equal((await report()).code, 0, "no change after the update");
  });

  await part(t, "a Deployment that does not say with which key: no cause, and no rollout", async () => {
    const before = await zone.list("replicasets");
    await zone.kube("annotate", "deployment", "given", "pulumi-proxies.dev/checksum-key-id-");
    const { zones } = await report();
    assert.equal(zones[0]?.headline, "1 update");
    const { effect, causes } = deploymentOf(zones[0]);
    assert.deepEqual([effect, causes], ["no effect on pods", []]);
    const applied = await zone.up();
    assert.equal(applied.code, 0, applied.output);
    assert.equal((await zone.list("replicasets")).length, before.length);
  });

  await part(t, "a proxy that is taken out", async () => {
    zone.write(file("given", "own"));
    const { code, comment, zones } = await report();
    assert.equal(zones[0]?.headline, "DELETES Proxy leaving (4 objects)");
    assert.match(comment, /^<details open>$/m);
    assert.equal(code, 3);
  });

  await part(t, "a broken stack file: its line, and the other zone all the same", async () => {
    zone.write({ proxies: { given: { configTokenSecretRef: { name: "given-config" }, replicaz: 2 } } });
    const { code, comment, zones } = await report();
    assert.equal(
      comment.split("\n")[0],
      `${zone.stack}: preview failed: pulumi-proxies:proxies.given: unknown field "replicaz"; did you mean "replicas"?; ${other.stack}: no change`,
    );
    assert.deepEqual([zones[0]?.status, zones[1]?.status], ["failed", "no change"]);
    assert.equal(code, 1);
  });

  for (const token of tokens) assert.ok(!comments.some((comment) => comment.includes(token)));
});

const REFUSED = "the connector is not registered yet: the connection was refused";
const ASKS = "asks the platform to register the connector";
const SILENCE = "health NoAnswer: /v2/health gave no answer: nothing listens on the port";
const SILENT = "warning | silent | -";

test("registration and health: what the run asks, what is pending, and what the last run was told", async (t) => {
  const { zone, platform, write, report, drift, status, assertSilent } = await openRegisteringZone(t);

  await write({});
  await part(t, "a connector that is new: its registration is one of its objects", async () => {
    const { code, told } = await report();
    const created = "Connector silent (4 objects), Connector x509 (5 objects), Provider zone";
    assert.deepEqual([code, told.headline], [2, `creates ${created}`]);
  });

  await platform.stop();
  const down = await zone.up();
  assert.equal(down.code, 0, down.output);

  await part(t, "a platform that was down: the run asks it, and no pod is concerned", async () => {
    const { code, told } = await report();
    assert.deepEqual([code, told.headline], [2, `1 update (${ASKS}), 2 warnings`]);
    const changes = told.components.flatMap((component) => component.changes);
    assert.deepEqual(
      changes.map(({ kind, name, effect, causes }) => [kind, name, effect, causes.map(({ text }) => text)]),
      [["Registration", "x509", "no effect on pods", [ASKS]]],
    );
    assert.deepEqual([told.counts["updates"], told.counts["unknown"]], [1, 0]);
  });

  await part(t, "what is pending is told once, and so is what the last run was told", async () => {
    const { code, checked } = await drift();
    assert.deepEqual(
      checked.findings.map((finding) => [briefOf(finding), finding.what, finding.mendable]),
      [
        ["registration pending | x509 | -", REFUSED, true],
        [SILENT, SILENCE, false],
      ],
    );
    assert.equal(code, 2);
    const failed = `RegistrationFailed: ${REFUSED}; the next run tries again`;
    assert.deepEqual(await status(), [`silent | NoAnswer | ${SILENCE}`, `x509 | - | ${failed}`]);
    const last = "(when the last run looked)";
    assert.deepEqual(await status("--live"), [
      `silent | NoAnswer | ${SILENCE} ${last}`,
      `x509 | - | ${failed} ${last}`,
    ]);
  });

  await part(t, "--fix registers as soon as the platform is back", async () => {
    const still = await drift("--fix");
    assert.deepEqual(still.checked.fix?.mended, []);
    assert.deepEqual(still.checked.findings.map(briefOf), ["registration pending | x509 | -", SILENT]);
    await platform.start();
    const { checked } = await drift("--fix");
    assert.deepEqual(checked.fix?.mended.map(briefOf), ["registration pending | x509 | -"]);
    assert.deepEqual(checked.findings.map(briefOf), [SILENT]);
    assert.deepEqual(
      platform.received.map(({ headers }) => headers.authorization),
      ["Bearer held-bearer"],
    );
    const { code, told } = await report();
    assert.deepEqual([code, told.headline], [0, "no change, 1 warning"]);
    assert.deepEqual(await status(), [`silent | NoAnswer | ${SILENCE}`, "x509 | -"]);
  });

  await part(t, "a raised generation is pending, beside what others wrote", async () => {
    await write({ generation: 2 });
    await zone.kube("label", "service", "x509", "colour=blue");
    const { checked } = await drift();
    assert.deepEqual(checked.findings.map(briefOf), [
      "drift | x509 | Service x509",
      "registration pending | x509 | -",
      SILENT,
    ]);
    assert.equal(checked.findings[1]?.what, "the platform is still to be asked to register the connector");
    await zone.kube("label", "service", "x509", "colour-");
  });

  await part(t, "what only deleting takes asks nobody", async () => {
    await write({ deregisterOnDelete: true });
    const { told } = await report();
    assert.equal(
      told.headline,
      "1 update (keeps the connector's uuid, or what deleting it takes), 1 warning",
    );
    const { checked } = await drift();
    assert.deepEqual(checked.findings.map(briefOf), ["args pending | x509 | Registration x509", SILENT]);
  });

  await part(t, "a registration that is taken out", async () => {
    await write();
    const { code, told } = await report();
    const deletes = "DELETES Registration x509 (forgets the registration of the connector)";
    assert.deepEqual([code, told.headline], [3, `${deletes}, 1 warning`]);
  });

  assert.equal(platform.received.length, 1);
  assertSilent();
});
