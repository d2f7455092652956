import { type Models, ReflectionKind } from "typedoc";
import { type Field, fieldsOf, gapsOf, type Knowledge } from "./fields.ts";
import { integerPaths } from "./integers.ts";
import { oneLine } from "./markdown.ts";
import type { Page } from "./pages.ts";
import { declaration } from "./project.ts";

/** A component as its code describes it. */
export interface Component {
  /** What the fields are as a whole. */
  about: string;
  /** The fields of a stack file. */
  fields: Field[];
  /** Parameters of the constructor: `opts?: ComponentResourceOptions`. */
  parameters: string[];
  /** What only a program gives. */
  args: Field[];
  outputs: Field[];
  /** What the code does not say and should. */
  gaps: string[];
}

export function describeComponent(project: Models.ProjectReflection, page: Page): Component {
  const { component, schema, external } = page;
  const spec = declaration(project, `${component}Spec`);
  const nothing: Knowledge = { integers: new Set(), external: {}, without: new Set() };
  const fields = fieldsOf(spec, { ...nothing, integers: integerPaths(schema), external });

  const inStackFile = new Set(fields.map(({ path }) => path));
  const args = fieldsOf(declaration(project, `${component}Args`), { ...nothing, without: inStackFile });

  const type = declaration(project, component);
  const outputs = fieldsOf(type, nothing);
  const undescribed = outputs.filter(({ meaning }) => meaning === "");
  return {
    about: oneLine(spec.comment?.summary),
    fields,
    parameters: parametersOf(type),
    args,
    outputs,
    gaps: [
      ...gapsOf([...fields, ...args]),
      ...undescribed.map(({ path }) => `output ${path} has no description`),
    ],
  };
}

function parametersOf(type: Models.DeclarationReflection): string[] {
  const constructor = type.getChildrenByKind(ReflectionKind.Constructor)[0]?.signatures?.[0];
  return (constructor?.parameters ?? []).map(
    ({ name, flags, type }) => `${name}${flags.isOptional ? "?" : ""}: ${type?.toString() ?? "unknown"}`,
  );
}
