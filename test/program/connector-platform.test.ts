// What a connector says of its registration, and what it tells the engine of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type { Outcome } from "../../components/connector/registration/outcome.ts";
import { Connector, type ConnectorArgs } from "../../components/index.ts";
import { type Args, before, told } from "./support/connector.ts";
import { inClear, reveal, run, the } from "./support/engine.ts";
import { openZone, type World } from "./support/zone.ts";

const CANARY = "c4n4ry";
const TIME = "2026-06-01T00:00:00Z";
const REGISTERED: Outcome = { outcome: "registered", uuid: "u-1", status: "connected", registeredAt: TIME };
const DOWN: Outcome = { outcome: "unavailable", phrase: "the connection was refused" };

const REGISTRATION = {
  platformUrl: "http://core.ilm.svc.cluster.local:8080/api",
  name: "X.509",
  authType: "none",
} as const;

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
