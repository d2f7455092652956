import { readFileSync } from "node:fs";
import { loadYaml } from "#kubernetes-client";
import { inClusterService } from "../../components/connector/registration/request.ts";
import { tokenSource } from "../../components/proxy/token.ts";
import { configRefs } from "../../components/workload/config-refs.ts";
import { isMap } from "../../components/workload/validation.ts";
import { DEFAULT_CLUSTER_DOMAIN } from "../../components/zone/config.ts";
import { checkStackConfig, type PlainConfig, type RawConfig } from "../../stacks/config.ts";
import { REGISTRATION_SECRETS } from "../../stacks/registration-secrets.ts";
import { readProject } from "../project.ts";

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
  const { value, problems } = checkStackConfig(rawConfig(file, project));
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

/** A stack's configuration as its file and the project's say it: secrets encrypted, as they stand there. */
function rawConfig(file: string, projectFile: string): RawConfig {
  const project = readProject(projectFile);
  const defaults = Object.entries(project.config).map(([key, declared]) => {
    const { value, default: fallback } = declared as { value?: unknown; default?: unknown };
    return [key, value ?? fallback] as const;
  });
  const given = Object.entries(configOf(file)).flatMap(([key, value]) => {
    const [owner, name] = key.includes(":") ? key.split(":", 2) : [project.name, key];
    return owner === project.name ? [[name ?? "", value] as const] : [];
  });
  const all = Object.fromEntries([...defaults, ...given].filter(([, value]) => value !== undefined));
  for (const [key, owner] of SECRET_MAPS) if (isCiphertext(all[key])) refuseWhole(file, key, owner);
  const secretKeys = new Set<string>();
  const values = Object.entries(all).map(([key, value]) => {
    const plain = withCiphertexts(value, () => secretKeys.add(key));
    return [key, typeof plain === "string" ? plain : JSON.stringify(plain)];
  });
  return { values: Object.fromEntries(values) as Record<string, string>, secretKeys };
}

function configOf(file: string): Record<string, unknown> {
  const text = readFileSync(file, "utf8");
  // The client's reader refuses a file of comments alone.
  if (!/^\s*[^#\s]/m.test(text)) return {};
  const { config } = loadYaml<{ config?: unknown }>(text);
  return isMap(config) ? config : {};
}

/** Keys that hold secrets, each for a component of this kind. */
const SECRET_MAPS = [
  ["configTokens", "proxy"],
  ["tokenSigningKeys", "proxy"],
  [REGISTRATION_SECRETS, "connector"],
] as const;

function refuseWhole(file: string, key: string, owner: string): never {
  throw new Error(
    `${file}: ${key} is encrypted as a whole, which hides what it is for: set each of its secrets by itself, with ` +
      `\`pulumi config set --secret --path '${key}.<${owner}>'\``,
  );
}

/** An encrypted value, as the CLI writes it into a stack file. */
function isCiphertext(value: unknown): value is { secure: string } {
  return isMap(value) && typeof value["secure"] === "string" && Object.keys(value).length === 1;
}

/** A value with the text of each ciphertext in its place. */
function withCiphertexts(value: unknown, found: () => void): unknown {
  if (Array.isArray(value)) return value.map((item) => withCiphertexts(item, found));
  if (isCiphertext(value)) {
    found();
    return value.secure;
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withCiphertexts(inner, found)]),
  );
}
