// The figures as people read them, in Markdown.
import { table } from "../../dev/docs/markdown.ts";
import { PHASES } from "../startup/startup.ts";
import { OPERATIONS } from "../subjects/subject.ts";
import { exponent } from "./growth.ts";
import type { Results, Row, Spread } from "./results.ts";
import { targets } from "./targets.ts";

export function renderFigures({ machine, versions, titles, rows: measured, startup }: Results): string {
  const rows = inOrder(measured, Object.keys(titles));
  const plain = rows.filter(({ checkpoints }) => checkpoints);
  return [
    `${datesOf(rows)}; ${machine}. ${versions}.`,
    "### Targets",
    table(
      ["What", "At most", "Measured", ""],
      targets(rows).map(({ what, limit, value, met }) => [what, limit, value, met ? "met" : "**not met**"]),
    ),
    ...OPERATIONS.flatMap((operation) => {
      const own = plain.filter((row) => row.operation === operation);
      return own.length === 0 ? [] : [`### ${heading(operation)}`, comparison(own, titles)];
    }),
    ...withoutCheckpoints(rows, titles),
    ...growth(plain, titles),
    ...(startup.length === 0 ? [] : ["### The start of a run", startTable(startup)]),
  ].join("\n\n");
}

/** By size, then by subject. */
function inOrder(rows: readonly Row[], subjects: readonly string[]): Row[] {
  const place = ({ subject }: Row): number => subjects.indexOf(subject);
  return rows.toSorted((a, b) => a.size - b.size || place(a) - place(b));
}

/** When the rows were measured: one day, or from the first to the last. */
function datesOf(rows: readonly Row[]): string {
  const days = [...new Set(rows.map(({ date }) => date))].sort();
  return days.length < 2 ? (days[0] ?? "not measured") : `${days[0] ?? ""} to ${days.at(-1) ?? ""}`;
}

function heading(operation: string): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1);
}

/** One line per size and subject. */
function comparison(rows: readonly Row[], titles: Results["titles"]): string {
  const cost = ["Time", "Ours to it", "CPU time", "of it Node", "Node", "CLI", "Requests", "State", "Times"];
  return table(
    ["Proxies", "With", ...cost],
    rows.map((row) => {
      const ours = rows.find(({ subject, size }) => subject === "ours" && size === row.size);
      return [
        String(row.size),
        titles[row.subject] ?? row.subject,
        seconds(row.wallSeconds),
        ours === undefined || ours === row
          ? ""
          : `${(ours.wallSeconds.median / row.wallSeconds.median).toFixed(2)} x`,
        `${row.cpuSeconds.median.toFixed(2)} s`,
        row.programCpuSeconds.median === 0 ? "" : `${row.programCpuSeconds.median.toFixed(2)} s`,
        row.programMiB.median === 0 ? "" : `${row.programMiB.median.toFixed(0)} MiB`,
        `${row.cliMiB.median.toFixed(0)} MiB`,
        row.requests.median.toFixed(0),
        `${row.stateKiB.median.toFixed(0)} KiB`,
        `${row.times}`,
      ];
    }),
  );
}

function seconds({ median, min, max }: Spread): string {
  return min === max
    ? `${median.toFixed(2)} s`
    : `${median.toFixed(2)} s (${min.toFixed(2)} to ${max.toFixed(2)})`;
}

function withoutCheckpoints(rows: readonly Row[], titles: Results["titles"]): string[] {
  const own = rows.filter(({ checkpoints }) => !checkpoints);
  if (own.length === 0) return [];
  const lines = own.map((row) => {
    const same = rows.find(
      ({ subject, size, operation, checkpoints }) =>
        checkpoints && subject === row.subject && size === row.size && operation === row.operation,
    );
    return [
      String(row.size),
      titles[row.subject] ?? row.subject,
      row.operation,
      seconds(row.wallSeconds),
      same === undefined ? "" : seconds(same.wallSeconds),
      `${row.cliCpuSeconds.median.toFixed(2)} s`,
      row.programMiB.median === 0 ? "" : `${row.programMiB.median.toFixed(0)} MiB`,
      row.requests.median.toFixed(0),
      `${row.times}`,
    ];
  });
  const cost = ["Time", "With it", "CLI's CPU time", "Node", "Requests", "Times"];
  const head = ["Proxies", "With", "Operation", ...cost];
  return ["### Without a state written after each step", table(head, lines)];
}

function growth(rows: readonly Row[], titles: Results["titles"]): string[] {
  const groups = Map.groupBy(rows, ({ subject, operation }) => JSON.stringify([subject, operation]));
  const lines = [...groups.values()].flatMap((group) => {
    const fit = (value: (row: Row) => number): string =>
      group.every((row) => value(row) > 0)
        ? (exponent(group.map((row) => ({ size: row.size, value: value(row) })))?.toFixed(2) ?? "")
        : "";
    const [first] = group;
    if (first === undefined || group.length < 2) return [];
    return [
      [
        titles[first.subject] ?? first.subject,
        first.operation,
        fit((row) => row.wallSeconds.median),
        fit((row) => row.cpuSeconds.median),
        fit((row) => row.programCpuSeconds.median),
        group.map(({ size }) => size).join(", "),
      ],
    ];
  });
  if (lines.length === 0) return [];
  const head = ["With", "Operation", "Time", "CPU time", "Node's CPU time", "Proxies"];
  return ["### Growth: the exponent that fits", table(head, lines)];
}

function startTable(startup: Results["startup"]): string {
  const cell = ({ median, min, max }: Spread): string =>
    `${median.toFixed(0)} ms (${min.toFixed(0)} to ${max.toFixed(0)})`;
  const rows = PHASES.map((phase) => [
    phase,
    ...startup.map(({ phases }) => (phases[phase] === undefined ? "" : cell(phases[phase]))),
  ]);
  return table(["Phase", ...startup.map(({ state }) => state)], rows);
}
