// The text of a stack file with entries put into it: pure.
import { isDeepStrictEqual } from "node:util";
import { parseYaml } from "../ci/yaml.ts";
import { isMap, joinPath, type Problem } from "../components/workload/validation.ts";
import type { Entry } from "./entries.ts";
import { inserted } from "./insert.ts";

/** Where the zone is; what is not known is left as the file has it. */
export interface Place {
  /** Name of the project. */
  project: string;
  namespace: string;
  context: string | undefined;
  namespaceUid: string | undefined;
}

export interface Merged {
  text: string;
  /** How many entries are new. */
  added: number;
  /** Whether `pulumi stack init` has been here: it leaves how secrets are encrypted. */
  isInitialised: boolean;
  /** The zone's context, whoever has named it. */
  context: string | undefined;
}

type Values = Record<string, unknown>;

/**
 * Puts entries into the text of a stack file, or into a new one. Nothing that the file says is changed: what is in the
 * way is a problem.
 */
export function mergeStackFile(
  before: string | undefined,
  place: Place,
  entries: readonly Entry[],
): { merged: Merged; problems: [] } | { merged: undefined; problems: Problem[] } {
  const whole = before === undefined ? {} : parse(before);
  const config = whole?.["config"] ?? {};
  if (whole === undefined || !isMap(config))
    return { merged: undefined, problems: [{ path: "config", message: "expected a map" }] };
  const problems: Problem[] = [];
  const next = structuredClone(config);

  const { project } = place;
  const zone = mapAt(next, project, "zone", problems);
  const cluster = mapIn(zone, "cluster", "zone.cluster", problems);
  put(zone, "namespace", place.namespace, "zone.namespace", problems);
  put(cluster, "context", place.context, "zone.cluster.context", problems);
  put(cluster, "namespaceUid", place.namespaceUid, "zone.cluster.namespaceUid", problems);
  if (Object.keys(cluster).length > 0) zone["cluster"] = cluster;

  let added = 0;
  for (const { key, name, value } of entries)
    if (put(mapAt(next, project, key, problems), name, value, joinPath(key, name), problems)) added++;
  if (problems.length > 0) return { merged: undefined, problems };

  const wanted = { ...whole, config: next };
  const text = isDeepStrictEqual(config, next) ? (before ?? "") : inserted(before ?? "", whole, wanted);
  if (!isDeepStrictEqual(parse(text), wanted)) return { merged: undefined, problems: [notInBlocks()] };
  const { context } = cluster;
  return {
    merged: {
      text,
      added,
      isInitialised: ["encryptionsalt", "encryptedkey", "secretsprovider"].some((key) => key in whole),
      context: typeof context === "string" ? context : undefined,
    },
    problems: [],
  };
}

function notInBlocks(): Problem {
  return {
    path: "config",
    message:
      "can't be added to as it is written: give each key a line of its own, indented below its map, without braces",
  };
}

/** The map under a key of the project's; it is made where there is none. */
function mapAt(config: Values, project: string, key: string, problems: Problem[]): Values {
  // The CLI writes the project's name in front; people need not.
  return mapIn(config, key in config ? key : `${project}:${key}`, key, problems, true);
}

function mapIn(of: Values, key: string, path: string, problems: Problem[], make = false): Values {
  const found = of[key] ?? {};
  if (!isMap(found)) {
    if (!problems.some((problem) => problem.path === path))
      problems.push({ path, message: "expected a map" });
    return {};
  }
  if (make) of[key] = found;
  return found;
}

/** Sets a value that is not there yet; whether it did. */
function put(map: Values, key: string, value: unknown, path: string, problems: Problem[]): boolean {
  if (value === undefined || isDeepStrictEqual(map[key], value)) return false;
  if (map[key] !== undefined) {
    problems.push({ path, message: "stands in the stack file already, and says something else" });
    return false;
  }
  map[key] = value;
  return true;
}

/** What a stack file says; undefined when it is no map of YAML. */
function parse(text: string): Values | undefined {
  let value: unknown;
  try {
    value = parseYaml("the stack file", text) ?? {};
  } catch {
    return undefined;
  }
  return isMap(value) ? value : undefined;
}
