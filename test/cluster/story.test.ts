// What a team lives through with two zones, by the very commands of the workflow samples: a rotation in a pull request,
// its merge, a rotation in the cluster, edits of others and their repair.
import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { text } from "../../ci/preview/escape.ts";
import { runScript } from "../ci/workflows-support.ts";
import { sharedCluster } from "./support/cluster.ts";
import { part } from "./support/part.ts";
import { Pipeline, type Reported } from "./support/pipeline.ts";
import {
  briefOf,
  type CheckedZone,
  deploymentOf,
  type DriftReport,
  type PreviewReport,
} from "./support/reports.ts";
import { Repository } from "./support/repository.ts";
import { assertAbsent, assertAbsentInFiles } from "./support/secrets.ts";
import { makeToken } from "./support/token.ts";
import { at, TestZone } from "./support/zone.ts";

/** What GitHub says was there before a branch's first push. */
const NOTHING = "0".repeat(40);

/** A proxy whose token is in a Secret of its own. */
const given = (secret: string): object => ({ configTokenSecretRef: { name: secret } });

/** The UID of the one pod of each proxy; a pod on its way out doesn't count. */
async function podsOf(...zones: TestZone[]): Promise<Record<string, string>> {
  const pods = (await Promise.all(zones.map((zone) => zone.list("pods")))).flat();
  const staying = pods.filter((pod) => at(pod, "metadata", "deletionTimestamp") === undefined);
  const named = staying.map(({ metadata }) => [metadata.labels?.["otilm.com/proxy"] ?? "", metadata.uid]);
  assert.equal(new Set(named.map(([name]) => name)).size, named.length, "one pod per proxy");
  return Object.fromEntries(named) as Record<string, string>;
}

/** What is asked for in each object whose fields somebody edits here. */
async function specsOf(...zones: TestZone[]): Promise<unknown[]> {
  const objects = await Promise.all(zones.map((zone) => zone.list("deployments,services,networkpolicies")));
  return objects.flat().map(({ kind, metadata, ["spec"]: spec }) => [kind, metadata.name, spec]);
}

/** A comment and its document say: one rollout in this zone, for this reason, and nothing in the other. */
function assertOneRollout(
  { code, comment, document }: Reported<PreviewReport>,
  [zone, other]: [TestZone, TestZone],
  cause: string,
): void {
  const [rolled, quiet] = [zone, other].map(({ stack }) => document.zones.find((of) => of.stack === stack));
  const change = deploymentOf(rolled);
  const { before, after } = change.tokenExpiry;
  assert.ok(before !== null && after !== null && before < after);
  const headline = `${zone.stack}: 1 rollout (config token rotated, valid until ${after.slice(0, 10)})`;
  assert.equal(comment.split("\n")[0], `${headline}; ${other.stack}: no change`);
  assert.ok(comment.includes(text(cause)), comment);
  assert.equal(change.effect, "rolls pods");
  assert.deepEqual(
    change.causes.map((told) => told.text),
    [cause],
  );
  const counts = Object.entries(rolled?.counts ?? {}).filter(([, count]) => count > 0);
  assert.deepEqual(counts, [["rollouts", 1]]);
  assert.equal(quiet?.status, "no change");
  assert.equal(code, 2);
}

/** What a drift check says of a zone. */
function checkOf({ zones }: DriftReport, { stack }: TestZone): CheckedZone {
  const checked = zones.find(({ zone }) => zone === stack);
  assert.ok(checked);
  return checked;
}

