// Stack files that are right: what bad ones are made of.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadYaml } from "@kubernetes/client-node";
import { CANARY } from "./odd-values.ts";

/** What stands under `config` of a stack file, without the project's name before each key. */
export type Config = Record<string, unknown>;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const SAMPLES = fileURLToPath(new URL("../../../../shared/samples/ilm/", import.meta.url));

const image = { repository: "hub.example.com/x509", tag: "1.3.1" };
const registration = {
  platformUrl: "https://ilm.example.com/api",
  name: "X.509",
  authType: "apiKey",
  authAttributes: [{ name: "header", content: "X-Key" }],
};

/** Every place that a secret may stand in. */
const SECRETS: Config = {
  zone: { namespace: "proxies", cluster: { context: "c" } },
  proxies: { a: { replicas: 2 }, b: { configTokenSecretRef: { name: "b-config" } }, constructor: {} },
  connectors: { x509: { image, registration }, plain: { image }, valueof: { image, registration } },
  configTokens: { a: `${CANARY}.e30.a`, constructor: `${CANARY}-2` },
  tokenSigningKeys: { a: `${CANARY}-key` },
  registrationSecrets: {
    x509: {
      credentials: { basic: { username: `${CANARY}-u`, password: `${CANARY}-p` } },
      authAttributes: { key: { nested: CANARY } },
      customAttributes: { more: [CANARY] },
    },
  },
  checksumKey: `${CANARY}-checksum`,
};

/** Keys whose values are secret in a stack that is right. */
export const SECRET_KEYS = ["configTokens", "tokenSigningKeys", "registrationSecrets", "checksumKey"];

/** All that are known: the project's own, one with every secret, and the custom resources of people's operators. */
export function rightConfigs(): Config[] {
  const own = globSync(`${root}stacks/Pulumi.*.yaml`)
    .sort()
    .map((file) => {
      const { config } = loadYaml<{ config: Config }>(readFileSync(file, "utf8"));
      return Object.fromEntries(
        Object.entries(config).map(([key, value]) => [key.replace(/^pulumi-proxies:/, ""), value]),
      );
    });
  const pasted = globSync(`${SAMPLES}{proxy,connector}_*.yaml`)
    .sort()
    .map((file): Config => {
      const { kind, spec } = loadYaml<{ kind: string; spec: object }>(readFileSync(file, "utf8"));
      return {
        zone: { namespace: "p" },
        [kind === "Proxy" ? "proxies" : "connectors"]: { pasted: withoutNull(spec) },
      };
    });
  return [SECRETS, SECRETS, ...own, ...pasted];
}

const withoutNull = (spec: object): unknown => JSON.parse(JSON.stringify(spec)) as unknown;
