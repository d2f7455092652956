import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProxyArgs } from "../../components/index.ts";
import { metadata, type Recorded, reveal, the } from "./support/engine.ts";
import { REF, runProxy } from "./support/proxy.ts";
import {
  DEFAULT_SECRET,
  deployment,
  FORBIDDEN,
  found,
  MISSING,
  secret,
  UNREACHABLE,
  type World,
} from "./support/zone.ts";

const GUARDED = "pulumi-proxies.dev/guarded-references";
const CANARY = "c4n4ry-s3cr3t";
const KEY = "PROXY_TOKEN_SIGNING_KEY";

const args = {
  ...REF,
  secretRefs: [
    { name: "app", type: "env" },
    { name: "other", type: "env" },
  ],
  referenceTimeoutSeconds: 0,
} satisfies Omit<ProxyArgs, "zone">;
const APP = found(secret("app", { [KEY]: CANARY, LEVEL: "1" }));
const READS = { "Secret/dc-east-config": DEFAULT_SECRET, "Secret/other": found(secret("other", {})) };

interface Wiring {
  env: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  envFrom?: object[];
}

function wiring(recorded: Recorded): { keyed: string[]; whole: object[] } {
  const { spec } = reveal(the(recorded, "Deployment").inputs) as {
    spec: { template: { spec: { containers: Wiring[] } } };
  };
  const [main] = spec.template.spec.containers;
  const from = (main?.env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef);
  return {
    keyed: from.flatMap((ref) => (ref?.name === "app" ? [ref.key] : [])),
    whole: main?.envFrom ?? [],
  };
}

const KEY_BY_KEY = { keyed: ["LEVEL"], whole: [{ secretRef: { name: "other" } }] };
const WHOLE = { keyed: [], whole: [{ secretRef: { name: "app" } }, { secretRef: { name: "other" } }] };

for (const preview of [true, false]) {
  const when = preview ? "in a preview" : "in an update";

  test(`a whole object that holds the signing key is wired without it, with one warning, ${when}`, async () => {
    const recorded = await runProxy({ preview, args, world: { reads: { ...READS, "Secret/app": APP } } });
    assert.deepEqual(wiring(recorded), KEY_BY_KEY);
    assert.equal(metadata(the(recorded, "Deployment")).annotations[GUARDED], '{"Secret/app":["LEVEL"]}');
    assert.deepEqual(recorded.logs, [
      {
        severity: "warning",
        message:
          "Secret/app holds a variable that is reserved for the token: it is wired key by key, without it",
      },
    ]);
    assert.equal(recorded.exitCode, undefined);
    assert.equal(JSON.stringify(recorded).includes(CANARY), false);
    assert.equal(JSON.stringify(recorded).includes(Buffer.from(CANARY).toString("base64")), false);
  });

  test(`an object without it is wired as a whole, and no annotation says otherwise, ${when}`, async () => {
    const app = found(secret("app", { LEVEL: "1" }));
    const recorded = await runProxy({ preview, args, world: { reads: { ...READS, "Secret/app": app } } });
    assert.deepEqual(wiring(recorded), WHOLE);
    assert.equal(GUARDED in metadata(the(recorded, "Deployment")).annotations, false);
    assert.deepEqual(recorded.logs, []);
  });

  for (const [what, outcome] of [
    ["missing", MISSING],
    ["forbidden", FORBIDDEN],
    ["out of reach", UNREACHABLE],
  ] as const) {
    test(`while its object is ${what} a guarded reference keeps wiring, annotation and checksum, ${when}`, async () => {
      const recorded = await runProxy({
        preview,
        args,
        world: worldOf('{"Secret/app":["LEVEL"]}', outcome),
      });
      assert.deepEqual(wiring(recorded), KEY_BY_KEY);
      assert.equal(metadata(the(recorded, "Deployment")).annotations[GUARDED], '{"Secret/app":["LEVEL"]}');
      assert.equal(recorded.outputs.configChecksum, "f".repeat(64));
    });
  }

  for (const spoiled of ["", "{", "null", "[]", '{"Secret/app":"LEVEL"}', '{"Secret/app":5}']) {
    test(`an annotation that says ${JSON.stringify(spoiled)} is none, ${when}`, async () => {
      const recorded = await runProxy({ preview, args, world: worldOf(spoiled, MISSING) });
      assert.deepEqual(wiring(recorded), WHOLE);
      assert.equal(recorded.outputs.phase, "Failed");
    });
  }
}

/** A live Deployment with that annotation, whose Secret `app` can't be had. */
function worldOf(annotation: string, outcome: typeof MISSING | typeof FORBIDDEN | typeof UNREACHABLE): World {
  const live = deployment(1, 1, { checksum: "f".repeat(64), annotations: { [GUARDED]: annotation } });
  return {
    lists: { Deployment: found([live]) },
    reads: { ...READS, "Deployment/dc-east": found(live), "Secret/app": outcome },
  };
}
