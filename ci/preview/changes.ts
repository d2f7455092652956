import { REPAIRS_ANNOTATION } from "../../components/children/owner.ts";
import {
  CHECKSUM_ANNOTATION,
  REFERENCE_DIGESTS_ANNOTATION,
  TOKEN_EXPIRES_AT_ANNOTATION,
} from "../../components/workload/checksum.ts";
import type { Preview, Shown, Step } from "./read.ts";

/** What a change does to running pods, or to the object itself. */
export type Effect =
  "rolls pods" | "starts or stops pods" | "no effect on pods" | "creates" | "deletes" | "replaces";

/** One object that the next run changes, and why. */
export interface Change {
  op: string;
  /** Kind of the object, or the whole type when it is none of Kubernetes': `Deployment`. */
  kind: string;
  name: string;
  component?: Step["component"];
  effect: Effect;
  /** One phrase per cause: `Secret dc-east-config, key configToken`. */
  causes: string[];
  /** End of the config token, where this object knows it: RFC 3339. */
  expiry?: { before?: string | undefined; after?: string | undefined };
  paths: string[];
}

/** Operations of the engine that leave things as they are. */
const QUIET = new Set(["same", "read", "refresh"]);
/** Its steps of one replacement are three; the first names it. */
const PARTS_OF_REPLACEMENT = new Set(["create-replacement", "delete-replaced", "discard-replaced"]);

/** What a preview is about to change, in the order of the components. Unknown operations count as changes. */
export function changesOf({ steps, diagnostics }: Preview): Change[] {
  const replaced = new Set(steps.filter(({ op }) => op === "replace").map(({ urn }) => urn));
  return steps
    .filter(({ op, urn }) => !QUIET.has(op) && !(PARTS_OF_REPLACEMENT.has(op) && replaced.has(urn)))
    .filter(({ type }) => type !== "pulumi:pulumi:Stack")
    .map((step): Change => {
      const [before, after] = [step.before, step.after].map(
        (state) => state?.annotations[TOKEN_EXPIRES_AT_ANNOTATION],
      );
      const repairs = repairsOf(step, diagnostics);
      return {
        op: step.op,
        kind: step.type.split(":").at(-1) ?? step.type,
        name: step.name,
        component: step.component,
        effect: effectOf(step, repairs),
        causes: causesOf(step, repairs),
        ...((before ?? after) !== undefined && { expiry: { before, after } }),
        paths: step.paths,
      };
    })
    .sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

function keyOf({ component, kind, name }: Change): string {
  return `${component?.kind ?? "~"} ${component?.name ?? ""} ${kind} ${name}`;
}

function effectOf({ op, type, paths }: Step, repairs: readonly string[]): Effect {
  if (op === "create") return "creates";
  if (op === "delete") return "deletes";
  if (op !== "update") return "replaces";
  if (!/^kubernetes:apps\/v1:/.test(type)) return "no effect on pods";
  // The engine's diff does not know what a repair takes out of the pods.
  const all = [...paths, ...repairs.flatMap((repair) => repair.split(/[,;] /))];
  if (all.some((path) => path.startsWith("spec.template"))) return "rolls pods";
  return paths.includes("spec.replicas") ? "starts or stops pods" : "no effect on pods";
}

const annotation = (name: string): string => `metadata.annotations["${name}"]`;
const EXPLAINED = [
  annotation(REFERENCE_DIGESTS_ANNOTATION),
  annotation(TOKEN_EXPIRES_AT_ANNOTATION),
  annotation(REPAIRS_ANNOTATION),
  `spec.template.${annotation(CHECKSUM_ANNOTATION)}`,
];

function causesOf({ op, before, after, paths }: Step, repairs: readonly string[]): string[] {
  if (op !== "update" || before === undefined || after === undefined) return [];
  const references = referenceCauses(before, after);
  const rolledByConfig = paths.includes(`spec.template.${annotation(CHECKSUM_ANNOTATION)}`);
  const isRepaired = paths.includes(annotation(REPAIRS_ANNOTATION));
  const foreign = repairs.length > 0 ? `: ${repairs.join("; ")}` : "";
  const repaired = isRepaired ? [`repair of foreign edits${foreign}`] : [];
  const image =
    before.image === after.image ? [] : [`image ${before.image ?? "none"} -> ${after.image ?? "none"}`];
  const replicas = paths.includes("spec.replicas")
    ? [`replicas ${before.replicas ?? "none"} -> ${after.replicas ?? "none"}`]
    : [];
  const rest = paths.filter(
    (path) =>
      !EXPLAINED.includes(path) &&
      !(image.length > 0 && /^spec\.template\.spec\.containers\[\d+\]\.image$/.test(path)) &&
      path !== "spec.replicas",
  );
  // A repair says itself what it puts back.
  const args = rest.length > 0 && !isRepaired ? [`args: ${rest.join(", ")}`] : [];
  const unexplained = rolledByConfig && references.length === 0 ? ["configuration checksum"] : [];
  return [...references, ...unexplained, ...image, ...replicas, ...args, ...repaired];
}

/** Which keys of which Secrets and ConfigMaps have changed, from their digests. */
function referenceCauses(before: Shown, after: Shown): string[] {
  const [old, next] = [digestsOf(before), digestsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  return names.flatMap((name) => {
    const what = name.replace("/", " ");
    const [a, b] = [old[name], next[name]];
    if (a === undefined) return [`${what} is read now`];
    if (b === undefined) return [`${what} is no longer read`];
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .filter((key) => a[key] !== b[key])
      .sort();
    if (keys.length === 0) return [];
    const named = keys.filter((key) => key !== "*");
    return [named.length === 0 ? what : `${what}, key ${named.join(", ")}`];
  });
}

function digestsOf({ annotations }: Shown): Record<string, Record<string, string>> {
  try {
    return JSON.parse(annotations[REFERENCE_DIGESTS_ANNOTATION] ?? "{}") as Record<
      string,
      Record<string, string>
    >;
  } catch {
    // Somebody's edit of the annotation: the next run puts it back, and nothing is known of what was before.
    return {};
  }
}

/** What others added to an object, and who: `spec.paused (by kubectl)`, as the warning of the run names it. */
function repairsOf({ type, name, urn, component }: Step, diagnostics: Preview["diagnostics"]): string[] {
  const kind = type.split(":").at(-1) ?? type;
  const parent = component && `::proxies:index:${component.kind}::${component.name}`;
  const told = new RegExp(`^${kind} [^/]+/${name} has fields that are not ours: (.+); `);
  return diagnostics
    .filter(({ urn: of }) => of === urn || (parent !== undefined && of?.endsWith(parent)))
    .flatMap(({ message }) => told.exec(message)?.[1] ?? []);
}
