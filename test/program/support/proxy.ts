import { Proxy, type ProxyArgs } from "../../../components/index.ts";
import { type Recorded, run, type Running, valueOf } from "./engine.ts";
import { type FakeCluster, openZone, type World } from "./zone.ts";

export interface Case {
  preview?: boolean;
  args?: Omit<ProxyArgs, "zone">;
  world?: World;
}

export interface Outputs {
  phase: string;
  summary: string;
  conditions: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[];
  tokenExpiresAt: string | undefined;
  configChecksum: string | undefined;
  observedVersion: string;
  readyReplicas: number;
  url: string;
  apiUrl: string;
}

/** The plain values of all outputs of a proxy. */
export async function outputsOf(proxy: Proxy): Promise<Outputs> {
  return {
    phase: await valueOf(proxy.phase),
    summary: await valueOf(proxy.summary),
    conditions: await valueOf(proxy.conditions),
    tokenExpiresAt: await valueOf(proxy.tokenExpiresAt),
    configChecksum: await valueOf(proxy.configChecksum),
    observedVersion: await valueOf(proxy.observedVersion),
    readyReplicas: await valueOf(proxy.readyReplicas),
    url: await valueOf(proxy.url),
    apiUrl: await valueOf(proxy.apiUrl),
  };
}

export const REF = { configTokenSecretRef: { name: "dc-east-config" } };

/** Runs a program of one zone and one proxy, `dc-east`. */
export async function runProxy(
  { preview = false, args = REF, world = {} }: Case = {},
  then: (proxy: Proxy, running: Running, cluster: FakeCluster) => void | Promise<void> = () => undefined,
): Promise<Recorded & { outputs: Outputs; cluster: FakeCluster }> {
  let outputs: Outputs | undefined;
  let used: FakeCluster | undefined;
  const recorded = await run(preview, async (running) => {
    const { zone, cluster } = openZone(preview, world);
    used = cluster;
    const proxy = new Proxy("dc-east", { ...args, zone });
    outputs = await outputsOf(proxy);
    await then(proxy, running, cluster);
  });
  return { ...recorded, outputs: outputs as Outputs, cluster: used as FakeCluster };
}

/** Runs a program whose proxy is refused; gives the error. */
export async function refusedProxy({
  preview = false,
  args = REF,
  world = {},
}: Case): Promise<Recorded & { error: unknown }> {
  let error: unknown;
  const recorded = await run(preview, () => {
    const { zone } = openZone(preview, world);
    error = caught(() => new Proxy("dc-east", { ...args, zone }));
  });
  return { ...recorded, error };
}

/** Runs a program of the proxy `dc-east` and a second one of the same args, which is refused; gives the error. */
export async function refusedSecond(
  name: string,
  { preview = false, args = REF, world = {} }: Case,
): Promise<Recorded & { error: unknown }> {
  let error: unknown;
  const recorded = await run(preview, async () => {
    const { zone } = openZone(preview, world);
    const first = new Proxy("dc-east", { ...args, zone });
    error = caught(() => new Proxy(name, { ...args, zone }));
    await valueOf(first.phase);
  });
  return { ...recorded, error };
}

function caught(make: () => unknown): unknown {
  try {
    make();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
