// What a connector says of its health and its registration, and what it tells the engine of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type { HttpAnswer, KubeObject } from "../../components/cluster/cluster.ts";
import type { Outcome } from "../../components/connector/registration/outcome.ts";
import { Connector, type ConnectorArgs } from "../../components/index.ts";
import { inClear, type Recorded, reveal, run, the, valueOf } from "./support/engine.ts";
import { connectorRunning, FORBIDDEN, found, openZone, type World } from "./support/zone.ts";

const CANARY = "c4n4ry";
const URN = "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Connector::dc-east";
const REGISTRATION_URN = URN.replace("Connector::", "Connector$pulumi-nodejs:dynamic/proxies:Registration::");
const TIME = "2026-06-01T00:00:00Z";
const REGISTERED: Outcome = { outcome: "registered", uuid: "u-1", status: "connected", registeredAt: TIME };
const DOWN: Outcome = { outcome: "unavailable", phrase: "the connection was refused" };

const REGISTRATION = {
  platformUrl: "http://core.ilm.svc.cluster.local:8080/api",
  name: "X.509",
  authType: "none",
} as const;

interface Told {
  summary: string;
  conditions: Record<string, string>;
  healthy: string | undefined;
  registration: unknown;
  warnings: string[];
  infos: string[];
  asked: string[];
  recorded: Recorded;
}

type Args = Partial<Omit<ConnectorArgs, "zone">>;

/** Runs a program of one connector that runs, and of which a run before has told what `world.parts.previous` has. */
async function told(preview: boolean, args: Args, world: World = {}, outcome?: Outcome): Promise<Told> {
  let seen: Omit<Told, "warnings" | "infos" | "recorded"> | undefined;
  const body = async (): Promise<void> => {
    const { zone, cluster } = openZone(preview, { ...connectorRunning(), ...world });
    const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };
    const connector = new Connector("dc-east", { image, ...args, zone });
    const conditions = await valueOf(connector.conditions);
    seen = {
      summary: await valueOf(connector.summary),
      conditions: Object.fromEntries(
        conditions.map(({ type, status, reason }) => [type, `${status}/${reason}`]),
      ),
      healthy: await valueOf(connector.healthy),
      registration: await valueOf(connector.registration),
      asked: cluster.asked.filter((what) => what.includes(":")),
    };
  };
  const recorded = await run(preview, body, undefined, undefined, outcome);
  assert.ok(seen);
  const said = (wanted: string): string[] =>
    recorded.logs.flatMap(({ severity, message }) => (severity === wanted ? [message] : []));
  return { ...seen, warnings: said("warning"), infos: said("info"), recorded };
}

