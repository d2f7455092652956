import { existsSync, readFileSync } from "node:fs";
import { isMap } from "../components/workload/validation.ts";
import { parseYaml } from "./yaml.ts";

/** What Pulumi.yaml says of the project. */
export interface Project {
  /** It stands before the keys of a stack's configuration. */
  name: string;
  /** Where the stack files stand, from the project's folder. */
  stackFolder: string;
  /** Configuration that the project declares for all stacks: key -> what it says of it. */
  config: Record<string, unknown>;
}

/**
 * Reads the project's file, by default that of the current folder.
 * @throws Error that says where to run
 */
export function readProject(file = "Pulumi.yaml"): Project {
  if (!existsSync(file)) throw new Error(`there is no ${file}: run it in the project's folder`);
  const project = parseYaml(file, readFileSync(file, "utf8"));
  const { name, stackConfigDir = ".", config } = isMap(project) ? project : {};
  if (typeof name !== "string" || name === "") throw new Error(`${file} names no project: give it a name`);
  if (typeof stackConfigDir !== "string")
    throw new Error(`${file}: stackConfigDir must be the path of a folder`);
  return { name, stackFolder: stackConfigDir, config: isMap(config) ? config : {} };
}
