// One stack is one zone: its configuration, checked; its cluster, read; its components; what they came to.
import * as proxies from "./components/index.ts";
import { readStackConfig } from "./stacks/config.ts";

const config = await readStackConfig();
const zone = await proxies.openZone(config.zone, config.ownedSecrets, config.checksumKey);

const made = Object.entries(config.proxies).map(
  ([name, { spec, ...secrets }]) => [name, new proxies.Proxy(name, { ...spec, ...secrets, zone })] as const,
);

/** Name -> what a person or a script wants to know of each proxy. */
const proxyOutputs = Object.fromEntries(
  made.map(([name, proxy]) => [
    name,
    {
      phase: proxy.phase,
      summary: proxy.summary,
      version: proxy.observedVersion,
      ready: proxy.readyReplicas,
      tokenExpiresAt: proxy.tokenExpiresAt,
      configChecksum: proxy.configChecksum,
      conditions: proxy.conditions,
    },
  ]),
);

export { proxyOutputs as proxies };
