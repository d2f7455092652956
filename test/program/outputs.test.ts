import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxyArgs } from "../../components/index.ts";
import { REF, runProxy } from "./support/proxy.ts";
import {
  deployment,
  FORBIDDEN,
  found,
  jwt,
  MISSING,
  secret,
  UNREACHABLE,
  type World,
} from "./support/zone.ts";

interface Row {
  when: string;
  args?: Omit<ProxyArgs, "zone">;
  world?: World;
  preview?: boolean;
  phase: string;
  degraded: string;
  ready: number;
  /** How often the logs warn. */
  warnings: number;
}

/** A world in which this Deployment stood before the run and stands after it. */
const standing = (object: ReturnType<typeof deployment>, world: World = {}): World => ({
  ...world,
  lists: { Deployment: found([object]), ...world.lists },
  reads: { "Deployment/dc-east": found(object), ...world.reads },
});
const token = (exp: number): NonNullable<World["reads"]> => ({
  "Secret/dc-east-config": found(secret("dc-east-config", { configToken: jwt(exp) })),
});
const impatient = { ...REF, referenceTimeoutSeconds: 0 };

/** Branches in which a preview and an update say the same. */
const rows: Row[] = [
  {
    when: "it runs",
    world: standing(deployment(1, 1)),
    phase: "Running",
    degraded: "False/Running",
    ready: 1,
    warnings: 0,
  },
  {
    when: "2/3 are ready",
    args: { ...REF, replicas: 3 },
    world: standing(deployment(2, 3)),
    phase: "Updating",
    degraded: "False/ConfigHealthy",
    ready: 2,
    warnings: 1,
  },
  {
    when: "replicas is 0",
    args: { ...REF, replicas: 0 },
    world: standing(deployment(0, 0)),
    phase: "ScaledDown",
    degraded: "False/ConfigHealthy",
    ready: 0,
    warnings: 0,
  },
  {
    when: "the token has expired",
    world: standing(deployment(1, 1), { reads: token(1) }),
    phase: "Running",
    degraded: "True/ConfigTokenExpired",
    ready: 1,
    warnings: 1,
  },
  {
    when: "the Secret is missing",
    args: impatient,
    world: standing(deployment(1, 1), { reads: { "Secret/dc-east-config": MISSING } }),
    phase: "Failed",
    degraded: "True/MissingSecret",
    ready: 1,
    warnings: 1,
  },
  {
    when: "the token's key is missing",
    args: impatient,
    world: standing(deployment(1, 1), {
      reads: { "Secret/dc-east-config": found(secret("dc-east-config", {})) },
    }),
    phase: "Failed",
    degraded: "True/MissingTokenKey",
    ready: 1,
    warnings: 1,
  },
  {
    when: "the Secret may not be read",
    world: standing(deployment(1, 1), { reads: { "Secret/dc-east-config": FORBIDDEN } }),
    phase: "Running",
    degraded: "Unknown/ReferenceUnreadable",
    ready: 1,
    warnings: 1,
  },
  {
    when: "the Secret can't be reached",
    world: standing(deployment(1, 1), { reads: { "Secret/dc-east-config": UNREACHABLE } }),
    phase: "Running",
    degraded: "Unknown/ReferenceUnreadable",
    ready: 1,
    warnings: 1,
  },
  {
    when: "a reserved variable is set",
    args: { ...REF, env: [{ name: "PROXY_CONFIG_TOKEN", value: "x" }] },
    world: standing(deployment(1, 1)),
    phase: "Running",
    degraded: "False/Running",
    ready: 1,
    warnings: 1,
  },
  {
    when: "the Deployment can't be read",
    preview: true,
    world: { lists: { Deployment: FORBIDDEN } },
    phase: "Unknown",
    degraded: "False/ConfigHealthy",
    ready: 0,
    warnings: 0,
  },
  {
    when: "the whole cluster can't be read",
    preview: true,
    world: {
      lists: Object.fromEntries(
        ["Deployment", "Service", "ServiceAccount", "NetworkPolicy"].map((kind) => [kind, UNREACHABLE]),
      ),
      reads: { "Secret/dc-east-config": UNREACHABLE },
    },
    phase: "Unknown",
    degraded: "Unknown/ReferenceUnreadable",
    ready: 0,
    warnings: 0,
  },
];

