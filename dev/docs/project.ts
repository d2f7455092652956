import { Application, type Models, OptionDefaults, ReflectionKind } from "typedoc";

/** Reads declarations and their JSDoc. A tag that TypeDoc does not know, or a malformed one, is an error. */
export async function readProject(
  root: string,
  sources: readonly string[],
): Promise<Models.ProjectReflection> {
  const app = await Application.bootstrap({
    entryPoints: [...new Set(sources)].map((source) => `${root}${source}`),
    tsconfig: `${root}tsconfig.json`,
    blockTags: [...OptionDefaults.blockTags, "@effect"],
    // The text of a default is ours to format.
    jsDocCompatibility: { defaultTag: false },
    sort: ["source-order"],
    excludeExternals: true,
    // Where a declaration stands is asked of git, which a copy of the project may not have.
    disableSources: true,
    readme: "none",
    logLevel: "Warn",
    // `npm run types` does that.
    skipErrorChecking: true,
  });
  const project = await app.convert();
  if (project === undefined || app.logger.hasWarnings() || app.logger.hasErrors()) {
    throw new Error("TypeDoc can't read the code, see above");
  }
  return project;
}

/** The one interface or class of that name. */
export function declaration(project: Models.ProjectReflection, name: string): Models.DeclarationReflection {
  const found = project
    .getReflectionsByKind(ReflectionKind.Interface | ReflectionKind.Class)
    .filter((reflection) => reflection.name === name);
  const [only] = found;
  if (only === undefined || found.length > 1 || !only.isDeclaration()) {
    throw new Error(`there are ${found.length} interfaces and classes named ${name}, not one`);
  }
  return only;
}
