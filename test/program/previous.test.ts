import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { type Exported, type Previous, readPrevious } from "../../components/zone/previous.ts";
import { type Call, type Log, run } from "./support/engine.ts";

const PROXY = "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Proxy::dc-east";
const AVAILABLE = { type: "Available", status: "True", lastTransitionTime: "2026-06-01T00:00:00Z" };
const SECRET = "canary-secret-value";

/** What the run before left, and what the program says, when the engine answers like that. */
async function read(
  call: Call,
  exported?: Exported,
): Promise<{ previous: ReadonlyMap<string, Previous>; logs: Log[] }> {
  let previous: ReadonlyMap<string, Previous> | undefined;
  const until = (): Promise<void> => pulumi.runtime.disconnect();
  const body = async (): Promise<void> => {
    previous = await readPrevious(exported);
  };
  const { logs } = await run(false, body, until, call);
  assert.ok(previous);
  return { previous, logs };
}

/** An engine whose stack exports something, and whose state holds `outputs`. */
const state = (outputs: unknown): Call => {
  return (token) => ({
    name: "n",
    outputs: token === "pulumi:pulumi:readStackOutputs" ? { phase: "x" } : outputs,
  });
};

// The first test of this file: the messages are cut once per process.
test("no debug message quotes what the engine has answered", async () => {
  const { debug } = pulumi.log;
  const messages: string[] = [];
  Object.assign(pulumi.log, { debug: (message: string) => void messages.push(message) });
  try {
    await read(state({ urn: { type: "kubernetes:core/v1:Secret", outputs: { data: SECRET } } }));
    void pulumi.log.debug(`Invoke RPC finished: tok=t; err: null, resp: ${SECRET}`);
  } finally {
    Object.assign(pulumi.log, { debug });
  }
  assert.equal(
    messages.some((message) => message.includes(SECRET)),
    false,
    messages.join("\n"),
  );
});

const STACK = "organization/pulumi-proxies/prod-dc-east";

test("the state of this very stack is asked for, once", async () => {
  const asked: unknown[] = [];
  await read((...question) => {
    asked.push(question);
    return { outputs: { phase: "x" } };
  });
  assert.deepEqual(asked, [
    ["pulumi:pulumi:readStackOutputs", { name: STACK }],
    ["pulumi:pulumi:readStackResourceOutputs", { stackName: STACK }],
  ]);
});

test("a stack that exports nothing is not asked for its state, which it may not have", async () => {
  const asked: unknown[] = [];
  const { previous, logs } = await read((...question) => {
    asked.push(question);
    return { outputs: {} };
  });
  assert.deepEqual([...previous], []);
  assert.deepEqual(logs, []);
  assert.deepEqual(asked, [["pulumi:pulumi:readStackOutputs", { name: STACK }]]);
});

const REGISTRATION = PROXY.replace("Proxy::", "Connector$pulumi-nodejs:dynamic/proxies:Registration::");

test("conditions of components and what is known of registrations are kept, and nothing else of the state", async () => {
  const { previous, logs } = await read(
    state({
      [PROXY]: {
        type: "proxies:index:Proxy",
        outputs: { phase: "Running", conditions: [AVAILABLE], other: SECRET },
      },
      [REGISTRATION]: {
        type: "pulumi-nodejs:dynamic/proxies:Registration",
        outputs: { registration: { generation: 1 }, credentials: SECRET },
      },
      "urn:secret": { type: "kubernetes:core/v1:Secret", outputs: { data: { configToken: SECRET } } },
      "urn:other": { type: "other:index:Thing", outputs: { conditions: [{ ...AVAILABLE }] } },
    }),
  );
  assert.deepEqual(
    [...previous],
    [
      [REGISTRATION, { conditions: [], registration: { generation: 1 } }],
      [PROXY, { conditions: [AVAILABLE], registration: undefined }],
    ],
  );
  assert.deepEqual(logs, []);
});

test("what the stack exports of its components is all that is asked for where it tells enough", async () => {
  const asked: string[] = [];
  const outputs = {
    proxies: { "dc-east": { phase: "Running", conditions: [AVAILABLE] }, "dc-west": {}, odd: null },
    connectors: { x509: { conditions: [AVAILABLE] } },
    other: { thing: { conditions: [AVAILABLE] } },
  };
  const call: Call = (token) => {
    asked.push(token);
    return { outputs };
  };
  const { previous } = await read(call, { proxies: "Proxy", connectors: "Connector", absent: "SbProxy" });
  const urn = (kind: string, name: string): string =>
    `urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:${kind}::${name}`;
  assert.deepEqual(
    [...previous],
    [
      [urn("Proxy", "dc-east"), { conditions: [AVAILABLE] }],
      [urn("Proxy", "dc-west"), { conditions: [] }],
      [urn("Proxy", "odd"), { conditions: [] }],
      [urn("Connector", "x509"), { conditions: [AVAILABLE] }],
    ],
  );
  assert.deepEqual(asked, ["pulumi:pulumi:readStackOutputs"]);
});

test("a component of a run that was broken off has no conditions", async () => {
  for (const outputs of [undefined, null, {}, { conditions: "x" }]) {
    const { previous, logs } = await read(state({ [PROXY]: { type: "proxies:index:Proxy", outputs } }));
    assert.deepEqual(previous.get(PROXY)?.conditions, []);
    assert.deepEqual(logs, []);
  }
});

test("a stack without state, or an answer of another form, is no run before", async () => {
  for (const outputs of [undefined, {}, { urn: null }, { urn: "x" }, { urn: { type: 1 } }]) {
    const { previous, logs } = await read(state(outputs));
    assert.deepEqual([...previous], []);
    assert.deepEqual(logs, []);
  }
});

test("an engine that does not answer is one warning, of one line, and the run goes on", async () => {
  const { previous, logs } = await read(() => {
    // What the SDK passes on of a gRPC error.
    throw Object.assign(new Error(), { details: "unknown stack\n  and more" });
  });
  assert.deepEqual([...previous], []);
  assert.deepEqual(logs, [
    {
      severity: "warning",
      message:
        "the state of the run before can't be read, so lastTransitionTime of every condition starts anew: unknown stack",
    },
  ]);
});
