import { readFileSync } from "node:fs";
import { inClusterService } from "../../components/connector/registration/request.ts";
import { tokenSource } from "../../components/proxy/token.ts";
import { configRefs } from "../../components/workload/config-refs.ts";
import { DEFAULT_CLUSTER_DOMAIN } from "../../components/zone/config.ts";
import { checkStackConfig, type PlainConfig } from "../../stacks/config.ts";
import { rawConfig } from "../raw-config.ts";

/** What a zone's rights depend on. */
export interface ZoneNeeds {
  namespace: string;
  createNamespace: boolean;
  /** Secrets that its components read, sorted. */
  readsSecrets: string[];
  /** Whether its components make Secrets. */
  makesSecrets: boolean;
  /** Whether connectors register, which takes records in ConfigMaps. */
  registers: boolean;
  /** Whether connectors are asked for their health. */
  asksHealth: boolean;
  /** Namespaces of the platforms in the cluster with which connectors register, sorted. */
  platforms: string[];
}

/** What the rights of a zone without components depend on, beside its namespace. */
export const NOTHING_NEEDED: Omit<ZoneNeeds, "namespace" | "createNamespace"> = {
  readsSecrets: [],
  makesSecrets: false,
  registers: false,
  asksHealth: false,
  platforms: [],
};

/**
 * Reads what a stack file asks for; nothing is decrypted.
 * @throws Error that names every mistake in it
 */
export function zoneNeeds(file: string, project = "Pulumi.yaml"): ZoneNeeds {
  const { value, problems } = checkStackConfig(rawConfig(file, readFileSync(file, "utf8"), project));
  if (value === undefined) {
    const told = problems.map(({ path, message }) => `${path}: ${message}`);
    throw new Error(`${file}: ${told.join("; ")}`);
  }
  const { zone, ownTokens } = value;
  const connectors = Object.values(value.connectors);
  const registrations = connectors.flatMap(({ registration }) => registration ?? []);
  return {
    namespace: zone.namespace,
    createNamespace: zone.createNamespace ?? false,
    readsSecrets: secretsOf(value),
    makesSecrets: ownTokens.length > 0,
    registers: registrations.length > 0,
    asksHealth: connectors.some(({ healthCheck }) => healthCheck?.enabled !== false),
    platforms: namespacesOf(
      registrations.map(({ platformUrl }) => platformUrl),
      zone.cluster?.domain ?? DEFAULT_CLUSTER_DOMAIN,
    ),
  };
}

function namespacesOf(urls: readonly string[], clusterDomain: string): string[] {
  const namespaces = urls.flatMap((url) => inClusterService(url, clusterDomain)?.namespace ?? []);
  return [...new Set(namespaces)].sort();
}

function secretsOf({ proxies, connectors }: PlainConfig): string[] {
  const tokens = Object.entries(proxies).map(([name, spec]) => tokenSource(name, spec).name);
  const refs = [...Object.values(proxies), ...Object.values(connectors)].flatMap(configRefs);
  const named = refs.flatMap(({ kind, name }) => (kind === "Secret" ? name : []));
  return [...new Set([...tokens, ...named])].sort();
}
