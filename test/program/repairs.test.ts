import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { Proxy } from "../../components/index.ts";
import { allowList } from "../../components/zone/allow.ts";
import { inClear, metadata, reveal, run, the } from "./support/engine.ts";
import { REF, runProxy } from "./support/proxy.ts";
import { FORBIDDEN, found, managedBy, openZone, ours, type World } from "./support/zone.ts";

const UNKNOWN = pulumi.runtime.unknownValue;
const REPAIRS = "pulumi-proxies.dev/repairs";
const OURS = managedBy("pulumi-proxies", { "f:spec": { "f:ours": {} } });
const ADDED = managedBy("kubectl-edit", {
  "f:spec": { "f:ports": { 'k:{"port":22,"protocol":"TCP"}': { "f:port": {} } } },
});
const LABEL = managedBy("kubectl-label", { "f:metadata": { "f:labels": { "f:team": {} } } });
const PAUSED = managedBy("kubectl-rollout", { "f:spec": { "f:paused": {} } });

/** A live Service of ours with these managers, repaired so often before. */
function drifted(managedFields: ReturnType<typeof managedBy>[], before?: string) {
  return ours({
    managedFields: [OURS, ...managedFields],
    ...(before !== undefined && { annotations: { [REPAIRS]: before } }),
  });
}

function world(service: ReturnType<typeof drifted>, parts: World["parts"] = {}): World {
  return { lists: { Service: found([service]) }, reads: { "Service/dc-east": found(service) }, parts };
}

const raised: [before: string | undefined, after: string][] = [
  [undefined, "1"],
  ["3", "4"],
  ["nonsense", "1"],
];

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  for (const [before, after] of raised) {
    test(`drift raises the repairs annotation from ${before ?? "nothing"} to ${after} and binds the claim, ${when}`, async () => {
      const recorded = await runProxy({ preview, world: world(drifted([ADDED], before)) });
      const service = the(recorded, "Service");
      assert.equal(metadata(service).annotations[REPAIRS], preview ? UNKNOWN : after);
      assert.deepEqual(service.beforeUpdate, ["claim Service dc-east"]);
    });
  }

  test(`drift is told with object, fields and managers, in one warning, ${when}`, async () => {
    const { logs } = await runProxy({ preview, world: world(drifted([ADDED, LABEL])) });
    const warnings = logs.filter(({ message }) => message.includes("not ours"));
    assert.equal(warnings.length, 1);
    assert.equal(warnings[0]?.severity, "warning");
    assert.match(warnings[0].message, /^Service proxies\/dc-east /);
    assert.match(warnings[0].message, /spec\.ports\[22\/TCP\] \(by kubectl-edit\)/);
    assert.match(warnings[0].message, /metadata\.labels\.team \(by kubectl-label\)/);
    assert.match(warnings[0].message, /this run removes them/);
  });

  test(`without drift the annotation keeps its live value and nothing is claimed, ${when}`, async () => {
    const recorded = await runProxy({ preview, world: world(drifted([], "3")) });
    const service = the(recorded, "Service");
    assert.equal(metadata(service).annotations[REPAIRS], "3");
    assert.deepEqual([service.beforeCreate, service.beforeUpdate], [[], []]);
    assert.deepEqual(
      recorded.logs.filter(({ message }) => message.includes("not ours")),
      [],
    );
  });

  test(`drift: warn names the drift and plans nothing, ${when}`, async () => {
    const recorded = await runProxy({ preview, world: world(drifted([ADDED], "3"), { drift: "warn" }) });
    assert.equal(metadata(the(recorded, "Service")).annotations[REPAIRS], "3");
    const [warning, ...more] = recorded.logs.filter(({ message }) => message.includes("not ours"));
    assert.equal(more.length, 0);
    assert.match(warning?.message ?? "", /spec\.ports\[22\/TCP\] \(by kubectl-edit\).*stay/);
  });

  test(`what Kubernetes' own commands may write is no drift, ${when}`, async () => {
    const recorded = await runProxy({ preview, world: world(drifted([PAUSED])) });
    assert.equal(REPAIRS in metadata(the(recorded, "Service")).annotations, false);
  });

  test(`what a listed manager writes is no drift, ${when}`, async () => {
    const recorded = await runProxy({
      preview,
      world: world(drifted([ADDED]), { allow: allowList(["kubectl-edit"]) }),
    });
    assert.equal(REPAIRS in metadata(the(recorded, "Service")).annotations, false);
  });

  test(`drift of one object is no repair of another, ${when}`, async () => {
    const recorded = await runProxy({ preview, world: world(drifted([ADDED])) });
    for (const kind of ["ServiceAccount", "Deployment", "NetworkPolicy"]) {
      const registration = the(recorded, kind);
      assert.equal(REPAIRS in metadata(registration).annotations, false, kind);
      assert.deepEqual(registration.beforeUpdate, [], kind);
    }
  });
}

