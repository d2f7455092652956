import type { Row } from "../rows.ts";

const DAY = 86_400_000;
const YEAR = 365 * DAY;

/** Pixels. Marks in one column of the time line stand on each other. */
const COLUMN = 10;
const STACK = 150;
const LANE = 16;
export const CHARACTER = 6.7;
/** More warning windows than these would hide the marks. */
const MOST_WINDOWS = 120;

export interface Token {
  row: Row;
  end: Date;
}

export interface Mark extends Token {
  x: number;
  /** Above the axis. */
  height: number;
  /** Where its warning window begins; undefined when that has no place on the line. */
  from: number | undefined;
  /** Whether it covers parts of those below. */
  isDense: boolean;
}

export interface Label {
  text: string;
  /** Where its leader stands. */
  x: number;
  left: number;
  width: number;
  /** 0 is the lowest. */
  lane: number;
  /** Top of the column that it names, above the axis. */
  height: number;
}

export interface Tick {
  text: string;
  x: number;
  /** Whether a line stands there. */
  isMonth: boolean;
}

export interface Layout {
  width: number;
  marks: Mark[];
  labels: Label[];
  ticks: Tick[];
  /** Years, below the months. */
  years: Tick[];
  /** Pixels that the marks and the labels above them take. */
  stackHeight: number;
  lanesHeight: number;
  /** Ends of the line. */
  start: number;
  stop: number;
  /** Where tokens stand that are overdue, and those that end after the year. */
  overdue: number;
  later: number;
}

/** Lays the ends of tokens out over the next year: every token a mark, and names where they have room. */
export function layout(tokens: readonly Token[], now: Date, width: number, maxLanes: number): Layout {
  const gutter = Math.min(64, width * 0.14);
  const [start, stop] = [gutter, width - gutter];
  const [overdue, later] = [gutter / 2, width - gutter / 2];
  const exact = (time: number): number => start + ((time - now.getTime()) / YEAR) * (stop - start);
  const columnOf = ({ end }: Token): number => {
    if (end < now) return overdue;
    const x = exact(end.getTime());
    const last = Math.floor((stop - start) / COLUMN) - 1;
    return x > stop ? later : start + (Math.min(last, Math.floor((x - start) / COLUMN)) + 0.5) * COLUMN;
  };
  const columns = new Map<number, Token[]>();
  for (const token of tokens.toSorted((a, b) => a.end.getTime() - b.end.getTime())) {
    const x = columnOf(token);
    columns.set(x, [...(columns.get(x) ?? []), token]);
  }
  const highest = Math.max(1, ...[...columns.values()].map(({ length }) => length));
  const marks: Mark[] = [];
  const wishes: Omit<Label, "lane">[] = [];
  for (const [x, column] of columns) {
    const step = Math.min(COLUMN, STACK / column.length);
    column.forEach((token, index) => {
      const days = token.row.tokenWarningDays ?? 14;
      const isShown = x !== overdue && x !== later && tokens.length <= MOST_WINDOWS;
      const from = isShown ? Math.max(start, x - (exact(days * DAY) - exact(0))) : undefined;
      marks.push({ ...token, x, height: step * index, from, isDense: step < 8 });
    });
    const text = labelOf(column, tokens, width);
    const room = text.length * CHARACTER + 4;
    const left = Math.min(x - 1, width - room);
    wishes.push({ text, x, left, width: room, height: step * (column.length - 1) });
  }
  const labels = placeLabels(wishes, maxLanes);
  const lanes = Math.max(0, ...labels.map(({ lane }) => lane + 1));
  return {
    width,
    marks,
    labels,
    ...axis(now, exact, { start, stop, overdue, later, width }),
    stackHeight: Math.min(STACK, highest * COLUMN) + 8,
    lanesHeight: lanes * LANE,
    start,
    stop,
    overdue,
    later,
  };
}

/** The name of a column: its first token, and how many stand with it. The zone is named where names alone are not enough. */
function labelOf(column: readonly Token[], all: readonly Token[], width: number): string {
  const { zone, name } = (column[0] as Token).row;
  const isUnique = all.filter(({ row }) => row.name === name).length === 1;
  const longest = width < 500 ? 18 : 30;
  const whole = isUnique ? name : `${zone}/${name}`;
  const short = whole.length > longest ? `${whole.slice(0, longest - 1)}…` : whole;
  return column.length > 1 ? `${short} +${column.length - 1}` : short;
}

/**
 * Lets as many labels stand as there is room for, the first ones (the most urgent) before all. No two overlap, and no
 * leader crosses a label.
 */
export function placeLabels(wishes: readonly Omit<Label, "lane">[], maxLanes: number): Label[] {
  let placed: Label[] = [];
  for (const wish of wishes) placed = arrange([...placed, wish], maxLanes) ?? placed;
  return placed;
}

/** From right to left, each in the lowest lane that it fits in; undefined when one fits in none. */
function arrange(wishes: readonly Omit<Label, "lane">[], maxLanes: number): Label[] | undefined {
  const placed: Label[] = [];
  for (const wish of wishes.toSorted((a, b) => b.x - a.x)) {
    const within = (x: number, { left, width }: Omit<Label, "lane">): boolean =>
      x >= left - 3 && x <= left + width + 3;
    const fits = (lane: number): boolean =>
      placed.every((other) => {
        const apart = wish.left + wish.width + 6 < other.left || other.left + other.width + 6 < wish.left;
        if (apart) return true;
        if (other.lane === lane) return false;
        // The leader of the higher one passes the lower one.
        const [high, low] = other.lane > lane ? [other, wish] : [wish, other];
        return !within(high.x, low);
      });
    const lane = Array.from({ length: maxLanes }, (_, index) => index).find(fits);
    if (lane === undefined) return undefined;
    placed.push({ ...wish, lane });
  }
  return placed;
}

function axis(
  now: Date,
  exact: (time: number) => number,
  at: { start: number; stop: number; overdue: number; later: number; width: number },
): { ticks: Tick[]; years: Tick[] } {
  const fixed: Tick[] = [
    { text: "overdue", x: at.overdue, isMonth: false },
    { text: "later", x: at.later, isMonth: false },
  ];
  const ticks: Tick[] = [];
  const years: Tick[] = [];
  const apart = (tick: Tick, others: readonly Tick[]): boolean =>
    others.every(
      ({ text, x }) => Math.abs(tick.x - x) > ((tick.text.length + text.length) / 2) * CHARACTER + 4,
    );
  for (let month = 1; month <= 12; month++) {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1));
    const x = exact(first.getTime());
    if (x > at.stop) break;
    const name = first.toLocaleString("en", { month: "short", timeZone: "UTC" });
    const tick = { text: name, x, isMonth: true };
    ticks.push(apart(tick, [...fixed, ...ticks.filter(({ text }) => text)]) ? tick : { ...tick, text: "" });
    if (first.getUTCMonth() === 0) years.push({ text: String(first.getUTCFullYear()), x, isMonth: false });
  }
  const today: Tick = { text: `now, ${now.toISOString().slice(0, 10)}`, x: at.start, isMonth: false };
  // In full where no year stands too near.
  const shown = apart(today, years) ? today : { ...today, text: "now" };
  return { ticks: [...fixed, ...ticks], years: [shown, ...years.filter((year) => apart(year, [shown]))] };
}
