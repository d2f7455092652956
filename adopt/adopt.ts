// Moves the ILM operator's Proxy and Connector resources into a zone: `npm run adopt -- --help`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { runProgram } from "../ci/program.ts";
import { rawConfig } from "../ci/raw-config.ts";
import { readProject } from "../ci/project.ts";
import { stackFile } from "../ci/stacks.ts";
import { connect } from "../components/cluster/client.ts";
import { SERVICE_MONITORS } from "../components/cluster/cluster.ts";
import type { Problem } from "../components/workload/validation.ts";
import { checkStackConfig, type PlainConfig } from "../stacks/config.ts";
import { type Checked, checkObjects, goesWithIt } from "./checks.ts";
import { entriesOf } from "./entries.ts";
import { readFiles } from "./files.ts";
import { type LiveObjects, readLive } from "./live.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { resourceLines, stepLines } from "./report.ts";
import { API_VERSION, type IlmResource, KINDS } from "./resources.ts";
import { mergeStackFile, type Place } from "./stack-file.ts";
import { steps } from "./steps.ts";
import { shown } from "./words.ts";

/** What is to be moved. */
interface Found {
  resources: IlmResource[];
  place: Place;
  /** Undefined where no cluster was asked. */
  objects: LiveObjects | undefined;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const project = readProject().name;
  const { resources, place, objects } =
    options.files.length > 0 ? fromFiles(project, options) : await fromCluster(project, options);
  if (resources.length === 0) throw new Error(`there is no Proxy or Connector of ${API_VERSION}`);

  const file = stackFile(options.stack);
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const { entries, problems } = entriesOf(resources);
  const { merged, problems: inTheWay } = mergeStackFile(before, place, entries);
  if (merged === undefined) return refused([...problems, ...inTheWay]);
  const { value, problems: wrong } = checkStackConfig(rawConfig(file, merged.text));
  if (value === undefined) return refused([...problems, ...wrong]);
  const checked =
    objects &&
    resources.map((resource) =>
      checkObjects(resource, specOf(value, resource), objects, { project, name: options.stack }),
    );
  const blocked = checked?.flatMap((each) => each.problems) ?? deletions(resources);
  if (problems.length + blocked.length > 0) return refused([...problems, ...blocked]);

  writeFileSync(file, merged.text);
  const letGo = (checked ?? []).flatMap(({ resource }) => (resource.isDeleting ? resource : []));
  const move = {
    stack: options.stack,
    file,
    isNew: !merged.isInitialised,
    namespace: place.namespace,
    context: merged.context,
    resources,
    hasMonitors: checked?.some(({ fates }) => hasMonitor(fates)) ?? false,
    letGo,
  };
  const lines = [
    ...resources.flatMap((resource, index) => {
      const entry = entries[index];
      return entry === undefined ? [] : resourceLines(resource, entry, checked?.[index]);
    }),
    "",
    `${file}: ${merged.added} added, ${entries.length - merged.added} there already`,
    ...(merged.context === undefined
      ? ["It names no zone.cluster.context yet: add it before `pulumi up`"]
      : []),
    ...(objects !== undefined && place.namespaceUid === undefined
      ? [
          "The namespace may not be read: the first run prints its UID, to be pinned as zone.cluster.namespaceUid",
        ]
      : []),
    "",
    "Nothing was changed in the cluster. The next steps, in this order:",
    "",
    ...stepLines(steps(move)),
  ];
  for (const line of lines) console.log(shown(line));
  return 0;
}

async function fromCluster(project: string, { context = "", namespace = "" }: Options): Promise<Found> {
  const tell = (line: string): void => {
    console.error(shown(line));
  };
  const seen = await readLive(await connect({ context, tell }), namespace);
  return { ...seen, place: { project, namespace, context, namespaceUid: seen.namespaceUid } };
}

/** @throws Error where they are of several namespaces, or of none */
function fromFiles(project: string, { files, namespace: given, context }: Options): Found {
  const read = readFiles(files);
  const [namespace, ...others] = new Set(read.map((resource) => resource.namespace ?? given ?? ""));
  if (others.length > 0 || (given !== undefined && namespace !== undefined && namespace !== given))
    throw new Error(
      "the resources are of several namespaces, and a zone is one: give the files of one at a time",
    );
  if (namespace === "") throw new Error("the resources name no namespace: give --namespace");
  const resources = read.map((resource) => ({ ...resource, namespace }));
  return {
    resources,
    place: { project, namespace: namespace ?? "", context, namespaceUid: undefined },
    objects: undefined,
  };
}

function specOf(config: PlainConfig, { kind, name }: IlmResource): object {
  return config[KINDS[kind].key][name] ?? {};
}

function hasMonitor(fates: Checked["fates"]): boolean {
  return !["absent", undefined].includes(fates.get(SERVICE_MONITORS.kind));
}

/** Nobody has looked whether they have let go of their objects. */
function deletions(resources: readonly IlmResource[]): Problem[] {
  return resources.filter(({ isDeleting }) => isDeleting).map(goesWithIt);
}

function refused(problems: readonly Problem[]): number {
  for (const { path, message } of problems)
    for (const line of message.split("\n")) console.error(shown(`error: ${path}: ${line}`));
  const counted = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  console.error(`${counted}. Nothing was written.`);
  return 1;
}

await runProgram(main);
