// Edits that exclude what we declare, so that the API server refuses ours beside them: every repair goes through a preview.
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const proxy = {
  configTokenSecretRef: { name: "p-config" },
  replicas: 2,
  strategy: { type: "Recreate" },
  // Written in another form than the API server's own.
  resources: { limits: { cpu: "0.5", memory: "1024Mi" } },
  env: [{ name: "EMPTY", value: "" }],
  podDisruptionBudget: { enabled: true, minAvailable: 1 },
};
const file = (more: object = {}): StackFile => ({ proxies: { p: { ...proxy, ...more } } });

const CONTAINER = "/spec/template/spec/containers/0";
const POD = "spec.template.spec.containers[0]";

type Operation = { op: "add" | "replace" | "remove"; path: string; value?: unknown };

const patch = (zone: TestZone, kind: string, ...operations: Operation[]): Promise<string> =>
  zone.kube("patch", kind, "p", "--type=json", "-p", JSON.stringify(operations));

/** Kind -> the paths that a preview is to change. */
async function changedPaths(zone: TestZone): Promise<Record<string, string[]>> {
  const { code, output } = await zone.preview("--json");
  assert.equal(code, 0, output);
  const { steps } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as {
    steps: { op: string; urn: string; detailedDiff?: object | null }[];
  };
  const updates = steps.filter(({ op }) => op === "update");
  return Object.fromEntries(
    updates.map(({ urn, detailedDiff }) => [
      urn.split("::").at(-2)?.split(":").at(-1) ?? "",
      Object.keys(detailedDiff ?? {}).sort(),
    ]),
  );
}

const REPAIRS = 'metadata.annotations["pulumi-proxies.dev/repairs"]';

test("edits that exclude our own fields are previewed as they are mended, and by an ordinary run", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  const made = await zone.up();
  assert.equal(made.code, 0, made.output);

  // Two ports of one name; two bounds; a value beside a source; a request above the limit; two handlers; a strategy's fields.
  await patch(zone, "service", { op: "replace", path: "/spec/ports/0/port", value: 9999 });
  await patch(
    zone,
    "poddisruptionbudget",
    { op: "remove", path: "/spec/minAvailable" },
    { op: "add", path: "/spec/maxUnavailable", value: 1 },
  );
  await zone.kube("set", "env", "deployment/p", "PROXY_CONFIG_TOKEN=stolen");
  await zone.kube("set", "resources", "deployment/p", "--limits=cpu=4", "--requests=cpu=2");
  await patch(
    zone,
    "deployment",
    { op: "replace", path: `${CONTAINER}/ports/0/containerPort`, value: 9999 },
    { op: "remove", path: `${CONTAINER}/livenessProbe/httpGet` },
    { op: "add", path: `${CONTAINER}/livenessProbe/exec`, value: { command: ["true"] } },
    { op: "replace", path: "/spec/strategy", value: { type: "RollingUpdate" } },
  );

  assert.deepEqual(await changedPaths(zone), {
    Deployment: [
      REPAIRS,
      "spec.strategy.type",
      `${POD}.env[1].valueFrom`,
      `${POD}.livenessProbe.httpGet`,
      `${POD}.ports[0].containerPort`,
      `${POD}.resources.limits.cpu`,
    ],
    PodDisruptionBudget: [REPAIRS, "spec.minAvailable"],
    Service: [REPAIRS, "spec.ports[0].port"],
  });
  const run = await zone.pulumi(["up", "--yes"]);
  assert.equal(run.code, 0, run.output);
  const deployment = await zone.get("deployment", "p");
  assert.deepEqual(at(deployment, "spec", "strategy"), { type: "Recreate" });
  const container = at(deployment, "spec", "template", "spec", "containers", 0);
  assert.deepEqual(at(container, "resources"), { limits: { cpu: "500m", memory: "1Gi" } });
  assert.deepEqual(at(container, "env", 1, "value"), undefined);
  assert.deepEqual(Object.keys(at(container, "livenessProbe") as object).includes("exec"), false);
  assert.deepEqual(
    (at(await zone.get("service", "p"), "spec", "ports") as { port: number }[]).map(({ port }) => port),
    [8080, 8081],
  );
  const fingerprint = await zone.fingerprint();
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
  assert.deepEqual(await zone.fingerprint(), fingerprint);
});

test("a preview of a repair writes nothing and names only what it changes", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  assert.equal((await zone.up()).code, 0);
  await zone.kube("label", "deployment", "p", "added=1");
  const before = await zone.fingerprint();
  assert.deepEqual(await changedPaths(zone), { Deployment: [REPAIRS] });
  assert.deepEqual(await zone.fingerprint(), before);
});

test("an object whose fields exclude ours is taken over by an ordinary run", async (t) => {
  const zone = await TestZone.open(t, file({ adopt: true }));
  await zone.putToken("p-config", "30d");
  const ports = [{ name: "http", port: 80 }];
  await zone.apply({ apiVersion: "v1", kind: "Service", metadata: { name: "p" }, spec: { ports } });
  const run = await zone.pulumi(["up", "--yes"]);
  assert.equal(run.code, 0, run.output);
  const { spec } = (await zone.get("service", "p")) as { spec?: { ports: { port: number }[] } };
  assert.deepEqual(
    spec?.ports.map(({ port }) => port),
    [8080, 8081],
  );
  assert.equal((await zone.up("--expect-no-changes")).code, 0);
});
