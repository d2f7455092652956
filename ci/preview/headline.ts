import type { Change } from "./changes.ts";
import { type Entry, objectsOf, URGENCIES, urgencyOf, type ZoneReport } from "./model.ts";
import { causeBrief, counted, listed } from "./words.ts";

/** Objects and causes of one kind that a headline names. */
const MOST = 3;
/** Quiet zones that the first line names one by one. */
const MOST_QUIET = 3;
/** Characters of the first line, from which on zones are only counted. */
const LONG = 1500;

/** One zone in one line; what is lost comes first. */
export function headlineOf(entries: readonly Entry[], warnings: number, now: Date): string {
  const objects = entries.flatMap(objectsOf);
  const of = (effect: Change["effect"]): Change[] => objects.filter((change) => change.effect === effect);
  const [rollouts, scalings, updates] = [
    of("rolls pods"),
    of("starts or stops pods"),
    of("no effect on pods"),
  ];
  const unknown = of("unknown");
  const parts = [
    ...named("REPLACES", "replaces", entries),
    ...named("DELETES", "deletes", entries),
    ...(rollouts.length > 0 ? [counted(rollouts.length, "rollout") + reasons(rollouts, now)] : []),
    ...named("creates", "creates", entries),
    ...(scalings.length > 0 ? [`scales ${names(scalings)}${reasons(scalings, now)}`] : []),
    ...(updates.length > 0
      ? [
          counted(updates.length, objects.length > updates.length ? "other update" : "update") +
            reasons(updates, now),
        ]
      : []),
    ...(unknown.length > 0
      ? [`${counted(unknown.length, "unknown operation")} (${ops(unknown)} on ${names(unknown)})`]
      : []),
  ];
  const changes = parts.length > 0 ? parts.join(", ") : "no change";
  return warnings > 0 ? `${changes}, ${counted(warnings, "warning")}` : changes;
}

/** `DELETES Proxy dc-west (5 objects)`: a component as one, else each object. */
function named(verb: string, effect: Change["effect"], entries: readonly Entry[]): string[] {
  const things = entries.flatMap((entry): string[] => {
    const objects = objectsOf(entry).filter((change) => change.effect === effect);
    if (entry.whole === undefined || objects.length === 0) return objects.map(thing);
    const { kind = "", name = "" } = entry.component ?? {};
    const isAlone = objects.every(({ isComponent }) => isComponent);
    return [`${kind} ${name}${isAlone ? "" : ` (${counted(objects.length, "object")})`}`];
  });
  return things.length > 0 ? [`${verb} ${listed(things, MOST)}`] : [];
}

function thing({ kind, name, causes }: Change): string {
  return `${kind} ${name}${causes.length > 0 ? ` (${causes.map(causeBrief).join("; ")})` : ""}`;
}

function names(changes: readonly Change[]): string {
  return listed(
    changes.map(({ kind, name }) => `${kind} ${name}`),
    MOST,
  );
}

function ops(changes: readonly Change[]): string {
  return listed([...new Set(changes.map(({ op }) => op))], MOST);
}

/** The causes of several changes, each once: ` (2 config tokens rotated, valid until 2027-02-27; image a -> b)`. */
function reasons(changes: readonly Change[], now: Date): string {
  const rotated = changes.filter(({ causes }) => causes.some(({ type }) => type === "token rotated"));
  const moved = changes.filter(({ causes }) => causes.some(({ type }) => type === "token moved"));
  const others = changes.flatMap(({ causes }) => causes.filter(({ type }) => type !== "token rotated"));
  const briefs = [...new Set(others.map(causeBrief))];
  const validity = validityOf([...rotated, ...moved], now);
  const parts = [
    ...(rotated.length > 0
      ? [rotated.length === 1 ? "config token rotated" : `${rotated.length} config tokens rotated`]
      : []),
    ...(briefs.length > MOST ? [...briefs.slice(0, MOST), `${briefs.length - MOST} more causes`] : briefs),
  ];
  const [first, ...rest] = parts;
  if (first === undefined) return "";
  return ` (${[first + (rotated.length + moved.length > 0 ? validity : ""), ...rest].join("; ")})`;
}

/** How long new tokens are good for: of several, the one that ends first. */
function validityOf(changes: readonly Change[], now: Date): string {
  const ends = [...new Set(changes.flatMap(({ expiry }) => expiry?.after ?? []))].sort();
  const [first] = ends;
  if (first === undefined) return "";
  if (Date.parse(first) < now.getTime()) return `, EXPIRED on ${day(first)}`;
  const days = new Set(ends.map(day));
  return `, valid until ${day(first)}${days.size > 1 ? " at the earliest" : ""}`;
}

/** `2027-02-27`; what is no time is shown as it is. */
function day(time: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}

/** Zones in the order in which they need attention; else as they came. */
export function byUrgency(zones: readonly ZoneReport[]): ZoneReport[] {
  return zones.toSorted((a, b) => URGENCIES.indexOf(urgencyOf(a)) - URGENCIES.indexOf(urgencyOf(b)));
}

/** The answer over all zones, in one line; many quiet zones, and very many others, are summed up. */
export function summaryLine(zones: readonly ZoneReport[]): string {
  const isQuiet = (zone: ZoneReport): boolean => urgencyOf(zone) === "quiet" && zone.warnings.length === 0;
  const loud = byUrgency(zones.filter((zone) => !isQuiet(zone)));
  return answer(loud, zones.filter(isQuiet), { loud: "changes, warnings or failures", quiet: "no change" });
}

type Told = Pick<ZoneReport, "stack" | "headline">;

/** Zones with their headlines, the loud ones first; `words` say what those have of which there is no more room. */
export function answer(
  loud: readonly Told[],
  quiet: readonly Told[],
  words: { loud: string; quiet: string },
): string {
  if (loud.length + quiet.length === 0) return "no zones";
  const line = ({ stack, headline }: Told): string => `${stack}: ${headline}`;
  let length = 0;
  const told = loud.map(line).filter((part, index) => (length += part.length) <= LONG || index === 0);
  const more = loud.length - told.length;
  return [
    ...told,
    ...(more > 0 ? [`and ${more} more ${more === 1 ? "zone" : "zones"} with ${words.loud}`] : []),
    ...(quiet.length > MOST_QUIET ? [`${quiet.length} zones: ${words.quiet}`] : quiet.map(line)),
  ].join("; ");
}