test("the hook makes the fields ours, and only when the engine runs it", async () => {
  const { cluster } = await runProxy(
    { world: world(drifted([ADDED, PAUSED])) },
    async (_proxy, running, before) => {
      assert.deepEqual(before.patched, []);
      assert.equal(await running.runHook("claim Service dc-east"), "");
    },
  );
  assert.equal(cluster.patched.length, 1);
  const [patched] = cluster.patched;
  assert.equal(patched?.what, "Service proxies/dc-east");
  assert.deepEqual(patched.patch[0], { op: "test", path: "/metadata/resourceVersion", value: "7" });
  const entries = patched.patch[1]?.value as { manager: string; fieldsV1: object }[];
  assert.deepEqual(
    entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
    [
      [
        "pulumi-proxies",
        { "f:spec": { "f:ours": {}, "f:ports": { 'k:{"port":22,"protocol":"TCP"}': { "f:port": {} } } } },
      ],
      ["kept-kubectl-rollout", { "f:spec": { "f:paused": {} } }],
    ],
  );
});

test("drift: warn keeps what others added even when another change updates the object", async () => {
  const drift = world(drifted([ADDED]), { drift: "warn" });
  const { cluster } = await runProxy({ world: drift }, async (_proxy, running) => {
    assert.equal(await running.runHook("claim Service dc-east"), "");
  });
  const entries = cluster.patched[0]?.patch[1]?.value as { manager: string; fieldsV1: object }[];
  assert.deepEqual(
    entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
    [
      ["pulumi-proxies", OURS.fieldsV1],
      ["kept-kubectl-edit", ADDED.fieldsV1],
    ],
  );
});

test("a preview asks what the manifest comes to alone, under another name, and shows it as the API server writes it", async () => {
  const { registrations, cluster } = await runProxy({
    preview: true,
    args: { ...REF, resources: { limits: { cpu: "0.5" } } },
    world: {
      lists: { Deployment: found([drifted([ADDED])]) },
      served: found(
        ours({}, { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 7, paused: false } }),
      ),
    },
  });
  const [asked, ...more] = cluster.tried;
  assert.equal(more.length, 0);
  assert.equal(asked?.what, "Deployment in proxies");
  const { name, generateName } = (asked.manifest as { metadata: { name?: string; generateName: string } })
    .metadata;
  assert.deepEqual([name, generateName], [undefined, "dc-east-"]);
  const { spec } = reveal(the({ registrations }, "Deployment").inputs) as { spec: object };
  assert.deepEqual(spec, { replicas: 7 });
});

test("where the API server does not take the manifest alone, the provider is left to say why", async () => {
  const recorded = await runProxy({
    preview: true,
    world: { ...world(drifted([ADDED], "3")), served: FORBIDDEN },
  });
  assert.equal(metadata(the(recorded, "Service")).annotations[REPAIRS], "4");
});

test("an update asks for no dry run, nor does a preview without drift", async () => {
  assert.deepEqual((await runProxy({ world: world(drifted([ADDED])) })).cluster.tried, []);
  assert.deepEqual((await runProxy({ preview: true, world: world(drifted([])) })).cluster.tried, []);
  const warn = world(drifted([ADDED]), { drift: "warn" });
  assert.deepEqual((await runProxy({ preview: true, world: warn })).cluster.tried, []);
});

const hidden: [string, pulumi.Output<string>, object][] = [
  ["secret", pulumi.secret("s"), { metadata: "[secret]", spec: "[secret]" }],
  ["not known yet", pulumi.output(pulumi.unknown as never), { metadata: UNKNOWN, spec: UNKNOWN }],
];

for (const [what, value, shown] of hidden) {
  test(`a repair in a preview keeps what is ${what}`, async () => {
    const { registrations } = await run(true, () => {
      const { zone } = openZone(true, world(drifted([ADDED])));
      new Proxy("dc-east", { ...REF, zone, env: [{ name: "A", value }] });
    });
    const { metadata: of, spec } = inClear(the({ registrations }, "Service").inputs) as Record<
      string,
      unknown
    >;
    assert.deepEqual({ metadata: of, spec }, shown);
  });
}
