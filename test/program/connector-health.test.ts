// What a connector says of its health, and whom it asks.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpAnswer, KubeObject } from "../../components/cluster/cluster.ts";
import { before, told } from "./support/connector.ts";
import { FORBIDDEN, found, type World } from "./support/zone.ts";

const TIME = "2026-06-01T00:00:00Z";
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
