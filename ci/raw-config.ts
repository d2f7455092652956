// What a stack file says, read as the engine would hand it to the program.
import { loadYaml } from "#kubernetes-client";
import { isMap } from "../components/workload/validation.ts";
import type { RawConfig } from "../stacks/config.ts";
import { REGISTRATION_SECRETS } from "../stacks/registration-secrets.ts";
import { readProject } from "./project.ts";

/**
 * A stack's configuration as the text of its file and the project's file say it: secrets encrypted, as they stand there.
 * @throws Error that names the file, where a map of secrets is encrypted as a whole
 */
export function rawConfig(file: string, text: string, projectFile?: string): RawConfig {
  const project = readProject(projectFile);
  const defaults = Object.entries(project.config).map(([key, declared]) => {
    const { value, default: fallback } = declared as { value?: unknown; default?: unknown };
    return [key, value ?? fallback] as const;
  });
  const given = Object.entries(configOf(text)).flatMap(([key, value]) => {
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

function configOf(text: string): Record<string, unknown> {
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