const UP: HttpAnswer = {
  outcome: "answered",
  status: 200,
  headers: {},
  body: Buffer.from('{"status":"UP"}'),
};
const pod = (name: string, ready: boolean): KubeObject => ({
  metadata: { name },
  status: { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
});
const ANSWERING: World = {
  pods: found([pod("x-c", true), pod("x-a", false), pod("x-b", true)]),
  answers: { "/v2/health": UP },
};
const before = (conditions: object[], registration?: unknown): World => ({
  parts: {
    previous: new Map([
      [URN, { conditions: conditions as never }],
      ...(registration === undefined
        ? []
        : ([[REGISTRATION_URN, { conditions: [], registration }]] as const)),
    ]),
  },
});
const HEALTHY = { type: "Healthy", status: "False", reason: "Down", message: "m", lastTransitionTime: TIME };

test("an update asks the first ready pod, on the port of the Service", async () => {
  const { conditions, healthy, summary, asked } = await told(false, { service: { port: 8443 } }, ANSWERING);
  assert.equal(conditions["Healthy"], "True/Up");
  assert.equal(healthy, "True");
  assert.equal(summary, "Running, 1/1 ready, version 1.3.1, healthy");
  assert.deepEqual(asked, ["x-b:8443/v2/health"]);
});

test("a connector that has no ready pod, or whose pods may not be listed, gives no answer, with one warning", async () => {
  const none = await told(false, {}, { pods: found([pod("x", false)]) });
  assert.equal(none.conditions["Healthy"], "Unknown/NoAnswer");
  assert.deepEqual(none.warnings, ["health NoAnswer: /v2/health gave no answer: none of its pods is ready"]);
  const forbidden = await told(false, {}, { pods: FORBIDDEN });
  assert.deepEqual(forbidden.warnings, [`health NoAnswer: /v2/health gave no answer: ${FORBIDDEN.detail}`]);
});

test("a connector whose check is off is not asked, and has no such condition", async () => {
  for (const preview of [true, false]) {
    const { conditions, healthy, asked } = await told(
      preview,
      { healthCheck: { enabled: false } },
      before([HEALTHY]),
    );
    assert.equal(conditions["Healthy"], undefined);
    assert.equal(healthy, undefined);
    assert.deepEqual(asked, []);
  }
});

test("a preview asks nobody, and repeats what the run before was told", async () => {
  const { conditions, warnings, asked } = await told(true, {}, { ...ANSWERING, ...before([HEALTHY]) });
  assert.equal(conditions["Healthy"], "False/Down");
  assert.deepEqual(warnings, ["health Down: m"]);
  assert.deepEqual(asked, []);
  const first = await told(true, {}, ANSWERING);
  assert.equal(first.conditions["Healthy"], "Unknown/NotAsked");
  assert.deepEqual(first.warnings, []);
});

const OFF = { healthCheck: { enabled: false } };

test("what comes of registering is a condition, an output and the summary", async () => {
  const registered = await told(false, { ...OFF, registration: REGISTRATION }, {}, REGISTERED);
  assert.equal(registered.conditions["Degraded"], "False/Running");
  assert.deepEqual(registered.registration, { uuid: "u-1", status: "connected", registeredAt: TIME });
  assert.equal(registered.summary, "Running, 1/1 ready, version 1.3.1, registered");
  assert.deepEqual(registered.warnings, []);

  const refused: Outcome = { outcome: "rejected", code: 403 };
  const { conditions, registration } = await told(false, { ...OFF, registration: REGISTRATION }, {}, refused);
  assert.equal(conditions["Degraded"], "True/RegistrationFailed");
  assert.deepEqual(registration, { status: "failed" });

  const none = await told(false, OFF);
  assert.equal(none.registration, undefined);
  assert.equal(none.recorded.registrations.filter(({ type }) => type.includes("Registration")).length, 0);
});

test("a platform that is down is one warning, and a failure only where registration is required", async () => {
  const text = "the connector is not registered yet: the connection was refused; the next run tries again";
  const { summary, conditions, warnings, recorded } = await told(
    false,
    { ...OFF, registration: REGISTRATION },
    {},
    DOWN,
  );
  assert.equal(summary, "Running, 1/1 ready, version 1.3.1, not registered");
  assert.equal(conditions["Degraded"], "True/RegistrationFailed");
  assert.deepEqual(warnings, [`RegistrationFailed: ${text}`]);
  assert.equal(recorded.exitCode ?? 0, 0);

  const registration = { ...REGISTRATION, required: true };
  const failed = await told(false, { ...OFF, registration }, {}, DOWN);
  assert.equal(failed.recorded.exitCode, 32);
  assert.deepEqual(
    failed.recorded.logs.flatMap(({ severity, message }) => (severity === "error" ? [message] : [])),
    [`registration is required: ${text}`],
  );
});

test("a preview has the registration of the run before, says whether this run asks, and never fails for it", async () => {
  const known = (outcome: Outcome, generation = 1): World =>
    before([], { generation, outcome, platformUrl: REGISTRATION.platformUrl });
  const registration = { ...REGISTRATION, required: true };
  const ASKS = ["registration: this run asks the platform to register the connector"];
  const cases: [World, ConnectorArgs["registration"], string[], unknown][] = [
    [known(REGISTERED), registration, [], { uuid: "u-1", status: "connected", registeredAt: TIME }],
    [
      known(REGISTERED),
      { ...registration, generation: 2 },
      ASKS,
      { uuid: "u-1", status: "connected", registeredAt: TIME },
    ],
    [known(DOWN), registration, ASKS, undefined],
    [before([]), registration, ASKS, undefined],
    [{}, registration, [], undefined],
    [before([], { generation: "damaged" }), registration, ASKS, undefined],
  ];
  for (const [world, args, infos, expected] of cases) {
    const seen = await told(true, { ...OFF, registration: args }, world);
    assert.deepEqual(seen.infos, infos);
    assert.deepEqual(seen.registration, expected);
    assert.equal(seen.recorded.exitCode ?? 0, 0);
  }
});

test("a registration of which only the state knows is a warning", async () => {
  const { platformUrl } = REGISTRATION;
  const known = {
    generation: 1,
    outcome: REGISTERED,
    platformUrl,
    unrecorded: "its record may not be written",
  };
  const { warnings } = await told(true, { ...OFF, registration: REGISTRATION }, before([], known));
  assert.deepEqual(warnings, [
    "registration: what came of it stands in the state alone, since its record may not be written; until a run has " +
      "written it, a lost state loses it",
  ]);
});

test("secrets of a registration stay with it: they are secret there, and nothing of the workload becomes so", async () => {
  const { recorded } = await told(
    false,
    {
      ...OFF,
      registration: {
        ...REGISTRATION,
        authAttributes: [
          { name: "user", content: "u" },
          { name: "key", content: pulumi.secret({ nested: CANARY }) },
        ],
        credentials: { bearerToken: CANARY },
      },
    },
    {},
    REGISTERED,
  );
  for (const { type, inputs } of recorded.registrations.filter(
    ({ type: of }) => !of.includes("Registration"),
  ))
    assert.deepEqual(inClear(inputs), reveal(inputs), `${type} holds a secret`);
  const { inputs } = the(recorded, "Registration");
  assert.doesNotMatch(JSON.stringify(inClear(inputs)), new RegExp(CANARY));
  const { authAttributes, credentials, platformUrl, name, generation } = inClear(inputs) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    [authAttributes, credentials, platformUrl, name, generation],
    [
      [
        { name: "user", content: "u" },
        { name: "key", content: "[secret]" },
      ],
      "[secret]",
      REGISTRATION.platformUrl,
      "X.509",
      1,
    ],
  );
  assert.match(JSON.stringify(reveal(inputs)), new RegExp(`"nested":"${CANARY}"`));
});

