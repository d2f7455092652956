import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Cluster,
  DEPLOYMENTS,
  type KubeObject,
  type Outcome,
  SECRETS,
  SERVICE_MONITORS,
  SERVICES,
} from "../../components/cluster/cluster.ts";
import { mergeDefaults } from "../../components/zone/config.ts";
import { Zone, type ZoneParts } from "../../components/zone/zone.ts";

const object = (name: string): KubeObject => ({ metadata: { name, namespace: "proxies" } });
const found = <T>(value: T): Outcome<T> => ({ outcome: "found", value });
const forbidden = { outcome: "forbidden", detail: "User x cannot list" } as const;

/** A zone of these parts; what a test does not name is not there. */
function zone(
  parts: Partial<ZoneParts> & { reads?: Outcome<KubeObject>[] } = {},
): Zone & { asked: string[] } {
  const { reads = [], ...given } = parts;
  const asked: string[] = [];
  const get: Cluster["get"] = (resource, namespace, name) => {
    asked.push(`${resource.kind} ${namespace}/${name}`);
    return Promise.resolve(reads[Math.min(asked.length, reads.length) - 1] ?? { outcome: "missing" });
  };
  const made = new Zone({
    name: "prod-dc-east",
    project: "pulumi-proxies",
    formerStacks: [],
    namespace: "proxies",
    defaults: {},
    dryRun: false,
    observed: { namespaceExists: true, lists: new Map(), secrets: new Map() },
    cluster: { get } as Partial<Cluster> as Cluster,
    ...given,
  } as Partial<ZoneParts> as ZoneParts);
  return Object.assign(made, { asked });
}

const observed = (
  lists: Record<string, Outcome<KubeObject[]>>,
  secrets: Record<string, Outcome<KubeObject>> = {},
) => ({
  observed: {
    namespaceExists: true,
    lists: new Map(Object.entries(lists)),
    secrets: new Map(Object.entries(secrets)),
  },
});

test("a live object is found by kind and name", () => {
  const lists = { Deployment: found([object("a"), object("b")]), Service: found([object("c")]) };
  const at = zone(observed(lists));
  assert.deepEqual(at.live(DEPLOYMENTS, "b"), { state: "found", object: object("b") });
  assert.deepEqual(at.live(DEPLOYMENTS, "c"), { state: "absent" });
  assert.deepEqual(at.live(SERVICES, "c"), { state: "found", object: object("c") });
});

test("unknown is not absent", () => {
  const unreachable = { outcome: "unreachable", detail: "ECONNREFUSED" } as const;
  const at = zone(observed({ Deployment: forbidden, Service: unreachable }, { s: forbidden }));
  assert.deepEqual(at.live(DEPLOYMENTS, "a"), { state: "unknown", detail: "User x cannot list" });
  assert.deepEqual(at.live(SERVICES, "a"), { state: "unknown", detail: "ECONNREFUSED" });
  assert.deepEqual(at.live(SECRETS, "s"), { state: "unknown", detail: "User x cannot list" });
});

test("objects of a kind that the cluster does not serve are absent", () => {
  const at = zone(observed({ ServiceMonitor: { outcome: "missing" } }));
  assert.deepEqual(at.live(SERVICE_MONITORS, "a"), { state: "absent" });
});

test("Secrets are known by name, and one that nobody asked for is unknown, with the remedy", () => {
  const at = zone(observed({}, { there: found(object("there")), gone: { outcome: "missing" } }));
  assert.deepEqual(at.live(SECRETS, "there"), { state: "found", object: object("there") });
  assert.deepEqual(at.live(SECRETS, "gone"), { state: "absent" });
  const other = at.live(SECRETS, "other");
  assert.equal(other.state, "unknown");
  assert.match(other.detail, /openZone\(config, \{ ownedSecrets: \["other"\] \}\)/);
});

test("whether a kind is served is yes, no or unknown", () => {
  const serves = (list: Outcome<KubeObject[]>) =>
    zone(observed({ ServiceMonitor: list })).serves(SERVICE_MONITORS);
  assert.equal(serves(found([])), "yes");
  assert.equal(serves({ outcome: "missing" }), "no");
  assert.equal(serves(forbidden), "unknown");
  assert.equal(serves({ outcome: "unreachable", detail: "" }), "unknown");
});

test("a zone owns what carries its name, or one that it had before", () => {
  const renamed = zone({ formerStacks: ["old-project/old"] });
  assert.deepEqual(renamed.formerOwners("Proxy", "dc-east"), ["old-project/old/Proxy/dc-east"]);
  const owns = (owner: string): boolean => renamed.owns(owner);
  assert.deepEqual(
    [renamed.owner("Proxy", "x"), "old-project/old/Proxy/x", "old-project/older/Proxy/x"].map(owns),
    [true, true, false],
  );
});

