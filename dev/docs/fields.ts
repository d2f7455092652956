import { type Models, ReflectionKind } from "typedoc";
import { link, oneLine } from "./markdown.ts";
import { shapeOf } from "./shapes.ts";

/** A field as its JSDoc describes it; texts are Markdown on one line, empty where nothing is said. */
export interface Field {
  /** As in a stack file: `secretRefs[].keys[].envVar`. */
  path: string;
  type: string;
  required: boolean;
  default: string;
  /** What a change of it does. */
  effect: string;
  meaning: string;
  /** What the declaration of its fields says of itself. */
  about: string;
  /** What it holds. */
  fields: Field[];
}

/** What is known of paths beside the declarations. */
export interface Knowledge {
  integers: ReadonlySet<string>;
  external: Record<string, { kind: string; url: string }>;
  /** Fields to leave out. */
  without: ReadonlySet<string>;
}

/** Where a field stands: before its name, what its declaration says of effects, and the declarations around it. */
interface Place {
  prefix: string;
  effect: string;
  around: readonly Models.DeclarationReflection[];
}

const TOP: Place = { prefix: "", effect: "", around: [] };

/** All fields of a declaration, with those that they hold. */
export function fieldsOf(
  holder: Models.DeclarationReflection,
  knowledge: Knowledge,
  place: Place = TOP,
): Field[] {
  const effect = tag(holder, "@effect") || place.effect;
  const around = [...place.around, holder];
  return (holder.children ?? [])
    .filter((child) => child.kindOf(ReflectionKind.Property))
    .filter((child) => !knowledge.without.has(`${place.prefix}${child.name}`))
    .map((child) => fieldOf(child, knowledge, { ...place, effect, around }));
}

function fieldOf(field: Models.DeclarationReflection, knowledge: Knowledge, place: Place): Field {
  const path = `${place.prefix}${field.name}`;
  const shape = shapeOf(field.type, path, knowledge.integers);
  const own = tag(field, "@effect");
  const effect = own || place.effect;
  const told = {
    path,
    required: !field.flags.isOptional,
    default: tag(field, "@default"),
    meaning: oneLine(field.comment?.summary),
  };
  const external = knowledge.external[path];
  if (external !== undefined) {
    const kind = link(external.kind, external.url);
    const type = shape.path.endsWith("[]") ? `list of ${kind}` : kind;
    return { ...told, type, effect, about: "", fields: [] };
  }
  const { holder } = shape;
  if (holder === undefined) return { ...told, type: shape.text, effect, about: "", fields: [] };
  if (place.around.includes(holder)) {
    throw new Error(`${path} holds itself: list it as external in dev/docs/pages.ts`);
  }
  const fields = fieldsOf(holder, knowledge, { ...place, prefix: `${shape.path}.`, effect });
  return {
    ...told,
    type: shape.text,
    effect: own || tag(holder, "@effect") || commonEffect(fields),
    about: oneLine(holder.comment?.summary),
    fields,
  };
}

function commonEffect(fields: readonly Field[]): string {
  const [first, ...others] = new Set(leaves(fields).map(({ effect }) => effect));
  return others.length === 0 ? (first ?? "") : "depends on the field";
}

function tag(reflection: Models.Reflection, name: `@${string}`): string {
  return oneLine(reflection.comment?.getTag(name)?.content);
}

/** A field and all that it holds, in the order of the code. */
export function withInner(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...withInner(field.fields)]);
}

function leaves(fields: readonly Field[]): Field[] {
  return withInner(fields).filter((field) => field.fields.length === 0);
}

/** What nobody has written down: fields without a description, leaves without an effect. */
export function gapsOf(fields: readonly Field[]): string[] {
  return withInner(fields).flatMap(({ path, meaning, effect }) => [
    ...(meaning === "" ? [`${path} has no description`] : []),
    ...(effect === "" ? [`${path} has no @effect, nor has what holds it`] : []),
  ]);
}