test("two zones and their repository: what CI says and does, by the commands of the samples", async (t) => {
  const east = await TestZone.open(t, { proxies: { a: given("a-config"), b: given("b-config") } });
  const west = await east.anotherZone({ proxies: { c: given("c-config"), own: {} } });
  const { workspace, log } = east;
  const tokens: string[] = [];
  const rotateOwn = async (expires: string): Promise<void> => {
    const token = await makeToken(expires);
    tokens.push(token);
    const set = ["config", "set", "--secret", "--path", "configTokens.own"];
    const run = await west.pulumi(set, { input: token });
    assert.equal(run.code, 0, run.output);
  };
  const fingerprints = (): Promise<Record<string, string>[]> =>
    Promise.all([east.fingerprint(), west.fingerprint()]);
  const pods = (): Promise<Record<string, string>> => podsOf(east, west);
  /** The proxies whose pods are others than before. */
  const rolledSince = async (before: Record<string, string>): Promise<string[]> => {
    const after = await pods();
    assert.deepEqual(Object.keys(after).sort(), Object.keys(before).sort());
    return Object.keys(after).filter((name) => after[name] !== before[name]);
  };
  tokens.push(await east.putToken("a-config", "30d"), await east.putToken("b-config", "30d"));
  tokens.push(await west.putToken("c-config", "30d"));
  await rotateOwn("30d");

  const repository = await Repository.create(east);
  await Promise.all([east.grantRights(), west.grantRights()]);
  const pipeline = new Pipeline({ repository, workspace, log }, sharedCluster().users);
  const nothingChanges = async (): Promise<void> => {
    const { code, comment } = await pipeline.pullRequest(await repository.head());
    const lines = [east, west].map(({ stack }) => `${stack}: no change`).sort();
    assert.equal(comment.split("\n")[0], lines.join("; "));
    assert.equal(code, 0);
  };

  await part(t, "the first push makes both zones", async () => {
    const zones = await pipeline.push(await repository.head(), NOTHING);
    assert.deepEqual(zones, [east.stack, west.stack].sort());
    assert.deepEqual(Object.keys(await pods()).sort(), ["a", "b", "c", "own"]);
  });

  await part(t, "a token rotated in a stack file: one rollout in one zone", async () => {
    await repository.git("switch", "--quiet", "--create", "rotate-own");
    await rotateOwn("90d");
    const head = await repository.commit("Rotate the token of own");
    const before = await fingerprints();
    const cause = "config token rotated (Secret own-config-token, key configToken)";
    assertOneRollout(await pipeline.pullRequest(head), [west, east], cause);
    assert.deepEqual(await fingerprints(), before, "a preview writes nothing");
  });

  await part(t, "its merge runs that zone alone, and rolls that proxy alone", async () => {
    const podsBefore = await pods();
    const untouched = async (): Promise<unknown> => {
      const [all, some = {}] = await fingerprints();
      return [all, Object.entries(some).filter(([name]) => !/\/own\b/.test(name))];
    };
    const untouchedBefore = await untouched();
    const { commit, before } = await repository.merge("rotate-own");
    assert.deepEqual(await pipeline.push(commit, before), [west.stack]);
    assert.deepEqual(await rolledSince(podsBefore), ["own"]);
    assert.deepEqual(await untouched(), untouchedBefore);
  });

  await part(t, "after it nothing is left to change", nothingChanges);

  await part(t, "a Secret rotated in the cluster: reported, pending, and applied by hand", async () => {
    tokens.push(await east.putToken("a-config", "90d"));
    const cause = "config token rotated (Secret a-config, key configToken)";
    const head = await repository.head();
    assertOneRollout(await pipeline.pullRequest(head), [east, west], cause);
    const { code, document } = await pipeline.schedule(head);
    assert.deepEqual(
      checkOf(document, east).findings.map((finding) => [briefOf(finding), finding.what]),
      [["rotation pending | a | Deployment a", cause]],
    );
    assert.deepEqual(checkOf(document, west).findings, []);
    assert.equal(code, 2);

    const before = await pods();
    assert.deepEqual(await pipeline.push(head), [east.stack, west.stack].sort());
    assert.deepEqual(await rolledSince(before), ["a"]);
    await nothingChanges();
  });

  await part(t, "edits of others: found with fields and managers, mended, and gone", async () => {
    const before = await specsOf(east, west);
    await east.kube("set", "resources", "deployment/a", "--limits=memory=1Gi", "--field-manager=alice");
    await east.kube("set", "env", "deployment/a", "HACK=1", "--field-manager=bob");
    const port = '[{"op":"replace","path":"/spec/ports/0/targetPort","value":9999}]';
    await west.kube("patch", "service", "c", "--type=json", "-p", port, "--field-manager=alice");
    const rule = '[{"op":"add","path":"/spec/ingress/-","value":{"ports":[{"port":22}]}}]';
    await west.kube("patch", "networkpolicy", "own", "--type=json", "-p", rule, "--field-manager=carol");
    const head = await repository.head();
    const { code, comment, document } = await pipeline.schedule(head);
    const found = [east, west].map((zone) => checkOf(document, zone));
    const managers = ["Deployment a; by alice, bob", "Service c, NetworkPolicy own; by alice, carol"];
    const lines = found.map(({ zone }, index) => `${zone}: drift (${managers[index]})`).sort();
    assert.equal(comment.split("\n")[0], lines.join("; "));
    for (const { what } of found.flatMap(({ findings }) => findings))
      assert.ok(comment.includes(text(what)), comment);
    assert.deepEqual(
      found.map(({ findings }) =>
        findings.map((finding) => [
          briefOf(finding),
          ...finding.edits.map(({ paths, manager }) => [manager, ...paths]),
        ]),
      ),
      [
        [
          [
            "drift | a | Deployment a",
            ["alice", "spec.template.spec.containers[proxy].resources.limits.memory"],
            ["bob", "spec.template.spec.containers[proxy].env[HACK]"],
          ],
        ],
        [
          ["drift | c | Service c", ["alice", "spec.ports[8080/TCP].targetPort"]],
          ["drift | own | NetworkPolicy own", ["carol", "spec.ingress"]],
        ],
      ],
    );
    assert.equal(code, 2);

    const fix = "npm run --silent drift -- --all --fix --markdown fix.md --json fix.json";
    const run = await runScript(fix, repository.clone, await east.envOf("update"), { timeoutMs: 600_000 });
    appendFileSync(log, `$ ${fix}\n${run.output}\n(exit code ${run.code})\n\n`);
    assert.equal(run.code, 0, run.output);
    const fixed = JSON.parse(readFileSync(`${repository.clone}/fix.json`, "utf8")) as DriftReport;
    assert.deepEqual(
      [east, west].map((zone) => checkOf(fixed, zone).fix?.mended.map(briefOf)),
      found.map(({ findings }) => findings.map(briefOf)),
    );
    assert.deepEqual(await specsOf(east, west), before);
    assert.equal((await pipeline.schedule(head)).code, 0);
  });

  await part(t, "the number of a port edited: mended by hand", async () => {
    const before = await specsOf(east, west);
    const port = '[{"op":"replace","path":"/spec/ports/0/port","value":9999}]';
    await west.kube("patch", "service", "c", "--type=json", "-p", port);
    await pipeline.push(await repository.head());
    assert.deepEqual(await specsOf(east, west), before);
    await nothingChanges();
  });

  await part(t, "no token, and not the passphrase, is in any file or in the history", async () => {
    const secrets = [...tokens, workspace.env["PULUMI_CONFIG_PASSPHRASE"] ?? ""];
    const read = assertAbsentInFiles(workspace.dir, secrets);
    for (const name of ["report.md", "report.json", "drift.prom", "fix.json", "summary.md", "commands.log"])
      assert.ok(
        read.some((path) => path.endsWith(`/${name}`)),
        `${name} is among them`,
      );
    assertAbsent(await repository.git("log", "--all", "--patch"), secrets, "the history");
  });
});
