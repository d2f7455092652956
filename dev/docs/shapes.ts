import { type Models, ReflectionKind } from "typedoc";
import { code } from "./markdown.ts";

/** What a type comes to for somebody who writes a stack file. */
export interface Shape {
  /** In Markdown. */
  text: string;
  /** Path of the fields that it holds, through lists (`[]`) and maps (`.<name>`). */
  path: string;
  /** The declaration of those fields, if it has any. */
  holder: Models.DeclarationReflection | undefined;
}

/** The shape of the type at `path`; `integers` are the paths of whole numbers. */
export function shapeOf(
  type: Models.SomeType | undefined,
  path: string,
  integers: ReadonlySet<string>,
): Shape {
  const bare = unwrap(type);
  const leaf = (text: string): Shape => ({ text, path, holder: undefined });
  const many = (what: "list" | "map", element: Models.SomeType, at: string): Shape => {
    const shape = shapeOf(element, at, integers);
    return { ...shape, text: `${what} of ${shape.text === "object" ? "objects" : shape.text}` };
  };
  if (bare === undefined) return leaf("anything");
  if (bare.type === "array") return many("list", bare.elementType, `${path}[]`);
  const values = mapValues(bare);
  if (values !== undefined) return many("map", values, `${path}.<name>`);
  const holder = declarationOf(bare);
  if (holder?.children !== undefined) return { text: "object", path, holder };
  // TypeScript's order of alternatives depends on what else there is in the program.
  const text = bare.type === "union" ? given(bare).sort().join(" | ") : bare.toString();
  if (text === "unknown") return leaf("anything");
  return leaf(code(text === "number" && integers.has(path) ? "integer" : text));
}

/** The alternatives of a union, of which being left out is none. */
function given({ types }: Models.UnionType): string[] {
  return types.map((member) => member.toString()).filter((text) => text !== "undefined");
}

const WRAPPERS = ["Input", "Output", "OutputInstance"];

/** The type itself, without what stands around it: `undefined`, Pulumi's promises, `readonly`, an alias. */
function unwrap(type: Models.SomeType | undefined): Models.SomeType | undefined {
  if (type?.type === "union") {
    const others = type.types.filter((member) => member.toString() !== "undefined");
    return others.length === 1 ? unwrap(others[0]) : type;
  }
  if (type?.type === "typeOperator") return unwrap(type.target);
  if (type?.type !== "reference") return type;
  if (WRAPPERS.includes(type.name)) return unwrap(type.typeArguments?.[0]);
  const alias = type.reflection;
  return alias?.isDeclaration() && alias.kindOf(ReflectionKind.TypeAlias) ? unwrap(alias.type) : type;
}

/** The type of a map's values, if it is one. */
function mapValues(type: Models.SomeType): Models.SomeType | undefined {
  if (type.type === "reference" && type.name === "Record") return type.typeArguments?.[1];
  const holder = type.type === "reflection" ? type.declaration : undefined;
  return holder?.children === undefined ? holder?.indexSignatures?.[0]?.type : undefined;
}

function declarationOf(type: Models.SomeType): Models.DeclarationReflection | undefined {
  if (type.type === "reflection") return type.declaration;
  const target = type.type === "reference" ? type.reflection : undefined;
  return target?.isDeclaration() && target.kindOf(ReflectionKind.Interface) ? target : undefined;
}
