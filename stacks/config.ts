import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { ConnectorArgs, ConnectorSpec } from "../components/connector/args.ts";
import { checkConnector } from "../components/connector/checks.ts";
import type { ProxySpec } from "../components/proxy/args.ts";
import { checkProxy } from "../components/proxy/checks.ts";
import { configTokenSecretName } from "../components/proxy/token.ts";
import {
  check,
  isMap,
  joinPath,
  ownValue,
  type Problem,
  unknownField,
} from "../components/workload/validation.ts";
import {
  mergeDefaults,
  type ZoneConfig,
  zoneConfigSchema,
  type ZoneDefaults,
  zoneDefaultsSchema,
} from "../components/zone/config.ts";
import {
  checkRegistrationSecrets,
  plainCredentials,
  REGISTRATION_SECRETS,
  type RegistrationSecrets,
  type SecretFields,
  withSecrets,
} from "./registration-secrets.ts";

/** What a stack file says, checked: one zone and what runs in it. */
export interface StackConfig {
  zone: ZoneConfig;
  /** Key of the configuration checksums. */
  checksumKey: pulumi.Output<string> | undefined;
  /** Secrets that the components of this stack make. */
  ownedSecrets: string[];
  /** Name -> spec and, where the stack file holds them, config token and signing key. */
  proxies: Record<string, { spec: ProxySpec } & OwnSecrets>;
  /** Name -> spec, with the secrets of its registration where the stack file holds any. */
  connectors: Record<string, Omit<ConnectorArgs, "zone">>;
}

interface OwnSecrets {
  configToken?: pulumi.Output<string>;
  tokenSigningKey?: pulumi.Output<string>;
}

/** A stack's configuration as the engine hands it over: key (without project) -> text, and which keys are secret. */
export interface RawConfig {
  values: Record<string, string>;
  secretKeys: ReadonlySet<string>;
}

/** The plain part of a stack file, checked. */
export interface PlainConfig {
  zone: ZoneConfig;
  proxies: Record<string, ProxySpec>;
  connectors: Record<string, ConnectorSpec>;
  /** Connector -> which secrets of its registration the stack file holds. */
  registrationSecrets: Record<string, SecretFields>;
  /** Names of the proxies whose token, or its signing key, the stack file holds. */
  ownTokens: string[];
  ownSigningKeys: string[];
}

/** Secretness is per key, so secrets stand apart from what everybody may read. */
const PLAIN_KEYS = ["zone", "defaults", "proxies", "connectors"];
const SECRET_MAPS = ["configTokens", "tokenSigningKeys"];
const SECRET_KEYS = [...SECRET_MAPS, REGISTRATION_SECRETS, "checksumKey"];
const KEYS = [...PLAIN_KEYS, ...SECRET_KEYS];

/**
 * Reads and checks the stack's whole configuration before anything is registered. Every problem is logged with its
 * path in the stack file.
 * @throws pulumi.RunError when there is any
 */
export async function readStackConfig(): Promise<StackConfig> {
  const config = new pulumi.Config();
  const { value, problems } = checkStackConfig(rawConfig(config.name));
  if (value === undefined) {
    for (const { path, message } of problems) await pulumi.log.error(`${config.name}:${path}: ${message}`);
    const counted = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    throw new pulumi.RunError(
      `${counted} in the configuration of stack ${pulumi.getStack()}. Nothing was changed.`,
    );
  }
  const secretOf = (map: string, name: string): pulumi.Output<string> | undefined =>
    config.getSecretObject<Record<string, string>>(map)?.apply((all) => all[name] ?? "");
  return {
    zone: value.zone,
    checksumKey: config.getSecret("checksumKey"),
    ownedSecrets: value.ownTokens.map(configTokenSecretName),
    connectors: Object.fromEntries(
      Object.entries(value.connectors).map(([name, spec]) => {
        const fields = ownValue(value.registrationSecrets, name);
        const all = config.getSecretObject<Record<string, RegistrationSecrets>>(REGISTRATION_SECRETS);
        return [
          name,
          fields && all
            ? withSecrets(
                spec,
                fields,
                all.apply((of) => of[name] ?? {}),
              )
            : spec,
        ];
      }),
    ),
    proxies: Object.fromEntries(
      Object.entries(value.proxies).map(([name, spec]) => {
        const configToken = value.ownTokens.includes(name) && secretOf("configTokens", name);
        const tokenSigningKey = value.ownSigningKeys.includes(name) && secretOf("tokenSigningKeys", name);
        return [
          name,
          { spec, ...(configToken && { configToken }), ...(tokenSigningKey && { tokenSigningKey }) },
        ];
      }),
    ),
  };
}