test("an owner is project, stack, kind and name", () => {
  assert.equal(zone().owner("Proxy", "dc-east"), "pulumi-proxies/prod-dc-east/Proxy/dc-east");
});

test("an object can be rendered by one component only", () => {
  const at = zone();
  assert.equal(at.reserve(DEPLOYMENTS, "a", "first"), undefined);
  assert.equal(at.reserve(DEPLOYMENTS, "a", "second"), "first");
  assert.equal(at.reserve(SERVICES, "a", "second"), undefined);
  assert.equal(at.reserve(DEPLOYMENTS, "b", "second"), undefined);
});

test("the bill of materials names the image, and the zone's goes field by field before it", () => {
  assert.deepEqual(zone().image("proxy"), {
    registry: "hub.omnitrustregistry.com",
    repository: "ilm",
    name: "proxy",
    tag: "1.0.0",
  });
  assert.deepEqual(
    zone({ defaults: { billOfMaterials: { proxy: { tag: "1.1.0" }, other: { tag: "9" } } } }).image("proxy"),
    {
      registry: "hub.omnitrustregistry.com",
      repository: "ilm",
      name: "proxy",
      tag: "1.1.0",
    },
  );
});

const ready = () => true;

test("a referenced object is read once per run, in the zone's namespace", async () => {
  const at = zone({ reads: [found(object("s"))] });
  const both = await Promise.all([
    at.readReference("Secret", "s", 0, ready),
    at.readReference("Secret", "s", 0, ready),
  ]);
  assert.deepEqual(both, [found(object("s")), found(object("s"))]);
  assert.deepEqual(at.asked, ["Secret proxies/s"]);
});

test("a Secret and a ConfigMap of one name are read apart", async () => {
  const at = zone({ reads: [found(object("s"))] });
  await at.readReference("Secret", "s", 0, ready);
  await at.readReference("ConfigMap", "s", 0, ready);
  assert.deepEqual(at.asked, ["Secret proxies/s", "ConfigMap proxies/s"]);
});

test("a missing object is waited for in an update", async () => {
  const at = zone({ reads: [{ outcome: "missing" }, found(object("s"))] });
  assert.deepEqual(await at.readReference("Secret", "s", 3, ready), found(object("s")));
  assert.equal(at.asked.length, 2);
});

const impatient: [string, Partial<ZoneParts>, number, Outcome<KubeObject>][] = [
  ["in a preview", { dryRun: true }, 30, { outcome: "missing" }],
  [
    "in a namespace that is not there yet",
    { observed: { namespaceExists: false, lists: new Map(), secrets: new Map() } },
    30,
    { outcome: "missing" },
  ],
  ["when nobody wants to wait", {}, 0, { outcome: "missing" }],
  ["when it may not be read", {}, 30, forbidden],
  ["when the cluster can't be reached", {}, 30, { outcome: "unreachable", detail: "" }],
];

for (const [when, parts, seconds, outcome] of impatient) {
  test(`a referenced object is read once ${when}`, async () => {
    const at = zone({ ...parts, reads: [outcome] });
    assert.deepEqual(await at.readReference("Secret", "s", seconds, ready), outcome);
    assert.equal(at.asked.length, 1);
  });
}

test("an object that is not ready is given back as it is when the time is up", async () => {
  const at = zone({ reads: [found(object("s"))] });
  assert.deepEqual(await at.readReference("Secret", "s", 0, () => false), found(object("s")));
});

test("merging defaults leaves both sides as they were", () => {
  const general = { labels: { a: "1" }, image: { registry: "r" } };
  const own = { labels: { b: "2" } };
  assert.deepEqual(mergeDefaults(general, own).labels, { a: "1", b: "2" });
  assert.deepEqual(mergeDefaults(general, undefined).image, { registry: "r" });
  assert.deepEqual(
    [general, own],
    [{ labels: { a: "1" }, image: { registry: "r" } }, { labels: { b: "2" } }],
  );
});

test("an empty list of tolerations in a zone takes those of all zones away", () => {
  assert.deepEqual(mergeDefaults({ tolerations: [{ key: "a" }] }, { tolerations: [] }).tolerations, []);
  assert.deepEqual(mergeDefaults({ tolerations: [{ key: "a" }] }, {}).tolerations, [{ key: "a" }]);
});
