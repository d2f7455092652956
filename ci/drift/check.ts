import { type Answer, errorOf, pulumi, pulumiJson, type Run } from "../pulumi.ts";
import { previewZone } from "../preview/run.ts";
import { shortened } from "../preview/words.ts";
import { liveRows } from "../status/live.ts";
import { rowsOf } from "../status/rows.ts";
import { zonePlace } from "../zone.ts";
import { changeFindings, editFindings, isAmbiguous, type Seen } from "./findings.ts";
import { canMend, type Finding, sorted, type ZoneCheck } from "./model.ts";
import { readObjects } from "./objects.ts";
import { statesOf, unreadable } from "./states.ts";

/** A preview goes on where the cluster can't be read; a check has then seen nothing. */
const CLUSTER_UNREADABLE = /^the cluster of zone \S+ can't be read: /;

/**
 * Where what others wrote stays, or a preview may not create, the API server may refuse ours beside it: another port of
 * the same name, say.
 */
const REFUSED = /^Preview failed: /;

/** Checks one zone. What goes wrong is the zone's own failure. */
export async function checkZone(stack: string, now: Date): Promise<ZoneCheck> {
  const [report, outputs, config] = await Promise.all([
    previewZone(stack, now),
    pulumiJson(stack, ["stack", "output", "--json"]),
    // Without --show-secrets the CLI gives no value of a secret.
    pulumiJson(stack, ["config", "--json"]),
  ]);
  const last = valueOf(outputs) === undefined ? [] : rowsOf(stack, valueOf(outputs), now);
  // What was known of tokens stays known: nobody must miss an end because a zone could not be asked.
  const failed = (why: string): ZoneCheck => failedCheck(stack, why, statesOf(last, []).components);
  const blind = report.warnings.find(({ message }) => CLUSTER_UNREADABLE.test(message))?.message;
  const problem =
    report.failure ??
    blind?.replace(/\. This preview plans as if .*$/, "") ??
    errorIn(config) ??
    errorIn(outputs);
  if (problem !== undefined) {
    const check = failed(problem);
    if (!REFUSED.test(problem) || errorIn(config) !== undefined) return check;
    const objects = await readObjects(stack, valueOf(config));
    const mendable = zonePlace(valueOf(config))?.drift !== "warn";
    return "error" in objects ? check : { ...check, findings: sorted(editFindings(objects, mendable)) };
  }
  const [rows, objects] = await Promise.all([
    liveRows(stack, last, valueOf(config), now),
    readObjects(stack, valueOf(config)),
  ]);
  if ("error" in objects) return failed(objects.error);
  const why = unreadable(rows);
  if (why !== undefined) return failed(why);
  const seen: Seen = { report, objects };
  if (isAmbiguous(seen)) {
    seen.intended = await previewZone(stack, now, ["--refresh=false"]);
    if (seen.intended.failure !== undefined) return failed(seen.intended.failure);
  }
  const { findings, components, notes } = statesOf(rows, report.warnings);
  return { stack, findings: sorted([...changeFindings(seen), ...findings]), components, notes };
}

/** A zone of which nothing is known but why, and what its last run has left. */
export function failedCheck(stack: string, why: string, components: ZoneCheck["components"] = []): ZoneCheck {
  const failure = shortened(why.split("\n")[0]?.trim() || "no reason was given", 400);
  return { stack, failure, findings: [], components, notes: [] };
}

/**
 * Runs `up` where it can mend something, and checks once more. `say` gets what `up` says.
 * @returns the zone as it is then
 */
export async function fixZone(before: ZoneCheck, say: (text: string) => void): Promise<ZoneCheck> {
  if (!canMend(before)) return before;
  const { stack } = before;
  const run = await pulumi(stack, ["up", "--yes", "--skip-preview"]);
  say(run.stdout + run.stderr);
  const after = await checkZone(stack, new Date());
  return afterFix(before, run, after);
}

/** What is left of a zone after `up`, and what is gone. */
export function afterFix(before: ZoneCheck, run: Run, after: ZoneCheck): ZoneCheck {
  const failed: Finding[] =
    run.code === 0
      ? []
      : [
          {
            kind: "fix failed",
            what: shortened(upError(run), 400),
            todo: "`pulumi up` by hand shows all of it",
            mendable: false,
          },
        ];
  const isLeft = (finding: Finding): boolean =>
    after.findings.some((other) => keyOf(other) === keyOf(finding));
  const mended = after.failure === undefined ? before.findings.filter((finding) => !isLeft(finding)) : [];
  return { ...after, findings: [...failed, ...after.findings], mended };
}

function keyOf({ kind, component, object }: Finding): string {
  return JSON.stringify([kind, component?.kind, component?.name, object?.kind, object?.name]);
}

/** The first error that says more than that there was one. */
function upError(run: Run): string {
  const isPlain = (line: string): boolean => /^\s*error: (?:update|preview) failed\s*$/.test(line);
  const told = (text: string): string =>
    text
      .split("\n")
      .filter((line) => !isPlain(line))
      .join("\n");
  return errorOf({ ...run, stdout: told(run.stdout), stderr: told(run.stderr) });
}

function valueOf(answer: Answer): unknown {
  return "value" in answer ? answer.value : undefined;
}

function errorIn(answer: Answer): string | undefined {
  return "error" in answer ? answer.error : undefined;
}