/** Checks a stack's configuration: the plain part of it, or every problem at once. */
export function checkStackConfig(raw: RawConfig): { value: PlainConfig | undefined; problems: Problem[] } {
  const problems = [...unknownKeys(raw), ...misplacedSecrets(raw)];
  // What is no map, or holds a secret among plain values, is not looked into, let alone quoted.
  const maps: Partial<Record<string, Record<string, unknown>>> = {};
  for (const key of [...PLAIN_KEYS, ...SECRET_MAPS, REGISTRATION_SECRETS]) {
    if (PLAIN_KEYS.includes(key) && raw.secretKeys.has(key)) continue;
    maps[key] = parseObject(raw.values[key]);
    if (maps[key] === undefined) problems.push({ path: key, message: "expected a map" });
  }
  const inspect = <T>(schema: z.ZodType<T>, key: string): T | undefined => {
    if (maps[key] === undefined) return undefined;
    const checked = check<T>(schema, maps[key], key);
    problems.push(...checked.problems);
    return checked.value;
  };
  const defaults = inspect<ZoneDefaults>(zoneDefaultsSchema, "defaults");
  const zone = inspect<ZoneConfig>(zoneConfigSchema, "zone");

  const { proxies: specs, configTokens: tokens = {}, tokenSigningKeys: signingKeys = {} } = maps;
  const proxies: Record<string, ProxySpec> = {};
  for (const [name, given] of Object.entries(specs ?? {})) {
    const path = joinPath("proxies", name);
    const { spec, problems: found } = checkProxy(name, given ?? {}, Object.hasOwn(tokens, name), path);
    problems.push(...found);
    if (spec !== undefined) proxies[name] = spec;
  }
  const connectors: Record<string, ConnectorSpec> = {};
  for (const [name, given] of Object.entries(maps["connectors"] ?? {})) {
    const path = joinPath("connectors", name);
    const { spec, problems: found } = checkConnector(name, given ?? {}, path);
    problems.push(...found);
    if (spec !== undefined) {
      connectors[name] = spec;
      problems.push(...plainCredentials(spec, path));
    }
    // Each has a Deployment of its name.
    if (specs !== undefined && Object.hasOwn(specs, name))
      problems.push({ path, message: `is the name of a proxy, too: choose another` });
  }
  const registrations = checkRegistrationSecrets(
    maps[REGISTRATION_SECRETS] ?? {},
    connectors,
    maps["connectors"],
  );
  problems.push(...registrations.problems);
  for (const map of SECRET_MAPS) {
    for (const [name, secret] of Object.entries(maps[map] ?? {})) {
      const path = joinPath(map, name);
      if (typeof secret !== "string") problems.push({ path, message: "expected a string" });
      if (specs !== undefined && !Object.hasOwn(specs, name)) {
        problems.push({ path, message: unknownField(name, Object.keys(specs)) });
      } else if (map === "tokenSigningKeys" && !Object.hasOwn(tokens, name)) {
        problems.push({ path, message: `has no token in ${joinPath("configTokens", name)} beside it` });
      }
    }
  }
  if (problems.length > 0 || zone === undefined || defaults === undefined) {
    return { value: undefined, problems };
  }
  const merged = mergeDefaults(defaults, zone.defaults);
  return {
    value: {
      zone: { ...zone, defaults: merged },
      proxies,
      connectors,
      registrationSecrets: registrations.fields,
      ownTokens: Object.keys(tokens),
      ownSigningKeys: Object.keys(signingKeys),
    },
    problems: [],
  };
}

function rawConfig(project: string): RawConfig {
  const own = (key: string): string[] =>
    key.startsWith(`${project}:`) ? [key.slice(project.length + 1)] : [];
  const all = pulumi.runtime.allConfig();
  // The SDK has no public way to ask which keys are secret; this is how the language host tells it.
  const secretKeys = JSON.parse(process.env["PULUMI_CONFIG_SECRET_KEYS"] || "[]") as string[];
  return {
    values: Object.fromEntries(
      Object.keys(all).flatMap((key) => own(key).map((name) => [name, all[key] ?? ""])),
    ),
    secretKeys: new Set(secretKeys.flatMap(own)),
  };
}

/** The map that a key holds; empty when the key is not there, undefined when it is something else. */
function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Plain text is no map; what the parser says of it would quote it.
    return undefined;
  }
  return isMap(value) ? value : undefined;
}

function unknownKeys({ values }: RawConfig): Problem[] {
  return Object.keys(values)
    .filter((key) => !KEYS.includes(key))
    .map((key) => ({ path: joinPath("", key), message: unknownField(key, KEYS) }));
}

/** A secret among plain values would be handed out in clear; a token that is no secret stands in clear in the file. */
function misplacedSecrets({ values, secretKeys }: RawConfig): Problem[] {
  return [
    ...PLAIN_KEYS.filter((key) => secretKeys.has(key)).map((path) => ({
      path,
      message:
        "holds a secure value, which belongs elsewhere: a token goes into configTokens, with " +
        "`pulumi config set --secret --path 'configTokens.<proxy>'`, and what a connector registers with into " +
        "registrationSecrets.<connector>",
    })),
    // What `pulumi config rm` leaves of a map whose last secret it has removed is no secret any more.
    ...SECRET_KEYS.filter(
      (key) => !["{}", undefined].includes(values[key]?.trim()) && !secretKeys.has(key),
    ).map((path) => ({
      path,
      message:
        "must be secret: set it with `pulumi config set --secret`, and replace what stood here in clear",
    })),
  ];
}
