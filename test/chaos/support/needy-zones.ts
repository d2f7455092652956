// Two zones that together need every right of the generated Roles, and for each right a run that needs it.
import type { TestContext } from "node:test";
import { NOTHING_NEEDED } from "../../../ci/roles/needs.ts";
import { CREATED } from "../../support/platform.ts";
import type { TestCluster } from "../../cluster/support/cluster.ts";
import { rightsOf as grantOf } from "../../cluster/support/identities.ts";
import { deployPlatform } from "../../cluster/support/registering.ts";
import { serveServiceMonitors } from "../../cluster/support/service-monitors.ts";
import { openStub, reply, replyJson } from "../../cluster/support/stub.ts";
import { makeToken } from "../../cluster/support/token.ts";
import { type Run, TestZone } from "../../cluster/support/zone.ts";
import type { Holder, Right } from "./rights.ts";

export interface NeedyZone {
  zone: TestZone;
  holders: Holder[];
  /** Whether a right is one that this zone is there for. */
  needs: (right: Right) => boolean;
  /** Brings about that the run which is returned needs a right. */
  bringAbout: (right: Right) => Promise<() => Promise<Run>>;
  /** What remains to be done, with every right: the last run finds nothing to do. */
  heal: () => Promise<Run[]>;
  /** What all runs have said. */
  streams: string[];
  /** Every value that nobody may read. */
  secrets: string[];
}

/** Of a proxy: an object of every kind. */
const EVERYTHING = {
  resources: { requests: { cpu: "10m" } },
  autoscaling: { enabled: true, minReplicas: 1, maxReplicas: 2 },
  podDisruptionBudget: { enabled: true },
  metrics: { enabled: true, serviceMonitor: { enabled: true } },
};

/** What of the first zone differs from one run to the next. */
interface Declared {
  /** A label of every object, and the registration's generation. */
  turn: number;
  /** Whether there is the proxy `own`, whose token is in the stack file. */
  own: boolean;
  registers: boolean;
}

/**
 * Owns an object of every kind, refers to Secrets and ConfigMaps, asks a connector for its health, and registers it with a
 * platform in the same cluster.
 */
export async function openWideZone(t: TestContext, cluster: TestCluster): Promise<NeedyZone> {
  const stub = await openStub(t, {
    "/v2/health": replyJson(200, { status: "UP" }),
    "/api/v2/connector/register": reply(200, CREATED.body, { "Content-Type": "application/json" }),
  });
  const zone = await TestZone.open(t, {}, { cluster });
  await serveServiceMonitors(zone);
  const platform = await zone.namespaceBeside("ilm");
  await deployPlatform(zone, platform, stub, 80);
  const [own, bearer] = [await makeToken("30d"), "held-bearer"];
  const read = await zone.putToken("read-config", "30d", { bearer });
  const data = { LEVEL: "info" };
  await zone.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data });
  const { metadata } = await zone.get("namespace", zone.namespace);
  const registration = {
    platformUrl: `http://core.${platform}.svc.cluster.local/api`,
    name: "X.509",
    authType: "none",
    timeoutSeconds: 0,
    credentials: { bearerToken: { secretName: "read-config", key: "bearer" } },
  };
  const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };
  const streams: string[] = [];
  const up = async (...args: string[]): Promise<Run> => kept(streams, await zone.up(...args));
  let now: Declared = { turn: 1, own: false, registers: true };

  const setToken = async (isThere: boolean): Promise<void> => {
    const [verb, options] = isThere ? [["set", "--secret"], { input: own }] : [["rm"], {}];
    succeeded(await zone.pulumi(["config", ...verb, "--path", "configTokens.own"], options));
  };
  const declare = async (next: Partial<Declared>): Promise<void> => {
    const before = now;
    now = { turn: before.turn + 1, own: true, registers: true, ...next };
    if (before.own && !now.own) await setToken(false);
    zone.write({
      zone: {
        cluster: { namespaceUid: metadata.uid },
        defaults: { labels: { turn: String(now.turn) } },
      },
      proxies: {
        read: {
          ...EVERYTHING,
          configTokenSecretRef: { name: "read-config" },
          configMapRefs: [{ name: "settings", type: "env" }],
        },
        ...(now.own && { own: EVERYTHING }),
      },
      connectors: {
        x509: {
          image,
          service: { port: stub.port },
          ...(now.registers && { registration: { ...registration, generation: now.turn } }),
        },
      },
    });
    if (!before.own && now.own) await setToken(true);
  };
  const heal = async (): Promise<Run[]> => {
    await declare({});
    return [await up(), await up("--expect-no-changes")];
  };

  await declare({});
  succeeded(await up());
  const name = `${zone.stack}-update`;
  const here = { kind: "Role", namespace: zone.namespace } as const;
  return {
    zone,
    holders: [
      { ...here, identity: "preview", name: `${zone.stack}-preview` },
      { ...here, identity: "update", name },
      { ...here, identity: "update", name: `pulumi-proxies-update-${zone.namespace}`, namespace: platform },
    ],
    needs: () => true,
    bringAbout: async ({ identity, verb, resource }) => {
      if (identity === "preview") return async () => kept(streams, await zone.preview());
      const isRecord = resource === "configmaps";
      if (verb === "delete") {
        await declare({});
        succeeded(await up());
        await declare(isRecord ? { registers: false } : { own: false });
        return () => up();
      }
      await declare({});
      if (verb === "create" && resource !== "pods/portforward") {
        const made: Record<string, string> = { configmaps: "x509-registration", secrets: "own-config-token" };
        await zone.kube("delete", resource, made[resource] ?? "own", "--ignore-not-found");
      }
      return () => up();
    },
    heal,
    streams,
    secrets: [own, read, bearer],
  };
}

/** Makes its own namespace. */
export async function openMakingZone(t: TestContext, cluster: TestCluster): Promise<NeedyZone> {
  const file = {
    zone: { createNamespace: true },
    proxies: { p: { configTokenSecretRef: { name: "p-config" }, referenceTimeoutSeconds: 0 } },
  };
  const zone = await TestZone.open(t, file, { cluster, namespace: false });
  const needs = { ...NOTHING_NEEDED, namespace: zone.namespace, createNamespace: true };
  await zone.apply(...grantOf("update", needs, zone.stack, "cluster-update"));
  const env = { KUBECONFIG: cluster.users["cluster-update"] };
  const streams: string[] = [];
  const up = async (...more: string[]): Promise<Run> =>
    kept(streams, await zone.pulumi(["up", "--yes", "--skip-preview", ...more], { env }));
  const holder = { identity: "update", kind: "ClusterRole", name: zone.stack } as const;
  return {
    zone,
    holders: [{ ...holder, namespace: zone.namespace }],
    // The others are those of the Role in a namespace.
    needs: ({ resource }) => resource === "namespaces",
    bringAbout: () => Promise.resolve(() => up()),
    heal: async () => [await up(), await up("--expect-no-changes")],
    streams,
    secrets: [],
  };
}

function kept(streams: string[], run: Run): Run {
  streams.push(run.output);
  return run;
}

function succeeded({ code, output }: Run): void {
  if (code !== 0) throw new Error(output);
}
