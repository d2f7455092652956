// The benchmark at its smallest size, so that it keeps working, and what of its figures does not depend on the machine.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, test } from "node:test";
import { renderFigures } from "../../bench/figures/page.ts";
import { summarize } from "../../bench/figures/results.ts";
import { measure } from "../../bench/measure/measure.ts";
import { openPlace, USER } from "../../bench/place.ts";
import { type Run, runRounds } from "../../bench/rounds.ts";
import { measureStartup, PHASES } from "../../bench/startup/startup.ts";
import { helmSubject } from "../../bench/subjects/helm.ts";
import { pulumiSubjects } from "../../bench/subjects/pulumi.ts";
import { OPERATIONS } from "../../bench/subjects/subject.ts";
import { OWNED_KINDS } from "../../components/zone/owned-kinds.ts";

const { signal } = new AbortController();
const place = await openPlace(console.log, signal);
after(() => place.stop());
const subjects = [...pulumiSubjects(place), helmSubject(place)];
const [ours] = subjects;

interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: { template?: Manifest; clusterIP?: string; clusterIPs?: string[] };
}

/** What stands in a namespace of what was declared there, whoever declared it. */
function objectsIn(namespace: string): unknown[] {
  const kinds = "serviceaccounts,deployments,services,networkpolicies,poddisruptionbudgets";
  const args = ["--context", place.context, "--namespace", namespace, "get", kinds, "-o", "json"];
  const text = execFileSync(place.tools.kubectl, args, {
    encoding: "utf8",
    env: { ...process.env, KUBECONFIG: place.kubeconfig },
  });
  const { items } = JSON.parse(text) as { items: Manifest[] };
  return items
    .filter(({ metadata }) => metadata.name !== "default")
    .map(({ kind, metadata, spec }) => {
      const { template, ...rest } = spec ?? {};
      delete rest.clusterIP;
      delete rest.clusterIPs;
      const labels = { ...metadata.labels };
      const podLabels = { ...template?.metadata.labels };
      // Each names itself, and their checksums are made in different ways.
      for (const all of [labels, podLabels]) delete all["app.kubernetes.io/managed-by"];
      return { kind, name: metadata.name, labels, rest, podLabels, pod: template?.spec };
    });
}

test("every subject makes the same objects", async () => {
  const all: unknown[][] = [];
  for (const subject of subjects) {
    const namespace = `same-${subject.name}`;
    await place.makeNamespace(namespace);
    const fleet = await subject.makeFleet(namespace);
    fleet.declare(await place.putTokens(namespace, ["proxy-001"]));
    await measure(fleet.commands("create", ["proxy-001"]), { auditLog: place.auditLog, user: USER }, signal);
    all.push(objectsIn(namespace));
    await fleet.remove();
  }
  assert.equal(all[0]?.length, 5);
  for (const [index, objects] of all.entries())
    assert.deepEqual(objects, all[0], `${subjects[index]?.name} and ours`);
});

test("every operation of every subject is measured, and the figures are written down", async () => {
  const runs = await runRounds(place, { sizes: [1], rounds: 1, repeat: 1, subjects }, console.log, signal);
  // All do an operation before anyone goes on to the next.
  const inTurn = OPERATIONS.flatMap((operation) => subjects.map(({ name }) => `${name} ${operation}`));
  assert.deepEqual(
    runs.map(({ subject, operation }) => `${subject} ${operation}`),
    inTurn,
  );
  for (const { subject, operation, wallSeconds, parts, stateBytes } of runs) {
    const what = `${subject} ${operation}`;
    assert.ok(wallSeconds > 0 && parts.cli.cpuSeconds > 0 && parts.cli.peakMiB > 0, what);
    const hasProgram = subject !== "helm" && operation !== "destroy";
    assert.equal(parts.program.cpuSeconds > 0 && parts.program.peakMiB > 0, hasProgram, what);
    if (hasProgram) assert.ok(stateBytes > 1000, what);
  }
  const titles = Object.fromEntries(subjects.map(({ name, title }) => [name, title]));
  const rows = summarize(runs, true, "2026-01-01");
  const text = renderFigures({ machine: "m", versions: "v", titles, rows, startup: [] });
  for (const title of Object.values(titles)) assert.ok(text.includes(title), title);
  assert.match(text, /^2026-01-01; m\. v\.\n/);
  assert.doesNotMatch(text, /NaN|undefined/);
  // Where the state is written only at the end, that is said of the operations it makes a difference to.
  const rare = summarize(runs, false, "2026-01-01").filter(({ checkpoints }) => !checkpoints);
  assert.deepEqual([...new Set(rare.map(({ operation }) => operation))], ["create", "rotate all", "destroy"]);

  // A request for the Secret, a list of each owned kind, and the namespace, whose UID tells the cluster.
  const unchanged = (name: string): number =>
    runs
      .filter(({ subject, operation }: Run) => subject === name && operation === "unchanged")
      .flatMap(({ requests }) => Object.values(requests))
      .reduce((sum, count) => sum + count, 0);
  assert.equal(unchanged("ours") - unchanged("raw"), 1 + OWNED_KINDS.length + 1);
});

test("the start of a run is taken apart into phases that have an end each", async () => {
  assert.ok(ours);
  const states = await measureStartup(place, ours, 1);
  assert.deepEqual(
    states.map(({ state }) => state),
    ["warm", "cold"],
  );
  for (const { phases } of states)
    for (const phase of PHASES) assert.ok((phases[phase]?.median ?? -1) >= 0, phase);
});
