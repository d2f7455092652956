import { Namespace } from "@pulumi/kubernetes/core/v1/namespace.js";
import type { Provider } from "@pulumi/kubernetes/provider.js";
import type { KubeObject, Outcome } from "../cluster/cluster.ts";
import { FIELD_MANAGER } from "../cluster/ownership.ts";
import type { ZoneConfig } from "./config.ts";

const MADE_BY = "pulumi-proxies.dev/zone";

/**
 * The namespace, when the zone makes it: missing now, or made by an earlier run of this zone. It is never deleted,
 * since it holds Secrets of others.
 */
export function registerNamespace(
  config: ZoneConfig,
  live: Outcome<KubeObject>,
  provider: Provider,
  zone: string,
): Namespace | undefined {
  if (config.createNamespace !== true) return undefined;
  const ours = live.outcome === "found" && live.value.metadata.annotations?.[MADE_BY] === zone;
  if (live.outcome !== "missing" && !ours) return undefined;
  return new Namespace(
    config.namespace,
    {
      metadata: {
        name: config.namespace,
        annotations: { [MADE_BY]: zone, "pulumi.com/patchFieldManager": FIELD_MANAGER },
      },
    },
    { provider, retainOnDelete: true },
  );
}
