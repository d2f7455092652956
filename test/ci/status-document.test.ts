import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetDocument, toJson, toYaml } from "../../ci/status/document.ts";
import { byUrgency } from "../../ci/status/order.ts";
import { rowsOf, unreadableZone } from "../../ci/status/rows.ts";
import { NOW } from "./status-fleet.ts";

const OUTPUT = {
  phase: "Running",
  version: "1.0.0",
  ready: 2,
  tokenExpiresAt: "2026-12-02T00:00:00Z",
  configChecksum: "abc",
  conditions: [
    {
      type: "TokenExpiring",
      status: "True",
      reason: "ConfigTokenExpiring",
      message: "the config token: soon",
      lastTransitionTime: "2026-11-18T00:00:00Z",
    },
  ],
};
const DOCUMENT = fleetDocument(
  byUrgency([...rowsOf("prod-a", { proxies: { "1": OUTPUT } }, NOW), unreadableZone("prod-b", "no stack")]),
  "outputs",
  NOW,
);

test("JSON", () => {
  assert.equal(
    toJson(DOCUMENT),
    `\
{
  "generatedAt": "2026-11-29T12:00:00Z",
  "source": "outputs",
  "counts": {
    "zones": 2,
    "components": 1,
    "phases": {
      "Running": 1
    },
    "tokensExpired": 0,
    "tokensExpiring": 1,
    "unreadableZones": 1
  },
  "components": [
    {
      "zone": "prod-a",
      "kind": "Proxy",
      "name": "1",
      "phase": "Running",
      "conditions": [
        {
          "type": "TokenExpiring",
          "status": "True",
          "reason": "ConfigTokenExpiring",
          "message": "the config token: soon",
          "lastTransitionTime": "2026-11-18T00:00:00Z"
        }
      ],
      "tokenExpiresAt": "2026-12-02T00:00:00Z",
      "version": "1.0.0",
      "ready": 2,
      "token": "expiring",
      "configChecksum": "abc",
      "warnings": [
        "ConfigTokenExpiring: the config token: soon"
      ]
    }
  ],
  "zones": [
    {
      "zone": "prod-b",
      "phase": "Unreadable",
      "warnings": [
        "no stack"
      ]
    }
  ]
}
`,
  );
});

test("YAML", () => {
  assert.equal(
    toYaml(DOCUMENT),
    `\
generatedAt: '2026-11-29T12:00:00Z'
source: outputs
counts:
  zones: 2
  components: 1
  phases:
    Running: 1
  tokensExpired: 0
  tokensExpiring: 1
  unreadableZones: 1
components:
  - zone: prod-a
    kind: Proxy
    name: '1'
    phase: Running
    conditions:
      - type: TokenExpiring
        status: 'True'
        reason: ConfigTokenExpiring
        message: 'the config token: soon'
        lastTransitionTime: '2026-11-18T00:00:00Z'
    tokenExpiresAt: '2026-12-02T00:00:00Z'
    version: 1.0.0
    ready: 2
    token: expiring
    configChecksum: abc
    warnings:
      - 'ConfigTokenExpiring: the config token: soon'
zones:
  - zone: prod-b
    phase: Unreadable
    warnings:
      - no stack
`,
  );
});
