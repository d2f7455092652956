import { type Cause, causesOf, type Edit, expiresAt } from "./causes.ts";
import { QUIET_OPS } from "./quiet.ts";
import type { Preview, Step } from "./read.ts";
import { REGISTRATION, registrationCauses } from "./registration.ts";

/** What a change does to running pods, or to the object itself. */
export type Effect =
  | "rolls pods"
  | "starts or stops pods"
  | "no effect on pods"
  | "creates"
  | "deletes"
  | "replaces"
  /** An operation that we don't know, or an update that doesn't say of what. */
  | "unknown";

/** One object that the next run changes, and why. */
export interface Change {
  op: string;
  /** Kind of the object: `Deployment`. */
  kind: string;
  name: string;
  namespace?: string | undefined;
  component?: Step["component"];
  /** Whether it is the component itself, which is no object of the cluster. */
  isComponent: boolean;
  effect: Effect;
  causes: Cause[];
  /** End of the config token, where this object knows it: RFC 3339. */
  expiry?: { before?: string | undefined; after?: string | undefined };
  paths: string[];
  /** The change that it is a part of: the Secret of a token goes with the Deployment that it rolls. */
  partOf?: string;
}

/** Operations by which one replacement is made. */
const REPLACING: ReadonlySet<string> = new Set([
  "replace",
  "create-replacement",
  "delete-replaced",
  "discard-replaced",
  "import-replacement",
  "read-replacement",
  "remove-pending-replace",
]);

/** What a preview is about to change, in the order of the components. Unknown operations count as changes. */
export function changesOf(preview: Preview): Change[] {
  const changes = joinReplacements(preview.steps.filter(({ op }) => !QUIET_OPS.has(op)))
    .filter(({ type }) => type !== "pulumi:pulumi:Stack")
    .map((step): Change => {
      const edits = editsOf(step, preview.diagnostics);
      const [before, after] = [expiresAt(step.before), expiresAt(step.after)];
      return {
        op: step.op,
        kind: kindOf(step.type),
        name: step.name,
        namespace: step.after?.namespace ?? step.before?.namespace,
        component: step.component,
        isComponent: step.type.startsWith("proxies:index:"),
        effect: effectOf(step, edits),
        causes:
          step.type === REGISTRATION
            ? registrationCauses(step, preview.diagnostics)
            : causesOf(step, edits, preview.refreshed.has(step.urn)),
        ...((before ?? after) !== undefined && { expiry: { before, after } }),
        paths: step.paths,
      };
    })
    .sort((a, b) => compare(keyOf(a), keyOf(b)));
  return changes.map((change) => {
    const whole = wholeOf(change, changes);
    return whole === undefined ? change : { ...change, partOf: `${whole.kind} ${whole.name}` };
  });
}

/** The engine takes up to three steps to replace an object; a document shows one of them, the events all. */
function joinReplacements(steps: readonly Step[]): Step[] {
  const parts = Map.groupBy(
    steps.filter(({ op }) => REPLACING.has(op)),
    ({ urn }) => urn,
  );
  const joined = new Set<string>();
  return steps.flatMap((step): Step[] => {
    if (!REPLACING.has(step.op)) return [step];
    if (joined.has(step.urn)) return [];
    joined.add(step.urn);
    const all = parts.get(step.urn) ?? [];
    const main = all.find(({ op }) => op === "replace") ?? step;
    return [
      {
        ...main,
        op: "replace",
        before: main.before ?? all.find(({ before }) => before)?.before,
        after: main.after ?? all.find(({ after }) => after)?.after,
        paths: [...new Set(all.flatMap(({ paths }) => paths))].sort(),
      },
    ];
  });
}

function kindOf(type: string): string {
  return type.startsWith("pulumi:providers:") ? "Provider" : (type.split(":").at(-1) ?? type);
}

/** Objects without component come last. */
function keyOf({ component, kind, name, isComponent }: Change): string {
  return [component?.kind ?? "\uffff", component?.name ?? "", isComponent ? "" : kind, name].join("\0");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The Deployment that rolls because a Secret of ours changes in the same run. */
function wholeOf(secret: Change, changes: readonly Change[]): Change | undefined {
  if (secret.kind !== "Secret" || secret.op !== "update") return undefined;
  return changes.find(
    ({ component, effect, causes }) =>
      effect === "rolls pods" &&
      component?.kind === secret.component?.kind &&
      component?.name === secret.component?.name &&
      causes.some(
        (cause) =>
          (cause.type === "token rotated" && cause.secret === secret.name) ||
          (cause.type === "reference" && cause.object === `Secret ${secret.name}`),
      ),
  );
}

function effectOf({ op, type, paths }: Step, edits: readonly Edit[]): Effect {
  if (op === "create") return "creates";
  if (op === "delete") return "deletes";
  if (REPLACING.has(op)) return "replaces";
  if (op !== "update") return "unknown";
  if (!type.startsWith("kubernetes:apps/v1:")) return "no effect on pods";
  // The engine's diff does not know what a repair takes out of the pods.
  const all = [...paths, ...edits.flatMap((edit) => edit.paths)];
  if (all.length === 0) return "unknown";
  if (all.some((path) => touches(path, "spec.template"))) return "rolls pods";
  return all.some((path) => touches(path, "spec.replicas")) ? "starts or stops pods" : "no effect on pods";
}

/** Whether a path lies in a field, or holds it. */
function touches(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || field.startsWith(`${path}.`);
}

/** A warning of the program that tells of a repair: `Service ns/x has fields that are not ours: ... (by kubectl); ...` */
const REPAIR = /^(\w+) (?:[^/\s]+)\/(\S+) has fields that are not ours: (.+); this run removes them$/s;

/** Whether a warning is told as the cause of a change. */
export function tellsRepair(message: string, changes: readonly Change[]): boolean {
  const [, kind, name] = REPAIR.exec(message) ?? [];
  return changes.some(
    (change) =>
      change.kind === kind &&
      change.name === name &&
      change.causes.some((cause) => cause.type === "repair" && cause.edits.length > 0),
  );
}

/** What others added to an object, and who, as the warning of the run names it. */
function editsOf({ type, name }: Step, diagnostics: Preview["diagnostics"]): Edit[] {
  return diagnostics.flatMap(({ message }) => {
    const [, kind, of, found = ""] = REPAIR.exec(message) ?? [];
    if (kind !== kindOf(type) || of !== name) return [];
    return [...found.matchAll(/(.+?) \(by (.+?)\)(?:; |$)/gs)].map(([, paths = "", manager = ""]) => ({
      manager,
      paths: paths.split(", "),
    }));
  });
}
