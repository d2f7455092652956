// The condition Healthy: a connector that runs is asked how it is. It changes neither the phase nor any other condition.
import type { HttpAnswer, PodRequest } from "../cluster/cluster.ts";
import type { Judgement } from "../workload/conditions.ts";
import type { HealthCheckSpec } from "./args.ts";
import { type HealthReport, readReport } from "./health-report.ts";

/** Sends a request to the connector. */
export type Ask = (request: PodRequest) => Promise<HttpAnswer>;

/** What asking a path has brought. */
export type Finding =
  | { path: string; found: "report"; report: HealthReport }
  /** An answer, but no report. */
  | { path: string; found: "no report"; code: number }
  | { path: string; found: "no answer"; detail: string };

const PATHS = ["/v2/health", "/v1/health"];
export const DEFAULT_TIMEOUT_SECONDS = 10;
export const DEFAULT_PERIOD_SECONDS = 30;
const MAX_REPORT_BYTES = 1 << 20;

/** HTTP status codes with which a report may come. */
const REPORTING_CODES = [200, 503];

const NOT_RUNNING: Judgement = {
  type: "Healthy",
  status: "Unknown",
  reason: "NotRunning",
  message: "the connector does not run, so it was not asked",
};

/** For a preview, where nobody was asked before. */
export const NOT_ASKED: Judgement = {
  type: "Healthy",
  status: "Unknown",
  reason: "NotAsked",
  message: "a preview does not ask the connector",
};

/**
 * Asks a connector that runs how it is: one path after the other, until there is a report or no answer. There is no
 * such condition where nobody wants to know.
 */
export async function askHealth(
  check: HealthCheckSpec,
  running: boolean,
  ask: Ask,
): Promise<Judgement | undefined> {
  const { enabled = true, path: only, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = check;
  if (!enabled) return undefined;
  if (!running) return NOT_RUNNING;
  const end = performance.now() + timeoutSeconds * 1000;
  const findings: Finding[] = [];
  for (const path of only === undefined ? PATHS : [only]) {
    // When the time is over, a millisecond is left: who asks then says so in its own words.
    const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
    const finding = findingOf(path, await ask(requestFor(path, timeoutMs)));
    findings.push(finding);
    if (finding.found !== "no report") break;
  }
  return healthOf(findings);
}

function requestFor(path: string, timeoutMs: number): PodRequest {
  return {
    method: "GET",
    path: path.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: { Accept: "application/json" },
    timeoutMs,
    maxBytes: MAX_REPORT_BYTES,
  };
}

/** What an answer is worth. */
export function findingOf(path: string, answer: HttpAnswer): Finding {
  if (answer.outcome === "too large") return { path, found: "no report", code: answer.status };
  if (answer.outcome !== "answered") return { path, found: "no answer", detail: answer.detail };
  const report = REPORTING_CODES.includes(answer.status) ? readReport(answer.body) : undefined;
  return report === undefined
    ? { path, found: "no report", code: answer.status }
    : { path, found: "report", report };
}

/** The condition that follows from what was found, path by path; the last finding decides. */
export function healthOf(findings: readonly Finding[]): Judgement {
  const last = findings.at(-1);
  if (last?.found === "report") {
    const { status, reason, summary } = last.report;
    return { type: "Healthy", status, reason, message: summary };
  }
  const reason = last?.found === "no answer" ? "NoAnswer" : "NoHealthReport";
  return { type: "Healthy", status: "Unknown", reason, message: findings.flatMap(said).join("; ") };
}

function said(finding: Finding): string[] {
  if (finding.found === "report") return [];
  return finding.found === "no report"
    ? [`${finding.path} answered ${finding.code} without a health report`]
    : [`${finding.path} gave no answer: ${finding.detail}`];
}