test("a platform in another namespace of the cluster gets through the NetworkPolicy, once; one outside is not guessed", async () => {
  const peers = async (args: Args): Promise<unknown[]> => {
    const { recorded } = await told(false, { ...OFF, ...args }, {}, REGISTERED);
    const { spec } = reveal(the(recorded, "NetworkPolicy").inputs) as {
      spec: { ingress: { from: unknown[] }[] };
    };
    return spec.ingress[0]?.from ?? [];
  };
  const own = { podSelector: {} };
  const ilm = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ilm" } } };
  const at = (platformUrl: string): Args => ({ registration: { ...REGISTRATION, platformUrl } });
  assert.deepEqual(await peers({ registration: REGISTRATION }), [own, ilm]);
  assert.deepEqual(await peers({ ...at("https://core.ilm.svc/api"), networkPolicy: { allowFrom: [ilm] } }), [
    own,
    ilm,
  ]);
  assert.deepEqual(await peers(at("http://core.proxies.svc/api")), [own]);
  assert.deepEqual(await peers(at("https://ilm.example.com/api")), [own]);
});

test("an address without /api is a warning in every run, and so are credentials in clear on the network", async () => {
  const registration = {
    ...REGISTRATION,
    platformUrl: "http://ilm.example.com",
    credentials: { bearerToken: CANARY },
  };
  const { warnings } = await told(false, { ...OFF, registration }, {}, REGISTERED);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? "", /^registration\.platformUrl does not end in \/api/);
  assert.match(warnings[1] ?? "", /in clear/);
});

test("a wrong registration is refused before anything is made, each problem by its path", async () => {
  let error: unknown;
  const { registrations } = await run(false, () => {
    const { zone } = openZone(false, {});
    try {
      new Connector("dc-east", {
        image: { repository: "a", tag: "1" },
        registration: {
          platformUrl: "core",
          name: "x",
          authType: "oauth" as never,
          generation: 0,
          credentials: { basic: { username: "u", password: CANARY }, bearerToken: CANARY },
        },
        zone,
      });
    } catch (thrown) {
      error = thrown;
    }
  });
  const text = String(error);
  for (const field of ["platformUrl", "authType", "generation", "credentials"])
    assert.match(text, new RegExp(`dc-east\\.registration\\.${field}: `));
  assert.doesNotMatch(text, new RegExp(CANARY));
  assert.deepEqual(
    registrations.filter(({ type }) => !type.startsWith("pulumi:")).map(({ type }) => type),
    ["proxies:index:Connector"],
  );
});
