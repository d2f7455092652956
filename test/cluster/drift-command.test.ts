// `npm run drift` on a real zone: what it finds, what it tells of it, and what --fix mends.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ciCommand } from "./support/ci-command.ts";
import { part } from "./support/part.ts";
import { briefOf, type DriftReport, type Found } from "./support/reports.ts";
import { TestZone } from "./support/zone.ts";

interface Check {
  code: number;
  report: string;
  errors: string;
  headline: string;
  findings: Found[];
  /** Kind, component and object of each finding. */
  brief: string[];
  mended: string[];
  metrics: string[];
}

/** Runs the program in the zone's project, as a schedule would there. */
async function drift(zone: TestZone, ...more: string[]): Promise<Check> {
  const { dir } = zone.workspace;
  const [json, metrics] = [`${dir}/drift.json`, `${dir}/drift.prom`];
  const args = ["--stack", zone.stack, "--json", json, "--metrics", metrics, ...more];
  const { code, stdout, stderr } = await ciCommand(zone, "drift", ...args);
  const document = JSON.parse(readFileSync(json, "utf8")) as DriftReport;
  assert.equal(document.exitCode, code);
  const [checked] = document.zones;
  assert.ok(checked);
  return {
    code,
    report: stdout,
    errors: stderr,
    headline: checked.headline,
    findings: checked.findings,
    brief: checked.findings.map(briefOf),
    mended: (checked.fix?.mended ?? []).map(briefOf),
    metrics: readFileSync(metrics, "utf8").split("\n"),
  };
}

