import type { Row } from "./rows.ts";

const DAY = 86_400_000;

/** How the pods are counted: `2/3`, or `2` where it is not known how many there should be. */
export function readyText({ ready, desired }: Row): string {
  if (ready === undefined) return "";
  return desired === undefined ? String(ready) : `${ready}/${desired}`;
}

/** A version; of a digest, as much as tells it from others. */
export function versionText(version: string): string {
  return version.replace(/^(sha\d+:[0-9a-f]{12})[0-9a-f]+$/, "$1");
}

/** How far a time is from now, in whole days or, within the last one, hours: `90d`, `5h`. */
export function distance(from: Date, to: Date): string {
  const left = Math.abs(to.getTime() - from.getTime());
  return left >= DAY ? `${Math.floor(left / DAY)}d` : `${Math.floor(left / (DAY / 24))}h`;
}

/** A token's end for people: `2027-02-27 (90d)`, `2026-11-20 (9d ago)`. */
export function expiryText(end: string | undefined, now: Date): string {
  if (end === undefined) return "";
  const date = new Date(end);
  const far = distance(now, date);
  return `${dayOf(date)} (${date < now ? `${far} ago` : far})`;
}

/** `2027-02-27`, UTC. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** A condition in one word: `Available=AllReplicasReady`, with its status where that is not True. */
export function conditionWord({ type, status, reason }: Row["conditions"][number]): string {
  return `${type}=${status === "True" ? "" : `${status}/`}${reason || status}`;
}

/**
 * Text from elsewhere in one line that leaves terminals and page alone: control characters and those that turn the
 * direction of writing are replaced.
 */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
