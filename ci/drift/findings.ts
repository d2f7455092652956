// Sorts what the next run changes by who caused it: others in the cluster, a rotation, or the program and its args.
import { BOOKKEEPING, type Cause, CHECKSUM, isSameField, REPAIRS } from "../preview/causes.ts";
import type { Change } from "../preview/changes.ts";
import type { Entry, ZoneReport } from "../preview/model.ts";
import { causeText, counted, listed } from "../preview/words.ts";
import type { FieldEdit, Finding } from "./model.ts";
import type { LiveObject } from "./objects.ts";
import { asksPlatform, registrationFinding } from "./registration.ts";

const MEND = "`pulumi up` puts it back (--fix)";
const STAYS =
  "no run removes it (zone.drift is warn): undo it, list its manager in zone.allowManagers, or set zone.drift to repair";

/** What is found by a preview, and in the live objects. */
export interface Seen {
  /** The preview, which looks at the cluster. */
  report: ZoneReport;
  /** The changes of a preview that does not, where it was needed: what program and args alone make different. */
  intended?: ZoneReport | undefined;
  objects: readonly LiveObject[];
}

/**
 * Whether the preview alone can't tell somebody's hand from a change of the program: a field changes that nobody else
 * owns, and it was either removed in the cluster or is to be another one.
 */
export function isAmbiguous({ report, objects }: Pick<Seen, "report" | "objects">): boolean {
  return changesIn(report).some((change) => {
    if (change.op !== "update" || change.isComponent) return false;
    const edits = find(objects, change)?.edits ?? [];
    const open = change.paths.filter((path) => path !== REPAIRS && !isIn(edits, path));
    const rotates =
      change.causes.some(isRotation) && !change.paths.some((path) => isTold(path) && isIn(edits, path));
    const expected = (path: string): boolean =>
      (rotates && isTold(path)) || (change.partOf !== undefined && path.startsWith("data."));
    return open.some((path) => !expected(path)) || (!rotates && change.paths.some(isTold));
  });
}

/** Drift, deleted objects, rotations and args that wait to be applied. */
export function changeFindings({ report, intended, objects }: Seen): Finding[] {
  const found = report.entries.flatMap((entry): Finding[] => {
    if (entry.whole !== undefined) return [wholeFinding(entry, entry.whole)];
    const real = entry.changes.filter(({ isComponent }) => !isComponent);
    return (real.length > 0 ? real : entry.changes).flatMap((change) => {
      const planned =
        intended === undefined ? change : changesIn(intended).find((other) => isSame(other, change));
      return asksPlatform(change)
        ? [registrationFinding(change.component, report.warnings)]
        : findingsOf(change, planned, find(objects, change));
    });
  });
  // What others wrote where no run is going to do anything about it.
  const left = objects.filter(
    (object) =>
      object.component !== undefined &&
      object.edits.length > 0 &&
      !found.some(({ kind, object: of }) => kind === "drift" && of !== undefined && isSame(of, object)),
  );
  const changes = changesIn(report);
  return [
    ...found,
    ...left.map((object) => {
      const isPlanned = changes.some((change) => isSame(change, object));
      return driftFinding(object, object.component, object.edits, isPlanned);
    }),
  ];
}

/** What others wrote, where there is no preview to say what a run does about it. */
export function editFindings(objects: readonly LiveObject[], mendable: boolean): Finding[] {
  return objects
    .filter(({ component, edits }) => component !== undefined && edits.length > 0)
    .map((object) => driftFinding(object, object.component, object.edits, mendable));
}

function findingsOf(change: Change, planned: Change | undefined, live: LiveObject | undefined): Finding[] {
  const { op, component, causes, kind, name } = change;
  const about = { component, object: { kind, name }, mendable: true };
  if (op === "create" && causes.some(({ type }) => type === "gone")) {
    const what = `${kind} ${name} is gone from the cluster`;
    return [{ kind: "deleted", ...about, what, todo: "`pulumi up` makes it anew (--fix)" }];
  }
  if (op !== "update" || change.isComponent) return [argsFinding(change, wordsOf(change))];
  const edits = driftOf(change, planned, live);
  const drift = edits.length > 0 ? [driftFinding(about.object, component, edits, true)] : [];
  // It goes with the Deployment that it rolls, and is told there.
  if (planned === undefined || planned.partOf !== undefined) return drift;
  const rotation = planned.causes.filter((cause) => isRotation(cause) || isOwnRotation(cause, planned));
  const others = planned.causes.filter(
    (cause) => !rotation.includes(cause) && cause.type !== "repair" && cause.type !== "gone",
  );
  const args = others.length > 0 ? [argsFinding(change, others.map(causeText).join("; "))] : [];
  if (rotation.length > 0) {
    const what = rotation.map(causeText).join("; ");
    const todo =
      change.effect === "rolls pods"
        ? "`pulumi up` rolls the pods (--fix)"
        : "`pulumi up` applies it (--fix)";
    return [...drift, { kind: "rotation pending", ...about, what, todo }, ...args];
  }
  const told = [...drift, ...args];
  return told.length > 0 ? told : [argsFinding(change, wordsOf(change))];
}

