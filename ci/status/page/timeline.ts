import type { Row, TokenState } from "../rows.ts";
import { dayOf, distance } from "../words.ts";
import { html, type Html } from "./html.ts";
import { type Layout, layout, type Mark, type Token } from "./layout.ts";

/** Drawings of the same, of which the style shows the one that fits: so letters keep their size. */
const SIZES = [
  { name: "broad", width: 1080, lanes: 8 },
  { name: "medium", width: 660, lanes: 8 },
  { name: "narrow", width: 330, lanes: 10 },
];
const LANE = 16;

/** When the tokens of a fleet end: a mark for each over the next year. */
export function timeline(rows: readonly Row[], now: Date): Html {
  const tokens = rows.flatMap((row): Token[] =>
    row.tokenExpiresAt === undefined ? [] : [{ row, end: new Date(row.tokenExpiresAt) }],
  );
  if (tokens.length === 0) return html`<p>No token says when it ends.</p>`;
  const plans = SIZES.map(({ name, width, lanes }) => ({ name, plan: layout(tokens, now, width, lanes) }));
  const hasWindows = plans.some(({ plan }) => plan.marks.some(({ from }) => from !== undefined));
  return html`${plans.map(({ name, plan }) => drawing(name, plan, now))}
    <ul class="legend">
      ${(["expired", "expiring", "valid"] as const).map(
        (state) =>
          html`<li>
            <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">${shape(state)}</svg>
            ${WORDS[state]}
          </li>`,
      )}
      ${hasWindows ? WINDOWS : undefined}
    </ul>`;
}

const WINDOWS = html`<li>
  <svg width="26" height="14" viewBox="-20 -7 26 14" aria-hidden="true">
    <rect class="window" x="-20" y="-2" width="20" height="4" />
    ${shape("valid")}
  </svg>
  days before its end in which runs warn (14 where nothing else is known)
</li>`;

const WORDS: Record<Exclude<TokenState, "none">, string> = {
  expired: "expired",
  expiring: "about to expire: within its warning",
  valid: "valid",
};

function drawing(name: string, plan: Layout, now: Date): Html {
  const axisY = plan.lanesHeight + plan.stackHeight + 8;
  const height = axisY + 40;
  const yOf = (above: number): number => axisY - 9 - above;
  const { width, start, stop } = plan;
  const label = `Ends of ${plan.marks.length} tokens over the next year; the table tells each.`;
  return html`<svg class="timeline ${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
    ${plan.ticks.filter(({ isMonth }) => isMonth).map(({ x }) => html`<line class="grid" x1="${n(x)}" x2="${n(x)}" y1="${plan.lanesHeight}" y2="${axisY}" />`)}
    <line class="axis" x1="${n(start)}" x2="${n(stop)}" y1="${axisY}" y2="${axisY}" />
    <line class="now" x1="${n(start)}" x2="${n(start)}" y1="${plan.lanesHeight}" y2="${axisY + 5}" />
    ${plan.labels.map(({ x, lane, height: top }) => html`<line class="leader" x1="${n(x)}" x2="${n(x)}" y1="${plan.lanesHeight - lane * LANE - 3}" y2="${n(yOf(top))}" />`)}
    ${plan.marks.flatMap(({ x, from, height: above }) => (from === undefined ? [] : [html`<rect class="window" x="${n(from)}" y="${n(yOf(above) - 2)}" width="${n(x - from)}" height="4" />`]))}
    ${plan.marks.map((mark) => html`<g class="${mark.isDense ? "dense" : "mark"}" transform="translate(${n(mark.x)} ${n(yOf(mark.height))})"><title>${titleOf(mark, now)}</title>${shape(mark.row.token)}</g>`)}
    ${plan.labels.map(({ left, lane, text }) => html`<text class="name" x="${n(left + 2)}" y="${plan.lanesHeight - lane * LANE - 5}">${text}</text>`)}
    ${plan.ticks.filter(({ text }) => text).map(({ x, text }) => html`<text class="tick" x="${n(x)}" y="${axisY + 18}">${text}</text>`)}
    ${plan.years.map(({ x, text }) => html`<text class="tick" x="${n(x)}" y="${axisY + 34}">${text}</text>`)}
  </svg>`;
}

/** Told apart without colours, too. */
function shape(state: TokenState): Html {
  switch (state) {
    case "expired":
      return html`<path class="expired" d="M-4.5 -4.5 L4.5 4.5 M-4.5 4.5 L4.5 -4.5" />`;
    case "expiring":
      return html`<path class="expiring" d="M0 -5 L5 4 L-5 4 Z" />`;
    default:
      return html`<circle class="valid" r="4" />`;
  }
}

function titleOf({ row, end }: Mark, now: Date): string {
  const far = distance(now, end);
  const when = end < now ? `expired ${dayOf(end)}, ${far} ago` : `expires ${dayOf(end)}, in ${far}`;
  return `${row.zone} / ${row.name}: ${when}`;
}

function n(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}