test("drift finds what differs, who did it and when, and --fix mends what a run can mend", async (t) => {
  const zone = await TestZone.open(t, {
    proxies: { a: { configTokenSecretRef: { name: "a-config" } }, own: {} },
  });
  const tokens = [await zone.putToken("a-config", "30d")];
  await zone.pulumi(["config", "set", "--secret", "--path", "configTokens.own"], { input: tokens[0] ?? "" });
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const texts: string[] = [];
  const check = async (...more: string[]): Promise<Check> => {
    const result = await drift(zone, ...more);
    texts.push(result.report, result.errors, JSON.stringify(result.findings), ...result.metrics);
    return result;
  };
  const sample = (name: string, proxy: string): string =>
    `pulumi_proxies_${name}{zone="${zone.stack}",kind="Proxy",name="${proxy}"}`;

  await part(t, "a zone as it was applied is clean", async () => {
    const { code, report, findings, metrics } = await check();
    assert.deepEqual(findings, [], report);
    assert.equal(report.split("\n")[0], `${zone.stack}: clean`);
    assert.equal(code, 0);
    for (const line of [
      `pulumi_proxies_check_success{zone="${zone.stack}"} 1`,
      `pulumi_proxies_phase{zone="${zone.stack}",kind="Proxy",name="a",phase="Running"} 1`,
      `pulumi_proxies_phase{zone="${zone.stack}",kind="Proxy",name="a",phase="Failed"} 0`,
      `${sample("drift_fields", "a")} 0`,
      `${sample("rotation_pending", "own")} 0`,
    ])
      assert.ok(metrics.includes(line), line);
    const end = (await zone.outputs())["a"]?.tokenExpiresAt ?? "";
    assert.ok(metrics.includes(`${sample("token_expiry_timestamp_seconds", "a")} ${Date.parse(end) / 1000}`));
  });

  await part(t, "a rotated Secret is a rotation, not drift", async () => {
    tokens.push(await zone.putToken("a-config", "90d"));
    const { code, brief, findings, metrics } = await check();
    assert.deepEqual(brief, ["rotation pending | a | Deployment a"]);
    assert.equal(findings[0]?.what, "config token rotated (Secret a-config, key configToken)");
    assert.ok(metrics.includes(`${sample("rotation_pending", "a")} 1`));
    assert.ok(metrics.includes(`${sample("drift_fields", "a")} 0`));
    assert.equal(code, 2);
  });

  await part(t, "drift beside it: fields, managers and times", async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const port = '[{"op":"replace","path":"/spec/ports/0/targetPort","value":9999}]';
    await zone.kube("set", "env", "deployment/a", "HACK=1");
    await zone.kube("patch", "service", "a", "--type=json", "-p", port);
    await zone.kube("label", "networkpolicy", "own", "colour=blue");
    // Nobody owns what is gone.
    await zone.kube("label", "service", "own", "app.kubernetes.io/managed-by-");
    const { code, brief, findings, metrics } = await check();
    assert.deepEqual(brief, [
      "drift | a | Deployment a",
      "drift | a | Service a",
      "drift | own | NetworkPolicy own",
      "drift | own | Service own",
      "rotation pending | a | Deployment a",
    ]);
    assert.deepEqual(
      findings.slice(0, 4).map(({ edits }) => edits.map(({ paths, manager }) => [manager, ...paths])),
      [
        [["kubectl-set", "spec.template.spec.containers[proxy].env[HACK]"]],
        [["kubectl-patch", "spec.ports[8080/TCP].targetPort"]],
        [["kubectl-label", "metadata.labels.colour"]],
        [[null, 'metadata.labels["app.kubernetes.io/managed-by"]']],
      ],
    );
    for (const { time } of findings.slice(0, 3).flatMap(({ edits }) => edits)) {
      const written = Date.parse(time ?? "");
      assert.ok(written >= before && written <= Date.now(), time ?? "no time");
    }
    assert.ok(metrics.includes(`${sample("drift_fields", "own")} 2`));
    assert.equal(code, 2);
  });

  await part(t, "--fix mends it, and the next check is clean", async () => {
    const { code, brief, mended, errors, metrics } = await check("--fix");
    assert.deepEqual(brief, []);
    assert.equal(mended.length, 5);
    assert.match(errors, /Deployment a updated|~ {2}kubernetes:apps\/v1:Deployment a/);
    assert.equal(code, 0);
    assert.ok(metrics.includes(`${sample("drift_fields", "a")} 0`));
    assert.ok(metrics.includes(`${sample("rotation_pending", "a")} 0`));
    const fingerprint = await zone.fingerprint();
    const again = await check("--fix");
    assert.deepEqual([again.code, again.headline], [0, "clean"]);
    assert.deepEqual(await zone.fingerprint(), fingerprint, "nothing to mend: no `up`");
  });

  const renumber = (from: number, to: number): Promise<string> => {
    const number = { op: "replace", path: "/spec/ports/0/port", value: to };
    const operations = [{ ...number, op: "test", value: from }, number];
    return zone.kube("patch", "service", "a", "--type=json", "-p", JSON.stringify(operations));
  };

  await part(
    t,
    "an edit beside which the API server refuses ours is found and mended like any other",
    async () => {
      await renumber(8080, 9999);
      const { code, brief, findings } = await check();
      assert.deepEqual([code, brief], [2, ["drift | a | Service a"]]);
      assert.match(findings[0]?.what ?? "", /^spec\.ports\[9999\/TCP\] \(by kubectl-patch at /);
      const fixed = await check("--fix");
      assert.deepEqual([fixed.code, fixed.mended], [0, ["drift | a | Service a"]]);
    },
  );

  await part(t, "where zone.drift is warn, a run removes nothing: --fix leaves it alone", async () => {
    const proxies = { a: { configTokenSecretRef: { name: "a-config" } }, own: {} };
    zone.write({ zone: { drift: "warn" }, proxies });
    await zone.kube("label", "service", "a", "colour=blue");
    const fingerprint = await zone.fingerprint();
    const { code, brief, findings } = await check("--fix");
    assert.deepEqual([code, brief, findings[0]?.mendable], [2, ["drift | a | Service a"], false]);
    assert.deepEqual(await zone.fingerprint(), fingerprint);
    await zone.kube("label", "service", "a", "colour-");

    await renumber(8080, 9999);
    const refused = await check("--fix");
    assert.match(
      refused.headline,
      /^could not be checked: Preview failed: .*Duplicate value: "http"; found all the same: /,
    );
    assert.deepEqual([refused.code, refused.brief], [1, ["drift | a | Service a"]]);
    zone.write({ proxies });
    assert.equal((await check("--fix")).code, 0);
  });

  await part(t, "a deleted Service, and what the stack file says differently", async () => {
    await zone.kube("delete", "service", "own");
    zone.write({ proxies: { a: { configTokenSecretRef: { name: "a-config" }, replicas: 2 }, own: {} } });
    const { code, brief, findings } = await check();
    assert.deepEqual(brief, ["deleted | own | Service own", "args pending | a | Deployment a"]);
    assert.equal(findings[1]?.what, "replicas 1 -> 2");
    assert.equal(code, 2);
    await zone.kube("scale", "deployment", "a", "--replicas=3");
    const scaled = await check();
    // Its new pod may be late.
    assert.deepEqual(
      scaled.brief.filter((line) => !line.startsWith("phase")),
      ["deleted | own | Service own", "drift | a | Deployment a", "args pending | a | Deployment a"],
    );
    const { edits } = scaled.findings.find(({ kind }) => kind === "drift") ?? {};
    assert.deepEqual(
      edits?.map(({ manager, paths }) => [manager, ...paths]),
      [["kubectl", "spec.replicas"]],
    );
  });

  await part(t, "an expired token is no run's to mend", async () => {
    tokens.push(await zone.putToken("a-config", "-1h"));
    const { code, brief, findings } = await check("--fix");
    assert.deepEqual(
      brief.filter((line) => !line.startsWith("phase")),
      ["token expired | a | -"],
    );
    assert.equal(findings[0]?.mendable, false);
    assert.equal(code, 2);
    const fingerprint = await zone.fingerprint();
    assert.equal((await check("--fix")).code, 2);
    assert.deepEqual(await zone.fingerprint(), fingerprint);
  });

  await part(t, "a zone that can't be checked: its line, and exit code 1", async () => {
    zone.write({ zone: { cluster: { context: "elsewhere" } }, proxies: { own: {} } });
    const { code, report, metrics } = await check();
    assert.equal(code, 1);
    assert.match(report, /: could not be checked: .*the kubeconfig has no context/);
    assert.ok(metrics.includes(`pulumi_proxies_check_success{zone="${zone.stack}"} 0`));
    assert.ok(metrics.some((line) => line.startsWith(sample("token_expiry_timestamp_seconds", "a"))));
    assert.ok(!metrics.some((line) => line.startsWith("pulumi_proxies_drift_fields{")));
  });

  for (const token of tokens) assert.ok(!texts.some((text) => text.includes(token)));
});
