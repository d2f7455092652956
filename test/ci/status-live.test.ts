import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetDocument } from "../../ci/status/document.ts";
import { liveRow } from "../../ci/status/live.ts";
import { rowsOf } from "../../ci/status/rows.ts";
import type { KubeObject } from "../../components/cluster/cluster.ts";
import { at, NOW, proxy } from "./status-fleet.ts";

const DAY = 86_400_000;

interface Pods {
  desired?: number;
  ready?: number;
  updated?: number;
  image?: string;
  expires?: string;
}

/** A rolled-out Deployment as the API server tells it. */
function deployment({ desired = 2, ready = desired, updated = desired, image, expires }: Pods): KubeObject {
  return {
    metadata: {
      name: "p",
      uid: "1",
      generation: 1,
      annotations: expires === undefined ? {} : { "pulumi-proxies.dev/token-expires-at": expires },
    },
    spec: {
      replicas: desired,
      template: {
        metadata: { annotations: { "otilm.com/config-checksum": "fedc" } },
        spec: { containers: [{ name: "proxy", image: image ?? "docker.io/otilm/proxy:1.4.2" }] },
      },
    },
    status: {
      observedGeneration: 1,
      replicas: desired,
      updatedReplicas: updated,
      readyReplicas: ready,
      availableReplicas: ready,
      conditions: [{ type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" }],
    },
  };
}

type Live = Parameters<typeof liveRow>[1];
const found = (pods: Pods): Live => ({ state: "found", object: deployment(pods) });
const TWO_WEEKS = 14 * DAY;

const cases: {
  when: string;
  last?: object;
  live: Live;
  warning?: number;
  shows: [phase: string, ready: string, token: string, warnings: string[]];
}[] = [
  {
    when: "all is as the last run left it",
    live: found({ expires: at(90) }),
    shows: ["Running", "2/2", "valid", []],
  },
  {
    when: "somebody scaled it to 0",
    live: found({ desired: 0, expires: at(90) }),
    shows: [
      "ScaledDown",
      "0/0",
      "valid",
      ["ScaledDown: somebody scaled it to 0; the last run left it Running"],
    ],
  },
  {
    when: "it is paused on purpose",
    last: proxy({ phase: "ScaledDown", ready: 0, days: 90 }),
    live: found({ desired: 0, expires: at(90) }),
    shows: ["ScaledDown", "0/0", "valid", []],
  },
  {
    when: "a pod turned unready",
    live: found({ ready: 1, expires: at(90) }),
    shows: ["Updating", "1/2", "valid", ["Updating: 1/2 replicas ready"]],
  },
  {
    when: "it has come up since",
    last: proxy({ phase: "Deploying", ready: 0, days: 90 }),
    live: found({ expires: at(90) }),
    shows: ["Running", "2/2", "valid", []],
  },
  {
    when: "somebody deleted its Deployment",
    live: { state: "absent" },
    shows: [
      "Deploying",
      "0/",
      "valid",
      ["DeploymentMissing: its Deployment is gone; the next run makes it anew"],
    ],
  },
  {
    when: "the cluster can't be read",
    live: { state: "unknown", detail: "no answer" },
    shows: ["Unknown", "/", "valid", []],
  },
  {
    when: "its token has come into its own, longer warning since the last run",
    live: found({ expires: at(29) }),
    warning: 30 * DAY,
    shows: [
      "Running",
      "2/2",
      "expiring",
      [
        `ConfigTokenExpiring: the config token expires at ${at(29)}; have a new one issued and put it in place before`,
      ],
    ],
  },
  {
    when: "a shorter warning has not come yet",
    live: found({ expires: at(9) }),
    warning: 2 * DAY,
    shows: ["Running", "2/2", "valid", []],
  },
  {
    when: "its token has expired",
    live: found({ expires: at(-1) }),
    shows: [
      "Running",
      "2/2",
      "expired",
      [
        `ConfigTokenExpired: the config token expired at ${at(-1)}; have a new one issued and put it in place`,
      ],
    ],
  },
  {
    when: "the annotation is no time",
    live: found({ expires: "soon" }),
    shows: ["Running", "2/2", "none", []],
  },
  {
    when: "the last run missed its Secret, which is not looked for",
    last: proxy({ phase: "Failed", days: 90, degraded: ["MissingSecret", 'Secret "s" not found'] }),
    live: found({ expires: at(90) }),
    shows: ["Running", "2/2", "valid", ['MissingSecret: Secret "s" not found (when the last run looked)']],
  },
];

for (const { when, last = proxy({ days: 90 }), live, warning = TWO_WEEKS, shows } of cases) {
  test(`the live row when ${when}`, () => {
    const [row] = rowsOf("z", { proxies: { p: last } }, NOW);
    assert.ok(row);
    const now = liveRow(row, live, warning, NOW);
    const ready = `${now.ready ?? ""}/${now.desired ?? ""}`;
    assert.deepEqual([now.phase, ready, now.token, now.warnings], shows);
    assert.equal(now.tokenWarningDays, warning / DAY);
  });
}

test("version and checksum are those of the pods", () => {
  const [row] = rowsOf("z", { proxies: { p: proxy() } }, NOW);
  assert.ok(row);
  for (const [image, version] of [
    ["registry:5000/otilm/proxy:2.0.0", "2.0.0"],
    ["registry:5000/otilm/proxy@sha256:ab", "sha256:ab"],
    ["registry:5000/otilm/proxy:2.0.0@sha256:ab", "sha256:ab"],
    ["registry:5000/otilm/proxy", "1.4.2"],
  ] as const) {
    const now = liveRow(row, found({ image }), TWO_WEEKS, NOW);
    assert.equal(now.version, version);
    assert.equal(now.configChecksum, "fedc");
  }
});

test("a condition that stays keeps its time", () => {
  const [row] = rowsOf("z", { proxies: { p: proxy({ days: 90 }) } }, NOW);
  assert.ok(row);
  const times = liveRow(row, found({ ready: 1, expires: at(90) }), TWO_WEEKS, NOW).conditions.map(
    ({ type, lastTransitionTime }) => `${type} ${lastTransitionTime}`,
  );
  assert.deepEqual(times, [
    "Progressing 2026-11-29T12:00:00Z",
    "Available 2026-11-01T08:00:00Z",
    "Degraded 2026-11-01T08:00:00Z",
    "TokenExpiring 2026-11-01T08:00:00Z",
  ]);
});

test("a connector that somebody has scaled away says so in its own words", () => {
  const [row] = rowsOf("z", { connectors: { p: proxy() } }, NOW);
  assert.ok(row);
  const { kind, phase, warnings, conditions } = liveRow(
    row,
    { state: "found", object: deployment({ desired: 0 }) },
    14 * DAY,
    NOW,
  );
  assert.deepEqual([kind, phase], ["Connector", "ScaledDown"]);
  assert.deepEqual(warnings, ["ScaledDown: somebody scaled it to 0; the last run left it Running"]);
  assert.equal(conditions[0]?.message, "replicas is 0: the connector is paused");
});

/** The live row of a connector that the last run left like this. */
function liveConnector(degraded: [string, string] | undefined, healthy: string[], live: Live) {
  const output = proxy(degraded === undefined ? {} : { degraded }) as { conditions: object[] };
  const [status, reason, message] = healthy;
  const conditions = [
    ...output.conditions,
    ...(status === undefined
      ? []
      : [{ type: "Healthy", status, reason, message, lastTransitionTime: "2026-11-02T08:00:00Z" }]),
  ];
  const [row] = rowsOf("z", { connectors: { p: { ...output, conditions } } }, NOW);
  assert.ok(row);
  return liveRow(row, live, TWO_WEEKS, NOW);
}

test("what the last run was told of a connector's health and registration is kept, and marked", () => {
  const last = "(when the last run looked)";
  const refused = "the connector is not registered yet: the connection was refused; the next run tries again";
  const down = ["False", "Down", "the connector reports DOWN"];
  const table: [[string, string] | undefined, string[], Live, string[]][] = [
    [undefined, ["True", "Up", "the connector reports UP"], found({}), []],
    [undefined, ["Unknown", "NotRunning", "it was not asked"], found({}), []],
    [undefined, ["Unknown", "NotAsked", "a preview does not ask"], found({}), []],
    [undefined, down, found({}), [`health Down: the connector reports DOWN ${last}`]],
    [
      undefined,
      ["Unknown", "NoAnswer", "/v2/health gave no answer"],
      found({}),
      [`health NoAnswer: /v2/health gave no answer ${last}`],
    ],
    [["RegistrationFailed", refused], [], found({}), [`RegistrationFailed: ${refused} ${last}`]],
    [
      ["RegistrationFailed", refused],
      down,
      found({ ready: 1 }),
      [
        "Updating: 1/2 replicas ready",
        `RegistrationFailed: ${refused} ${last}`,
        `health Down: the connector reports DOWN ${last}`,
      ],
    ],
    [
      ["RegistrationFailed", refused],
      down,
      { state: "unknown", detail: "no answer" },
      [`RegistrationFailed: ${refused} ${last}`, `health Down: the connector reports DOWN ${last}`],
    ],
  ];
  for (const [degraded, healthy, live, warnings] of table) {
    const row = liveConnector(degraded, healthy, live);
    assert.deepEqual(row.warnings, warnings);
    const kept = row.conditions.filter(({ type }) => type === "Healthy");
    assert.deepEqual(
      kept.map(({ status, reason, lastTransitionTime }) => [status, reason, lastTransitionTime]),
      healthy.length > 0 ? [[healthy[0], healthy[1], "2026-11-02T08:00:00Z"]] : [],
    );
    assert.equal(fleetDocument([row], "live", NOW).components[0]?.conditions.length, 3 + kept.length);
  }
});
