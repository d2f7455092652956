// One stack is one zone: its configuration, checked; its cluster, read; its components; what they came to.
import * as proxies from "./components/index.ts";
import { readStackConfig } from "./stacks/config.ts";

const config = await readStackConfig();
const { ownedSecrets, checksumKey } = config;
const registers = Object.values(config.connectors).some(({ registration }) => registration !== undefined);
const exported = registers ? undefined : { proxies: "Proxy", connectors: "Connector" };
const zone = await proxies.openZone(config.zone, { ownedSecrets, checksumKey, exported });

/** Name -> what a person or a script wants to know of each proxy. */
const proxyOutputs = Object.fromEntries(
  Object.entries(config.proxies).map(([name, { spec, ...secrets }]) => {
    const proxy = new proxies.Proxy(name, { ...spec, ...secrets, zone });
    const outputs = {
      phase: proxy.phase,
      summary: proxy.summary,
      version: proxy.observedVersion,
      ready: proxy.readyReplicas,
      tokenExpiresAt: proxy.tokenExpiresAt,
      configChecksum: proxy.configChecksum,
      conditions: proxy.conditions,
    };
    return [name, outputs];
  }),
);

/** The same of each connector. */
export const connectors = Object.fromEntries(
  Object.entries(config.connectors).map(([name, args]) => {
    const connector = new proxies.Connector(name, { ...args, zone });
    const outputs = {
      phase: connector.phase,
      summary: connector.summary,
      version: connector.observedVersion,
      ready: connector.readyReplicas,
      endpoint: connector.endpoint,
      currentImage: connector.currentImage,
      healthy: connector.healthy,
      registration: connector.registration,
      configChecksum: connector.configChecksum,
      conditions: connector.conditions,
    };
    return [name, outputs];
  }),
);

export { proxyOutputs as proxies };
