// The stack file of a test's zone, as a person would write it and as the CLI has left it.
import { loadYaml } from "@kubernetes/client-node";
import { isMap } from "../../../components/workload/validation.ts";

/** What a stack file says: key (without project) -> value. */
export type StackFile = Record<string, unknown>;

const SECRET_KEYS = ["configTokens", "tokenSigningKeys", "registrationSecrets", "checksumKey"];

/** The text of a stack file that says this; what encrypts it, and the secrets that were set, stay as they were. */
export function stackFileText(before: string, file: StackFile): string {
  const { config = {}, ...encryption } = loadYaml<{ config?: StackFile }>(before);
  const kept = Object.entries(config).filter(([key]) =>
    SECRET_KEYS.some((secret) => key.endsWith(`:${secret}`)),
  );
  const said = Object.entries(file).map(([key, value]) => [`pulumi-proxies:${key}`, value]);
  // YAML takes JSON as it is.
  return JSON.stringify(
    { ...encryption, config: Object.fromEntries([...kept, ...said]) as StackFile },
    null,
    2,
  );
}

/**
 * The same stack file, its workloads with `minReadySeconds: 0` unless they say otherwise: the default of ten seconds would
 * lengthen every rollout of every test.
 */
export function impatient(file: StackFile): StackFile {
  const quick = ["proxies", "connectors"].flatMap((key) => {
    const all = file[key];
    if (!isMap(all)) return [];
    const specs = Object.entries(all).map(([name, spec]) => [
      name,
      isMap(spec) ? { minReadySeconds: 0, ...spec } : spec,
    ]);
    return [[key, Object.fromEntries(specs)]];
  });
  return { ...file, ...(Object.fromEntries(quick) as StackFile) };
}
