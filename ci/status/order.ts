import { type Row, UNREADABLE, ZONE } from "./rows.ts";

/** Ranks of urgency; a smaller one is shown first. */
const RUNNING = 8;
const SCALED_DOWN = 9;

/** How urgently somebody should look at a row. */
export function urgency(row: Row): number {
  if (row.phase === UNREADABLE) return row.kind === ZONE ? 0 : 1;
  if (row.phase === "Failed") return 2;
  if (row.token === "expired") return 3;
  if (!["Running", "ScaledDown", "Updating", "Deploying"].includes(row.phase)) return 4;
  if (row.phase === "Updating" || row.phase === "Deploying") return 5;
  if (row.token === "expiring") return 6;
  if (row.warnings.length > 0) return 7;
  return row.phase === "Running" ? RUNNING : SCALED_DOWN;
}

/** The most urgent first; then by the token's end, zone and name. */
export function byUrgency(rows: readonly Row[]): Row[] {
  const end = ({ tokenExpiresAt }: Row): number =>
    tokenExpiresAt === undefined ? Infinity : Date.parse(tokenExpiresAt);
  const keyed = rows.map((row) => ({ row, rank: urgency(row), end: end(row) }));
  keyed.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.end === b.end ? 0 : a.end - b.end) ||
      compare(a.row.zone, b.row.zone) ||
      compare(a.row.kind, b.row.kind) ||
      compare(a.row.name, b.row.name),
  );
  return keyed.map(({ row }) => row);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface Counts {
  zones: number;
  components: number;
  /** Phase -> components in it, the most urgent phase first. */
  phases: Record<string, number>;
  tokensExpired: number;
  tokensExpiring: number;
  unreadableZones: number;
}

export function count(rows: readonly Row[]): Counts {
  const phases: Record<string, number> = {};
  const components = rows.filter(({ kind }) => kind !== ZONE);
  // Their tokens left aside, since these say nothing of the phase.
  const rank = (row: Row): number => urgency({ ...row, token: "none", warnings: [] });
  for (const { phase } of components.toSorted((a, b) => rank(a) - rank(b) || compare(a.phase, b.phase)))
    phases[phase] = (phases[phase] ?? 0) + 1;
  return {
    zones: new Set(rows.map(({ zone }) => zone)).size,
    components: components.length,
    phases,
    tokensExpired: rows.filter(({ token }) => token === "expired").length,
    tokensExpiring: rows.filter(({ token }) => token === "expiring").length,
    unreadableZones: new Set(
      rows.filter(({ kind, phase }) => kind === ZONE && phase === UNREADABLE).map(({ zone }) => zone),
    ).size,
  };
}

/** The fleet in one line. */
export function summaryLine(counts: Counts): string {
  const plural = (amount: number, word: string): string => `${amount} ${word}${amount === 1 ? "" : "s"}`;
  const parts = [
    ...Object.entries(counts.phases).map(([phase, amount]) => `${amount} ${phase}`),
    ...(counts.tokensExpired > 0 ? [`${plural(counts.tokensExpired, "token")} expired`] : []),
    ...(counts.tokensExpiring > 0 ? [`${plural(counts.tokensExpiring, "token")} about to expire`] : []),
    ...(counts.unreadableZones > 0 ? [`${plural(counts.unreadableZones, "zone")} unreadable`] : []),
  ];
  const head = `${plural(counts.zones, "zone")}, ${plural(counts.components, "component")}`;
  return parts.length > 0 ? `${head}: ${parts.join(", ")}` : head;
}
