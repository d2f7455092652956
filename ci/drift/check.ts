import { type Limits, lookLimit, updateLimit } from "../limit.ts";
import { type Answer, errorOf, pulumi, pulumiJson, type Run } from "../pulumi.ts";
import { previewZone } from "../preview/run.ts";
import { shortened } from "../preview/words.ts";
import { liveRows } from "../status/live.ts";
import { rowsOf } from "../status/rows.ts";
import { zonePlace } from "../zone.ts";
import { changeFindings, editFindings, isAmbiguous, type Seen } from "./findings.ts";
import { canMend, type Finding, sorted, type ZoneCheck } from "./model.ts";
import { readObjects } from "./objects.ts";
import { untold } from "./registration.ts";
import { statesOf, unreadable } from "./states.ts";

/** A preview goes on where the cluster can't be read; a check has then seen nothing. */
const CLUSTER_UNREADABLE = /^the cluster of zone \S+ can't be read: /;

/**
 * Where what others wrote stays, or a preview may not create, the API server may refuse ours beside it: another port of
 * the same name, say.
 */
const REFUSED = /^Preview failed: /;

/** Checks one zone. What goes wrong is the zone's own failure. */
export async function checkZone(stack: string, now: Date, limits: Limits): Promise<ZoneCheck> {
  const limit = lookLimit(limits);
  const [report, outputs, config] = await Promise.all([
    previewZone(stack, now, limit),
    pulumiJson(stack, ["stack", "output", "--json"], limit),
    // Without --show-secrets the CLI gives no value of a secret.
    pulumiJson(stack, ["config", "--json"], limit),
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
    seen.intended = await previewZone(stack, now, limit, ["--refresh=false"]);
    if (seen.intended.failure !== undefined) return failed(seen.intended.failure);
  }
  const changes = changeFindings(seen);
  const { findings, components, notes } = statesOf(rows, untold(report.warnings, changes));
  return { stack, findings: sorted([...changes, ...findings]), components, notes };
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
export async function fixZone(
  before: ZoneCheck,
  say: (text: string) => void,
  limits: Limits & { fixTimeout: number },
): Promise<ZoneCheck> {
  if (!canMend(before) || limits.stop.aborted) return before;
  const { stack } = before;
  const limit = updateLimit(limits.fixTimeout, limits.stop);
  const run = await pulumi(stack, ["up", "--yes", "--skip-preview"], limit);
  say(run.stdout + run.stderr);
  const after = await checkZone(stack, new Date(), limits);
  return afterFix(before, run, after);
}

/** What is left of a zone after `up`, and what is gone. */
export function afterFix(before: ZoneCheck, run: Run, after: ZoneCheck): ZoneCheck {
  const failed: Finding[] = run.code === 0 ? [] : [fixFailed(before.stack, run)];
  const isLeft = (finding: Finding): boolean =>
    after.findings.some((other) => keyOf(other) === keyOf(finding));
  const mended = after.failure === undefined ? before.findings.filter((finding) => !isLeft(finding)) : [];
  return { ...after, findings: [...failed, ...after.findings], mended };
}

function keyOf({ kind, component, object }: Finding): string {
  return JSON.stringify([kind, component?.kind, component?.name, object?.kind, object?.name]);
}

function fixFailed(stack: string, run: Run): Finding {
  const { interrupted } = run;
  const fate = interrupted?.killed === true ? "was killed" : "was interrupted";
  const what = interrupted === undefined ? upError(run) : `\`pulumi up\` ${fate}: ${interrupted.why}`;
  return {
    kind: "fix failed",
    what: shortened(what, 400),
    todo: afterUp(stack, interrupted),
    mendable: false,
  };
}

/** What can be done after an `up` that failed. */
function afterUp(stack: string, interrupted: Run["interrupted"]): string {
  if (interrupted === undefined) return "`pulumi up` by hand shows all of it";
  return interrupted.killed
    ? `\`pulumi cancel --stack ${stack}\` takes away the lock that it may have left; then \`pulumi up\` goes on`
    : "`pulumi up` goes on where it stopped; it left no lock";
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
