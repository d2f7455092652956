// `npm run status` on real stacks: what the last run left, what the cluster has now, and what can't be read.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { ciCommand } from "./support/ci-command.ts";
import { TestZone } from "./support/zone.ts";

interface Shown {
  code: number;
  /** Zone, kind, name, phase, version, ready, token and warnings, one string a line. */
  lines: string[];
}

/** Runs the program in the zone's project, as a person would there. */
async function status(zone: TestZone, ...args: string[]): Promise<Shown> {
  const { code, stdout } = await ciCommand(zone, "status", ...args);
  const lines = stdout.trimEnd().split("\n").slice(1);
  return { code, lines: lines.map((line) => line.trim().replace(/ {2,}/g, " | ")) };
}

test("status tells what the last run left, and with --live what became of it", async (t) => {
  const file = { proxies: { a: { configTokenSecretRef: { name: "a-config" }, replicas: 2 }, own: {} } };
  const zone = await TestZone.open(t, file);
  const { stack } = zone;
  // A zone with a file and no stack.
  writeFileSync(`${zone.project}/stacks/Pulumi.test-nowhere.yaml`, "config: {}\n");
  const nowhere = "test-nowhere | Zone | - | Unreadable | - | - | - | no stack named 'test-nowhere' found";
  const nothing = `${stack} | Zone | - | NotApplied | - | - | - | nothing was applied yet`;
  assert.deepEqual(await status(zone), { code: 1, lines: [nowhere, nothing] });

  await zone.putToken("a-config", "30d");
  await zone.pulumi(["config", "set", "--secret", "--path", "configTokens.own"], { input: "no JWT" });
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  const end = (await zone.outputs())["a"]?.tokenExpiresAt?.slice(0, 10) ?? "";
  const [a, own] = [`${stack} | Proxy | a`, `${stack} | Proxy | own`];
  const ran = [`${a} | Running | 1.0.0 | 2 | ${end} (29d) | -`, `${own} | Running | 1.0.0 | 1 | - | -`];
  assert.deepEqual(await status(zone), { code: 1, lines: [nowhere, ...ran] });
  const live = [`${a} | Running | 1.0.0 | 2/2 | ${end} (29d) | -`, `${own} | Running | 1.0.0 | 1/1 | - | -`];
  assert.deepEqual(await status(zone, "--stack", stack, "--live"), { code: 0, lines: live });

  await zone.kube("scale", "deployment", "a", "--replicas=0");
  await zone.kube("delete", "deployment", "own");
  await zone.kube("wait", "deployment/a", "--for=jsonpath={.status.observedGeneration}=2");
  assert.deepEqual(await status(zone, "--stack", stack), { code: 0, lines: ran });
  const gone = "DeploymentMissing: its Deployment is gone; the next run makes it anew";
  const stopped = "ScaledDown: somebody scaled it to 0; the last run left it Running";
  const now = await status(zone, "--stack", stack, "--live");
  // The pods of the stopped one may take a moment to go.
  now.lines = now.lines.map((line) => line.replace(/[12]\/0/, "0/0"));
  assert.deepEqual(now, {
    code: 0,
    lines: [
      `${own} | Deploying | 1.0.0 | 0 | - | ${gone}`,
      `${a} | ScaledDown | 1.0.0 | 0/0 | ${end} (29d) | ${stopped}`,
    ],
  });

  zone.write({ ...file, zone: { cluster: { context: "elsewhere" } } });
  const unreachable = await status(zone, "--stack", stack, "--live");
  assert.equal(unreachable.code, 1);
  assert.match(
    unreachable.lines[0] ?? "",
    /Unreadable .* the kubeconfig has no context "elsewhere"; its contexts: /,
  );
  assert.deepEqual(unreachable.lines.slice(1), [
    `${a} | Unknown | 1.0.0 | - | ${end} (29d) | -`,
    `${own} | Unknown | 1.0.0 | - | - | -`,
  ]);
});
