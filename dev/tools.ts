// The tools that running and testing here needs, from this machine or built once. As a program, `node
// dev/tools.ts [name ...]` makes sure of all of them (or those named) and prints where they are.

import { join } from "node:path";
import { build, checkGo, contains } from "./builder/build.ts";
import type { Report } from "./builder/build.ts";
import { toolFolder } from "./builder/cache.ts";
import { TOOLS, TOOL_NAMES } from "./builder/catalog.ts";
import type { Module, ToolName } from "./builder/catalog.ts";
import { findInstalled } from "./builder/installed.ts";
import type { Environment } from "./builder/installed.ts";

export { TOOL_NAMES } from "./builder/catalog.ts";
export type { ToolName } from "./builder/catalog.ts";

/**
 * The absolute path of each tool: an installed one whose version fits (PATH, KUBEBUILDER_ASSETS, Pulumi's
 * plugin folder), else a build of the pinned version below
 * `${XDG_CACHE_HOME:-~/.cache}/pulumi-proxies/tools`, made now if it is not there yet, which takes minutes
 * and is reported line by line. Throws one clear line when Go is missing or too old, and Go's own words when
 * a build fails.
 */
export async function ensureTools<Name extends ToolName>(
  names: readonly Name[],
  report: Report = () => undefined,
  env: Environment = process.env,
): Promise<Record<Name, string>> {
  const paths = new Map<ToolName, string>();
  const missing: ToolName[] = [];
  const unfit: string[] = [];
  await Promise.all(
    [...new Set(names)].map(async (name) => {
      const found = await findInstalled(name, env);
      const folder = toolFolder(TOOLS[name].module, env);
      paths.set(name, found.path ?? join(folder, name));
      if (found.path !== undefined || contains(folder, name)) return;
      missing.push(name);
      if (found.unfit !== undefined) unfit.push(found.unfit);
    }),
  );
  if (missing.length > 0) {
    unfit.forEach(report);
    await buildAll(missing, env, report);
  }
  return Object.fromEntries(paths) as Record<Name, string>;
}

async function buildAll(missing: readonly ToolName[], env: Environment, report: Report): Promise<void> {
  // In the order of the catalog, whatever order they were asked for in: the quick ones first.
  const ordered = TOOL_NAMES.filter((name) => missing.includes(name));
  await checkGo(ordered.join(", "), env);
  const modules = new Map<Module, ToolName[]>();
  for (const name of ordered) {
    const { module } = TOOLS[name];
    modules.set(module, [...(modules.get(module) ?? []), name]);
  }
  let count = 0;
  for (const [module, names] of modules) {
    count += 1;
    await build(module, names, `${count} of ${modules.size}`, env, report);
  }
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(TOOL_NAMES as readonly string[]).includes(name));
  if (unknown.length > 0) {
    console.error(`unknown tool ${unknown.join(", ")}; there are ${TOOL_NAMES.join(", ")}`);
    process.exit(2);
  }
  try {
    const names = wanted.length > 0 ? (wanted as ToolName[]) : TOOL_NAMES;
    const paths = await ensureTools(names, (line) => {
      console.error(line);
    });
    for (const [name, path] of Object.entries(paths)) console.log(`${name.padEnd(28)}${path}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