for (const { when, args, world, preview: only, phase, degraded, ready, warnings } of rows) {
  for (const preview of only === undefined ? [true, false] : [only]) {
    test(`every output resolves when ${when}, in ${preview ? "a preview" : "an update"}`, async () => {
      const { outputs, logs, exitCode } = await runProxy({
        preview,
        ...(args && { args }),
        ...(world && { world }),
      });
      assert.equal(outputs.phase, phase);
      assert.equal(outputs.readyReplicas, ready);
      const condition = outputs.conditions.find(({ type }) => type === "Degraded");
      assert.equal(`${condition?.status}/${condition?.reason}`, degraded);
      assert.equal(outputs.observedVersion, "1.0.0");
      assert.equal(outputs.url, "http://dc-east.proxies.svc.cluster.local:8080");
      assert.equal(outputs.apiUrl, "http://dc-east.proxies.svc.cluster.local:8081");
      assert.equal(
        logs.filter(({ severity }) => severity === "warning").length,
        warnings,
        JSON.stringify(logs),
      );
      assert.deepEqual(
        logs.filter(({ severity }) => severity === "error"),
        [],
      );
      assert.equal(exitCode, undefined);
    });
  }
}

test("a preview of a new proxy says Deploying, without a warning", async () => {
  const { outputs, logs } = await runProxy({ preview: true });
  assert.equal(outputs.phase, "Deploying");
  assert.equal(outputs.readyReplicas, 0);
  assert.deepEqual(logs, []);
});

test("a preview says what stands now, not what a read after it would give", async () => {
  const { outputs, cluster } = await runProxy({
    preview: true,
    world: { lists: { Deployment: found([deployment(0, 1)]) } },
  });
  assert.equal(outputs.phase, "Deploying");
  assert.equal(cluster.asked.includes("Deployment/dc-east"), false);
});

test("an update says what stands after the registration", async () => {
  const { outputs } = await runProxy({ world: { lists: { Deployment: found([deployment(0, 1)]) } } });
  assert.equal(outputs.phase, "Running");
  assert.equal(outputs.readyReplicas, 1);
});

test("an update whose Deployment is gone again says Deploying", async () => {
  const { outputs } = await runProxy({ world: { reads: { "Deployment/dc-east": MISSING } } });
  assert.equal(outputs.phase, "Deploying");
});

test("the summary is one line of what the outputs say", async () => {
  const { outputs } = await runProxy({ args: { ...REF, image: { tag: "9.9.9" } } });
  assert.equal(outputs.summary, "Running, 1/1 ready, version 9.9.9, token valid until 2028-01-01T00:00:00Z");
});

test("a token is told of as long before its end as the args say", async () => {
  const reason = async (tokenExpiryWarning?: string): Promise<string | undefined> => {
    const args = { ...REF, tokenExpiryWarning };
    const { outputs } = await runProxy({ args });
    return outputs.conditions.find(({ type }) => type === "TokenExpiring")?.reason;
  };
  assert.equal(await reason(), "ConfigTokenValid");
  assert.equal(await reason("1y"), "ConfigTokenExpiring");
  assert.equal(await reason("52w"), "ConfigTokenValid");
});

test("a condition keeps its time as long as its status is that of the run before", async () => {
  const previous = new Map([
    [
      "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy::dc-east",
      {
        conditions: [
          { type: "Available", status: "True", lastTransitionTime: "2026-06-01T00:00:00Z" },
          { type: "Degraded", status: "True", lastTransitionTime: "2026-06-01T00:00:00Z" },
        ],
      },
    ],
    [
      "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy::other",
      { conditions: [{ type: "Progressing", status: "False", lastTransitionTime: "2026-06-01T00:00:00Z" }] },
    ],
  ]);
  for (const preview of [true, false]) {
    const { outputs } = await runProxy({
      preview,
      world: standing(deployment(1, 1), { parts: { previous } }),
    });
    assert.deepEqual(
      outputs.conditions.map(({ type, lastTransitionTime }) => `${type} ${lastTransitionTime}`),
      [
        "Progressing 2027-01-01T00:00:00Z",
        "Available 2026-06-01T00:00:00Z",
        "Degraded 2027-01-01T00:00:00Z",
        "TokenExpiring 2027-01-01T00:00:00Z",
      ],
    );
  }
});

test("an image of one's own is what the version tells", async () => {
  const { outputs } = await runProxy({ args: { ...REF, image: { tag: "9.9.9" } } });
  assert.equal(outputs.observedVersion, "9.9.9");
});

test("addresses follow the cluster's domain", async () => {
  const { outputs } = await runProxy({ world: { parts: { clusterDomain: "k8s.example" } } });
  assert.equal(outputs.url, "http://dc-east.proxies.svc.k8s.example:8080");
});
