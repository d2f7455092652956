// Side by side, on a local control plane: this program, plain programs, and Helm, with the same objects. `make bench`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatFor } from "../dev/format.ts";
import { describeMachine } from "../dev/machine.ts";
import { renderFigures } from "./figures/page.ts";
import { areComparable, type Results, summarize, withNewer } from "./figures/results.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { openPlace, type Place } from "./place.ts";
import { runRounds } from "./rounds.ts";
import { measureStartup } from "./startup/startup.ts";
import { helmSubject } from "./subjects/helm.ts";
import { pulumiSubjects } from "./subjects/pulumi.ts";
import type { Subject } from "./subjects/subject.ts";

/** The figures of docs/performance.md. */
const RESULTS = fileURLToPath(new URL("./results.json", import.meta.url));

function subjectsOf(place: Place, { subjects, checkpoints }: Options): Subject[] {
  const all = [...pulumiSubjects(place, checkpoints), helmSubject(place)];
  const unknown = subjects.filter((name) => !all.some((subject) => subject.name === name));
  if (unknown.length > 0) throw new Error(`there is no subject ${unknown.join(", ")}`);
  return all.filter(({ name }) => subjects.length === 0 || subjects.includes(name));
}

async function bench(
  options: Options,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<Results> {
  const place = await openPlace(report, signal);
  try {
    const subjects = subjectsOf(place, options);
    const runs = await runRounds(place, { ...options, subjects }, report, signal);
    const [ours] = subjects.filter(({ name }) => name === "ours");
    const startup = options.startup && ours ? await measureStartup(place, ours, options.rounds) : [];
    return {
      machine: describeMachine(),
      versions: `Node ${process.version}, Kubernetes ${place.kubernetesVersion}`,
      titles: Object.fromEntries(subjects.map(({ name, title }) => [name, title])),
      rows: summarize(runs, options.checkpoints, new Date().toISOString().slice(0, 10)),
      startup,
    };
  } finally {
    await place.stop();
  }
}

async function record(newer: Results): Promise<void> {
  const before = JSON.parse(readFileSync(RESULTS, "utf8")) as Results;
  writeFileSync(RESULTS, await formatFor(RESULTS, JSON.stringify(withNewer(before, newer))));
  const replaced = areComparable(before, newer)
    ? ""
    : `; those of before are gone: ${before.machine}, ${before.versions}`;
  console.error(`wrote bench/results.json${replaced}. \`npm run docs\` brings it into docs/performance.md`);
}

if (import.meta.main) {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      stop.abort(new Error("stopped"));
    });
  try {
    const options = parseOptions(process.argv.slice(2));
    const results = await bench(
      options,
      (line) => {
        console.error(line);
      },
      stop.signal,
    );
    console.log(renderFigures(results));
    if (options.record) await record(results);
  } catch (error) {
    console.error(error instanceof Error ? `${error.message}\n\n${USAGE}` : error);
    process.exitCode = 1;
  }
}