/** Fields that others wrote, and those that differ although neither program nor args do. */
function driftOf(change: Change, planned: Change | undefined, live: LiveObject | undefined): FieldEdit[] {
  const fromRun = change.causes.flatMap((cause): FieldEdit[] => (cause.type === "repair" ? cause.edits : []));
  const edits = live !== undefined && live.edits.length > 0 ? live.edits : fromRun;
  const isPlanned = (path: string): boolean => planned?.paths.some((other) => meets(other, path)) ?? false;
  // What the program changes anyway may have been scaled by somebody before.
  const isScaled = (path: string): boolean => path === "spec.replicas" && live?.scaler !== undefined;
  const removed = change.paths.filter(
    (path) => path !== REPAIRS && !isIn(edits, path) && (!isPlanned(path) || isScaled(path)),
  );
  const byWriter = Map.groupBy(removed, (path) => JSON.stringify(live?.writerOf(path) ?? {}));
  const others = [...byWriter].map(([who, paths]) => ({
    paths,
    ...(JSON.parse(who) as Omit<FieldEdit, "paths">),
  }));
  const all = [...edits, ...others];
  // A repair that nobody's fields are known of is one all the same.
  const isRepair = change.causes.some(({ type }) => type === "repair");
  return all.length === 0 && isRepair ? [{ paths: ["fields of others"] }] : all;
}

function driftFinding(
  { kind, name }: { kind: string; name: string },
  component: Finding["component"],
  edits: readonly FieldEdit[],
  mendable: boolean,
): Finding {
  const what = edits.map(editText).join("; ");
  const todo = mendable ? MEND : STAYS;
  return { kind: "drift", component, object: { kind, name }, what, todo, mendable, edits: [...edits] };
}

/** Paths of one manager that are named in a line; the document has them all. */
const MOST_PATHS = 8;

function editText({ paths, manager, time }: FieldEdit): string {
  const who = manager === undefined ? "removed, or changed by nobody who is known" : `by ${manager}`;
  return `${listed(paths, MOST_PATHS)} (${who}${time === undefined ? "" : ` at ${time}`})`;
}

function argsFinding({ component, kind, name }: Change, what: string): Finding {
  const todo = "review `pulumi preview`; `pulumi up` applies it (--fix)";
  return { kind: "args pending", component, object: { kind, name }, what, todo, mendable: true };
}

function wholeFinding({ component, changes }: Entry, whole: "creates" | "deletes"): Finding {
  const objects = counted(changes.filter(({ isComponent }) => !isComponent).length, "object");
  const what = whole === "creates" ? `is not made yet (${objects})` : `is to be DELETED (${objects})`;
  const todo = "review `pulumi preview`; `pulumi up` applies it (--fix)";
  return { kind: "args pending", component, what, todo, mendable: true };
}

function wordsOf({ effect, op, causes, paths }: Change): string {
  const loud = {
    deletes: "is to be DELETED",
    replaces: "is to be REPLACED",
    creates: "is not made yet",
  } as const;
  if (effect === "unknown") return `unknown operation ${op}`;
  const verb = effect in loud ? loud[effect as keyof typeof loud] : "is to be updated";
  const why = causes.length > 0 ? causes.map(causeText).join("; ") : listed(paths, MOST_PATHS);
  return why === "" ? verb : `${verb}: ${why}`;
}

/** Whether a cause is that what pods read has changed, not which objects they read. */
function isRotation(cause: Cause): boolean {
  if (cause.type === "reference") return cause.how === "changed" || cause.keys.length > 0;
  return cause.type === "token rotated" || cause.type === "checksum";
}

/** A token of the stack file that rolls no pods, since they are not there or are just made. */
function isOwnRotation(cause: Cause, { kind }: Change): boolean {
  return cause.type === "secret data" && kind === "Secret";
}

/** A field by which a run tells what pods read. */
function isTold(path: string): boolean {
  return path === CHECKSUM || (path !== REPAIRS && BOOKKEEPING.includes(path));
}

function isIn(edits: readonly FieldEdit[], path: string): boolean {
  return edits.some(({ paths }) => paths.some((edited) => isSameField(edited, path)));
}

/** Whether one path is the other, or lies in it. */
function meets(a: string, b: string): boolean {
  return (
    a === b ||
    [`${a}.`, `${a}[`].some((start) => b.startsWith(start)) ||
    [`${b}.`, `${b}[`].some((start) => a.startsWith(start))
  );
}

function changesIn({ entries }: ZoneReport): Change[] {
  return entries.flatMap(({ changes }) => changes);
}

function isSame(a: { kind: string; name: string }, b: { kind: string; name: string }): boolean {
  return a.kind === b.kind && a.name === b.name;
}

function find(objects: readonly LiveObject[], change: Change): LiveObject | undefined {
  return objects.find((object) => isSame(object, change));
}
