// A zone with one of each: tokens of others and of our own, references, an autoscaler, and a connector that registers.
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { type Platform, startPlatform } from "../../support/platform.ts";
import { makeToken } from "../../cluster/support/token.ts";
import { type StackFile, TestZone } from "../../cluster/support/zone.ts";
import { uidsOf } from "./objects.ts";

export interface FullZone {
  zone: TestZone;
  platform: Platform;
  /** Every value that nobody may read. */
  secrets: string[];
  /** Puts the other token of two in place for every proxy: theirs and ours. */
  rotate: () => Promise<void>;
  /** What others own and the zone refers to: kind/name -> uid. */
  others: () => Promise<Record<string, string>>;
}

const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };

/** What others own, beside the tokens. */
const SETTINGS = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings" },
  data: { LEVEL: "info" },
};
const OTHERS = ["ConfigMap/settings", "Secret/extras", "Secret/north-config", "Secret/west-config"];

function fileFor(platformUrl: string, zone: object, rollout: object): StackFile {
  return {
    zone,
    proxies: {
      west: {
        configTokenSecretRef: { name: "west-config" },
        replicas: 2,
        env: [{ name: "SITE", value: "west" }],
        configMapRefs: [{ name: "settings", type: "env" }],
        secretRefs: [{ name: "extras", type: "volume", mountPath: "/extras" }],
        podDisruptionBudget: { enabled: true, minAvailable: 1 },
        rollout,
      },
      north: {
        configTokenSecretRef: { name: "north-config" },
        resources: { requests: { cpu: "100m" } },
        autoscaling: { enabled: true, minReplicas: 1, maxReplicas: 3 },
        rollout,
      },
      east: { rollout },
    },
    connectors: {
      x509: {
        image,
        healthCheck: { enabled: false },
        rollout,
        registration: { platformUrl, name: "X.509", authType: "apiKey", timeoutSeconds: 0 },
      },
    },
  };
}

/**
 * Opens the zone, with all that it refers to, and nothing of its own made yet; `settings` are those of `zone`, `rollout`
 * that of each workload.
 */
export async function openFullZone(
  t: TestContext,
  settings: object = {},
  rollout: object = {},
): Promise<FullZone> {
  const platform = await startPlatform(t);
  const zone = await TestZone.open(t, fileFor(platform.url, settings, rollout));
  const tokens = await Promise.all([1, 2, 3, 4, 5, 6].map(() => makeToken("30d")));
  const held = ["held-checksum-key", "held-extra", "held-bearer", "held-attribute"] as const;
  const [checksumKey, extra, bearer, attribute] = held;
  const set = async (path: string, input: string): Promise<void> => {
    const { code, output } = await zone.pulumi(["config", "set", "--secret", "--path", path], { input });
    if (code !== 0) throw new Error(output);
  };
  await set("checksumKey", checksumKey);
  await set("registrationSecrets.x509.credentials.bearerToken", bearer);
  await set("registrationSecrets.x509.authAttributes.apiKey", attribute);
  // The stack file with each of the two tokens of our own, encrypted once.
  const texts: string[] = [];
  for (const token of tokens.slice(4)) {
    await set("configTokens.east", token);
    texts.push(readFileSync(`${zone.project}/stacks/Pulumi.${zone.stack}.yaml`, "utf8"));
  }
  await zone.apply(SETTINGS, secret("extras", { extra }));
  let turn = 1;
  const rotate = async (): Promise<void> => {
    turn = 1 - turn;
    zone.writeText(texts[turn] ?? "");
    await zone.apply(
      secret("west-config", { configToken: tokens[turn] ?? "" }),
      secret("north-config", { configToken: tokens[2 + turn] ?? "" }),
    );
  };
  await rotate();
  return { zone, platform, secrets: [...tokens, ...held], rotate, others: () => uidsOf(zone, OTHERS) };
}

function secret(name: string, stringData: Record<string, string>): object {
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData };
}
