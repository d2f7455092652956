// What the tests of causes share: one change of a zone, and what is said of it.
import assert from "node:assert/strict";
import { causeText } from "../../ci/preview/words.ts";
import {
  CHECKSUM,
  type deployment,
  DIGESTS,
  EXPIRES,
  type RawDiagnostic,
  type RawStep,
  step,
  zoneOf,
} from "./support.ts";

export const OLD = "2026-12-29T20:02:49Z";
export const NEW = "2027-02-27T20:03:58Z";
export const ROTATED = [CHECKSUM, DIGESTS, EXPIRES];

/** Headline, effect and causes of the one change of a zone. */
export function only(steps: RawStep[], diagnostics: RawDiagnostic[] = []): string[] {
  const { headline, entries } = zoneOf(steps, diagnostics);
  const changes = entries.flatMap((entry) => entry.changes);
  assert.equal(changes.length, 1);
  return [headline, changes[0]?.effect ?? "", ...(changes[0]?.causes ?? []).map(causeText)];
}

export function updated(
  old: ReturnType<typeof deployment>,
  next: ReturnType<typeof deployment>,
  paths: string[],
): RawStep {
  return step("update", { kind: "Deployment", old, new: next, paths });
}
