// What a stack file says, read as the engine would hand it to the program.
import { isMap } from "../components/workload/validation.ts";
import type { RawConfig } from "../stacks/config.ts";
import { REGISTRATION_SECRETS } from "../stacks/registration-secrets.ts";
import { readProject } from "./project.ts";
import { parseYaml } from "./yaml.ts";

/**
 * A stack's configuration as the text of its file and the project's file say it: secrets encrypted, as they stand there.
 * @throws Error that names the file, where a map of secrets is encrypted as a whole
 */
export function rawConfig(file: string, text: string, projectFile?: string): RawConfig {
  const project = readProject(projectFile);
  const own = (key: string, value: unknown): [string, unknown][] => {
    const [owner, name] = key.includes(":") ? key.split(":", 2) : [project.name, key];
    return owner === project.name ? [[name ?? "", value]] : [];
  };
  const defaults = Object.entries(project.config).flatMap(([key, declared]) =>
    // A value may stand for itself: the short form.
    own(key, isMap(declared) ? (declared["value"] ?? declared["default"]) : (declared ?? undefined)),
  );
  const given = Object.entries(configOf(file, text)).flatMap(([key, value]) => own(key, value));
  const all = Object.fromEntries([...defaults, ...given].filter(([, value]) => value !== undefined));
  for (const [key, owner] of SECRET_MAPS) if (isCiphertext(all[key])) refuseWhole(file, key, owner);
  const secretKeys = new Set<string>();
  const values = Object.entries(all).map(([key, value]) => {
    const plain = withCiphertexts(value, () => secretKeys.add(key));
    return [key, typeof plain === "string" ? plain : JSON.stringify(plain)];
  });
  return { values: Object.fromEntries(values) as Record<string, string>, secretKeys };
}

function configOf(file: string, text: string): Record<string, unknown> {
  const whole = parseYaml(file, text);
  const config = isMap(whole) ? whole["config"] : undefined;
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
