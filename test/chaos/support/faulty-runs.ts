// Runs of a zone whose way to the API server is bad, and what must hold of each, however it ends.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import fc from "fast-check";
import type { ProxyOutput } from "../../cluster/support/outputs.ts";
import { type Run, type StackFile, TestZone } from "../../cluster/support/zone.ts";
import { assertAbsentInRun } from "../../cluster/support/secrets.ts";
import { makeToken } from "../../cluster/support/token.ts";
import type { Identity } from "../../../ci/roles/roles.ts";
import { identityOf } from "../../cluster/support/identities.ts";
import type { RunOptions } from "../../../dev/workspace.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { draw } from "./form.ts";

/**
 * A run that takes longer hangs. The slowest is a destroy that can't see what is gone: five minutes for Services, then two
 * for ServiceAccounts, beside requests without an answer, each of which takes a minute.
 */
const BOUND_MS = 9 * 60_000;

const STACK_TRACE = /\n\s+at .*\(?(file|node):|UnhandledPromise|unhandled rejection|panic:|goroutine \d+/i;

/** Proxies by Secret and by configToken, a connector, references with variables of the token in them. */
export const FILE = {
  proxies: {
    read: {
      configTokenSecretRef: { name: "read-config" },
      secretRefs: [{ name: "app", type: "env" }],
      configMapRefs: [{ name: "settings", type: "env" }],
      rollout: { timeoutSeconds: 120 },
    },
    own: {
      rollout: { timeoutSeconds: 120 },
      podDisruptionBudget: { enabled: true, minAvailable: 1 },
      replicas: 2,
    },
  },
  connectors: {
    x509: {
      image: { repository: "hub.example.com/ilm/x509", tag: "1.3.1" },
      healthCheck: { enabled: false },
      configMapRefs: [{ name: "settings", type: "env" }],
      rollout: { timeoutSeconds: 120 },
    },
  },
} satisfies StackFile;

/** What was made for FILE, but for the pods and what the controllers make of it. */
const OBJECTS = [
  "deployments",
  "services",
  "serviceaccounts",
  "networkpolicies",
  "poddisruptionbudgets",
  "secrets",
];

export class FaultyRuns {
  readonly zone: TestZone;
  readonly secrets: string[] = ["canary-checksum-key", "canary-app-value"];
  readonly streams: string[] = [];
  /** Lines of errors, without names and numbers, and how often each came. */
  readonly errors = new Map<string, number>();
  #before: unknown = {};

  private constructor(zone: TestZone) {
    this.zone = zone;
  }

  /** Puts in place what FILE needs; no run yet. */
  static async prepare(zone: TestZone): Promise<FaultyRuns> {
    const runs = new FaultyRuns(zone);
    const own = await makeToken("30d");
    runs.secrets.push(own);
    await runs.rotate();
    await zone.apply(
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "app" },
        stringData: { PROXY_TOKEN_SIGNING_KEY: "canary-app-value", LEVEL: "canary-app-value" },
      },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { LEVEL: "INFO" } },
    );
    const set = ["config", "set", "--secret"];
    await zone.pulumi([...set, "--path", "configTokens.own"], { input: own });
    await zone.pulumi([...set, "checksumKey"], { input: "canary-checksum-key" });
    return runs;
  }

  /** Gives the proxy that reads its token another one. */
  async rotate(): Promise<void> {
    this.secrets.push(await this.zone.putToken("read-config", "30d", { other: "x" }));
  }

  /** A run that may fail, but neither hangs nor breaks. */
  async may(
    args: readonly string[],
    kubeconfigs?: Record<Identity, string>,
    options: RunOptions = {},
  ): Promise<Run> {
    const env = kubeconfigs && { KUBECONFIG: kubeconfigs[identityOf(args[0])] };
    const run = await this.zone.pulumi(args, { timeoutMs: BOUND_MS, ...options, ...(env && { env }) });
    this.streams.push(run.output);
    assert.doesNotMatch(run.output, STACK_TRACE);
    const errors = run.output.match(/^ *error: .*(?:\n {4,}\S.*)?/gm) ?? [];
    if (run.code !== 0) assert.ok(errors.length > 0, `it says why it failed:\n${run.output}`);
    for (const error of errors) this.#note(error);
    if (args[0] === "up") await this.#checkOutputs(run);
    return run;
  }

  /** The same on a good way, where nothing may fail. */
  async must(...args: string[]): Promise<Run> {
    const run = await this.may(args);
    assert.equal(run.code, 0, run.output);
    return run;
  }

  #note(error: string): void {
    const line = error
      .replace(/\s+/g, " ")
      .replace(/127\.0\.0\.1:\d+/g, "<address>")
      .replaceAll(this.zone.namespace, "<namespace>")
      .replaceAll(this.zone.stack, "<zone>")
      .trim()
      .slice(0, 300);
    this.errors.set(line, (this.errors.get(line) ?? 0) + 1);
  }

  /** After a run the outputs are those of before, or whole. */
  async #checkOutputs(run: Run): Promise<void> {
    const outputs = await this.#outputs();
    try {
      for (const [key, components] of Object.entries(FILE)) {
        const told = (outputs as Record<string, Record<string, ProxyOutput>>)[key] ?? {};
        assert.deepEqual(Object.keys(told).sort(), Object.keys(components as object).sort());
        for (const { phase, summary, conditions } of Object.values(told)) {
          assert.ok(phase.length > 0 && summary.startsWith(phase) && conditions.length > 2, summary);
        }
      }
    } catch (error) {
      if (run.code === 0) throw error;
      assert.deepEqual(
        outputs,
        this.#before,
        "the outputs of a failed run are neither whole nor those of before",
      );
    }
    this.#before = outputs;
  }

  async #outputs(): Promise<unknown> {
    return JSON.parse((await this.zone.pulumi(["stack", "output", "--json"])).output) as unknown;
  }

  /** On a good way one run converges, the next has nothing to do, and what is there is what was asked for. */
  async converges(): Promise<void> {
    await this.must("up", "--yes", "--skip-preview");
    await this.must("up", "--yes", "--skip-preview", "--expect-no-changes");
    for (const key of ["proxies", "connectors"])
      for (const [name, { phase }] of Object.entries(await this.zone.outputs(key)))
        assert.equal(phase, "Running", name);
    assert.deepEqual(await this.#objects(), [
      "Deployment/own",
      "Deployment/read",
      "Deployment/x509",
      "NetworkPolicy/own",
      "NetworkPolicy/read",
      "NetworkPolicy/x509",
      "PodDisruptionBudget/own",
      "Secret/own-config-token",
      "Service/own",
      "Service/read",
      "Service/x509",
      "ServiceAccount/own",
      "ServiceAccount/read",
      "ServiceAccount/x509",
    ]);
  }

  /** On a good way a destroy leaves nothing behind. */
  async destroys(): Promise<void> {
    await this.must("destroy", "--yes", "--skip-preview");
    await this.zone.left("deployments");
    assert.deepEqual(await this.#objects(), []);
  }

  async #objects(): Promise<string[]> {
    const all = await this.zone.list(OBJECTS.join(","));
    const owned = all.filter(({ metadata }) => "pulumi-proxies.dev/owner" in (metadata.annotations ?? {}));
    return owned.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
  }

  /** No secret is in any stream or file. */
  assertNoSecret(): void {
    assertAbsentInRun(this.zone, this.streams, this.secrets);
  }

  /** Shows which errors came, for who reads the log of the test. */
  diagnose(t: TestContext): void {
    for (const [line, count] of this.errors) t.diagnostic(`${count} x ${line}`);
  }
}

/** A zone with a proxy on the way to its API server, which lets everything pass at first. */
export async function openBehindProxy(t: TestContext): Promise<{
  runs: FaultyRuns;
  proxy: FaultProxy;
  /** Kubeconfigs whose way leads through the proxy. */
  through: Record<Identity, string>;
}> {
  const zone = await TestZone.open(t, FILE);
  const proxy = await FaultProxy.open(zone.cluster.kubeconfig);
  t.after(() => proxy.close());
  const through = proxy.kubeconfigs(zone.cluster.users, zone.workspace.dir);
  return { runs: await FaultyRuns.prepare(zone), proxy, through };
}

/** Numbers from 0 to 1 for a proxy's faults, enough for any run. */
export function chances(purpose: string): number[] {
  const millionths = fc.noBias(fc.integer({ min: 0, max: 999_999 }));
  return draw(purpose, millionths, 4_096).map((n) => n / 1e6);
}
