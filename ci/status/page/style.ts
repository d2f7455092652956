/** Light and dark, broad and narrow, and paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f8fa; --card: #ffffff; --line: #d0d7de; --text: #1f2328; --quiet: #57606a; --link: #0757b5;
  --bad: #b42318; --bad-soft: #ffebe9; --warn: #7d4e00; --warn-soft: #fff4d6; --good: #1a6d34; --good-soft: #e3f6e8;
  --rest-soft: #eaeef2;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --card: #151b23; --line: #3d444d; --text: #e6edf3; --quiet: #9da7b3; --link: #79b8ff;
    --bad: #ff938a; --bad-soft: #3c1618; --warn: #edbb4c; --warn-soft: #332708; --good: #5fd17a; --good-soft: #10301a;
    --rest-soft: #262c36;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1280px; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1 { margin: 0; font-size: 26px; line-height: 1.25; }
h2 { margin: 0 0 12px; font-size: 17px; }
p { margin: 4px 0; }
.quiet { color: var(--quiet); }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(118px, 1fr)); gap: 12px; margin: 20px 0; padding: 0; list-style: none; }
.counts li { padding: 10px 14px; line-height: 1.3; background: var(--card); border: 1px solid var(--line);
  border-left: 4px solid var(--line); border-radius: 8px; }
.counts b { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counts .bad { border-left-color: var(--bad); }
.counts .warn { border-left-color: var(--warn); }
.counts .good { border-left-color: var(--good); }
section { margin: 0 0 20px; padding: 18px 20px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.timeline { display: block; width: 100%; height: auto; }
.medium, .narrow { display: none; }
@media (max-width: 1000px) {
  .broad { display: none; }
  .medium { display: block; }
}
@media (max-width: 560px) {
  .medium { display: none; }
  .narrow { display: block; max-width: 420px; margin: 0 auto; }
}
.timeline text { font: 11px ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: var(--text); }
.timeline .tick { fill: var(--quiet); text-anchor: middle; }
.grid { stroke: var(--line); stroke-width: 1; }
.axis, .now { stroke: var(--quiet); stroke-width: 1.5; }
.leader { stroke: var(--quiet); stroke-width: 1; opacity: .55; }
.window { fill: var(--warn); opacity: .28; }
.expired { stroke: var(--bad); stroke-width: 2.6; stroke-linecap: round; fill: none; }
.expiring { fill: var(--warn); stroke: var(--card); stroke-width: 1; }
.valid { fill: var(--good); stroke: var(--card); stroke-width: 1; }
.dense .expiring, .dense .valid { stroke: none; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 10px 0 0; padding: 0; list-style: none; font-size: 13px; color: var(--quiet); }
.legend svg { vertical-align: -2px; overflow: visible; }
.fleet { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
caption { margin-bottom: 8px; text-align: left; color: var(--quiet); font-size: 13px; }
th, td { padding: 8px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { padding: 0 10px; color: var(--quiet); font-size: 12px; font-weight: 600; line-height: 32px; white-space: nowrap; }
thead button { all: unset; display: block; margin: 0 -10px; padding: 0 10px; cursor: pointer; border-radius: 4px; }
thead button:hover { color: var(--text); }
thead button:focus-visible { outline: 2px solid var(--link); }
thead th button::after { content: "\\2195"; padding-left: 4px; opacity: .5; }
thead th[aria-sort=ascending] button::after { content: "\\25b2"; opacity: 1; }
thead th[aria-sort=descending] button::after { content: "\\25bc"; opacity: 1; }
tbody th { font-weight: 600; }
.word { white-space: nowrap; }
.long { min-width: 24ch; overflow-wrap: anywhere; }
td.number, td.date { white-space: nowrap; font-variant-numeric: tabular-nums; }
td.warnings { min-width: 24ch; max-width: 60ch; overflow-wrap: anywhere; }
td.warnings p { margin: 0 0 2px; }
.phase { display: inline-block; padding: 1px 9px; border-radius: 999px; background: var(--rest-soft); font-size: 13px; white-space: nowrap; }
.phase.bad { background: var(--bad-soft); color: var(--bad); font-weight: 600; }
.phase.warn { background: var(--warn-soft); color: var(--warn); }
.phase.good { background: var(--good-soft); color: var(--good); }
.late { color: var(--bad); font-weight: 600; }
.soon { color: var(--warn); font-weight: 600; }
@media screen and (max-width: 760px) {
  body { padding: 14px; }
  section { padding: 14px; }
  .counts { gap: 8px; }
  .counts { grid-template-columns: repeat(auto-fit, minmax(98px, 1fr)); }
  .counts li { padding: 8px 10px; font-size: 14px; }
  .fleet { overflow-x: visible; }
  table, caption, tbody, td, tbody th { display: block; }
  thead { display: none; }
  .sortable thead { display: block; }
  .sortable thead tr { display: flex; flex-wrap: wrap; gap: 6px; padding-bottom: 10px; }
  .sortable thead th { border: 1px solid var(--line); border-radius: 6px; padding: 0 8px; }
  .sortable thead button { margin: 0 -8px; padding: 0 8px; }
  tbody tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px; padding: 10px 0; border-top: 1px solid var(--line); }
  td, tbody th { padding: 0; border: 0; }
  .long { min-width: 0; }
  td, .word { overflow-wrap: anywhere; white-space: normal; }
  td:empty { display: none; }
  td::before { content: attr(data-label) " "; color: var(--quiet); font-size: 12px; }
  tbody th { order: -2; flex: 1 0 55%; font-size: 15px; }
  td.stands { order: -1; }
  td.stands::before, td.warnings::before { content: none; }
  td.warnings { flex: 1 0 100%; min-width: 0; max-width: none; }
}
@media print {
  body { padding: 0; max-width: none; background: none; font-size: 11px; }
  section, .counts li { break-inside: avoid; }
  section { padding: 12px; }
  section.fleet { break-inside: auto; border: 0; padding: 0; overflow: visible; }
  .counts { grid-template-columns: repeat(auto-fit, minmax(76px, 1fr)); gap: 6px; }
  .counts li { padding: 4px 6px; font-size: 10px; }
  .counts b { font-size: 18px; }
  .legend, caption, table, thead th, .phase { font-size: 10px; }
  tr { break-inside: avoid; }
  th, td, thead th { padding: 4px 6px; line-height: 1.4; }
  thead button { margin: 0; padding: 0; }
  .word { white-space: normal; overflow-wrap: anywhere; }
  .long, td.warnings { min-width: 0; }
  thead button::after { content: none !important; }
  * { print-color-adjust: exact; }
}
`;
