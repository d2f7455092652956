import { createHash } from "node:crypto";
import { rfc3339 } from "../../../components/workload/conditions.ts";
import type { Source } from "../document.ts";
import { byUrgency, count, type Counts, urgency } from "../order.ts";
import { type Row, ZONE } from "../rows.ts";
import { dayOf, distance, readyText, versionText } from "../words.ts";
import { html, Html } from "./html.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { timeline } from "./timeline.ts";

const TITLE = "Fleet of network zones";

/** The fleet as one page that needs nothing else: no server, no network, and no script to be read. */
export function statusPage(rows: readonly Row[], source: Source, now: Date): string {
  const sorted = byUrgency(rows);
  // Nothing but exactly this style and this script: whatever a name or message might smuggle in does not run.
  const policy = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; base-uri 'none'; form-action 'none'`;
  const judged =
    source === "live" ? "the clusters as they were then" : "what the last run of each zone's stack found";
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${TITLE}, ${dayOf(now)}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>${TITLE}</h1>
          <p class="quiet">
            Made
            <time datetime="${rfc3339(now)}">${rfc3339(now).replace("T", " ").replace("Z", " UTC")}</time>
            from ${judged}.
          </p>
        </header>
        <main>
          ${counts(count(sorted))}
          <section aria-labelledby="tokens">
            <h2 id="tokens">When tokens end</h2>
            ${timeline(sorted, now)}
          </section>
          <section class="fleet" aria-labelledby="fleet">
            <h2 id="fleet">Components</h2>
            ${fleetTable(sorted, now)}
          </section>
        </main>
        ${new Html(`<script>${SCRIPT}</script>`)}
      </body>
    </html>`.text;
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

type Tone = "bad" | "warn" | "good" | "rest";

const TONES: Partial<Record<string, Tone>> = {
  Running: "good",
  Updating: "warn",
  Deploying: "warn",
  ScaledDown: "rest",
  NotApplied: "rest",
};
const SIGNS: Record<Tone, string> = { bad: "✕", warn: "▲", good: "●", rest: "–" };

function toneOf(phase: string): Tone {
  return TONES[phase] ?? "bad";
}

function counts(all: Counts): Html {
  const plural = (amount: number, word: string): string => (amount === 1 ? word : `${word}s`);
  const zones = `${all.zones} ${plural(all.zones, "zone")}`;
  const entries: [number, string, Tone][] = [
    [all.components, `${plural(all.components, "component")} in ${zones}`, "rest"],
  ];
  if (all.unreadableZones > 0)
    entries.push([all.unreadableZones, `${plural(all.unreadableZones, "zone")} not readable`, "bad"]);
  for (const [phase, amount] of Object.entries(all.phases)) entries.push([amount, phase, toneOf(phase)]);
  entries.push(
    [
      all.tokensExpired,
      `${plural(all.tokensExpired, "token")} expired`,
      all.tokensExpired > 0 ? "bad" : "rest",
    ],
    [
      all.tokensExpiring,
      `${plural(all.tokensExpiring, "token")} about to expire`,
      all.tokensExpiring > 0 ? "warn" : "rest",
    ],
  );
  return html`<ul class="counts">
    ${entries.map(([amount, what, tone]) => html`<li class="${tone}"><b>${amount}</b> ${what}</li>`)}
  </ul>`;
}

const COLUMNS = ["Zone", "Kind", "Name", "Phase", "Version", "Ready", "Token ends", "Warnings"];

function fleetTable(rows: readonly Row[], now: Date): Html {
  return html`<table>
    <caption>
      The most urgent first.
    </caption>
    <thead>
      <tr>
        ${COLUMNS.map((title) => html`<th scope="col">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => tableRow(row, now))}
    </tbody>
  </table>`;
}

function tableRow(row: Row, now: Date): Html {
  const { zone, kind, name, phase, version, ready, warnings } = row;
  const tone = toneOf(phase);
  // The row's header is what it is about: the component, or else the zone.
  const zoneCell =
    kind === ZONE
      ? html`<th scope="row" class="${word(zone)}">${zone}</th>`
      : html`<td class="${word(zone)}" data-label="Zone">${zone}</td>`;
  const nameCell = kind === ZONE ? html`<td></td>` : html`<th scope="row" class="${word(name)}">${name}</th>`;
  return html`<tr>
    ${zoneCell}
    <td data-label="Kind">${kind}</td>
    ${nameCell}
    <td class="stands" data-sort="${urgency(row)}">
      <span class="phase ${tone}"><span aria-hidden="true">${SIGNS[tone]}</span> ${phase}</span>
    </td>
    <td class="word" data-label="Version">${version && versionText(version)}</td>
    <td class="number" data-label="Ready" data-sort="${ready}">${readyText(row)}</td>
    ${expiryCell(row, now)}
    <td class="warnings" data-label="Warnings">${warnings.map((warning) => html`<p>${warning}</p>`)}</td>
  </tr> `;
}

/** A name stays in one line unless it is so long that the others would have no room. */
function word(text: string): string {
  return text.length > 30 ? "long" : "word";
}

function expiryCell({ tokenExpiresAt, token }: Row, now: Date): Html {
  if (tokenExpiresAt === undefined) return html`<td class="date" data-sort=""></td>`;
  const end = new Date(tokenExpiresAt);
  const far = distance(now, end);
  const words =
    token === "expired"
      ? html`<span class="late">expired ${far} ago</span>`
      : token === "expiring"
        ? html`<span class="soon">only ${far} left</span>`
        : html`<span class="quiet">in ${far}</span>`;
  return html`<td class="date" data-label="Token ends" data-sort="${end.getTime()}">
    <time datetime="${tokenExpiresAt}">${dayOf(end)}</time> ${words}
  </td>`;
}
