// What people do next, with the names filled in: pure. docs/moving-in.md explains each step.
import { finalizerIndex } from "./checks.ts";
import { FINALIZER, type IlmResource, type Kind, KINDS, typeOf } from "./resources.ts";
import { shellWord } from "./words.ts";

/** What the steps depend on. */
export interface Move {
  stack: string;
  /** Path of the stack file. */
  file: string;
  /** Whether `pulumi stack init` is still to come. */
  isNew: boolean;
  namespace: string;
  context: string | undefined;
  resources: readonly IlmResource[];
  /** Whether there are ServiceMonitors of theirs: a cluster need not know the kind. */
  hasMonitors: boolean;
  /** Those of them that have let go of their objects and are being deleted. */
  letGo: readonly IlmResource[];
}

export interface Step {
  /** What is done, and why now. */
  text: string;
  commands: string[];
}

/** The steps, in their order. */
export function steps(move: Move): Step[] {
  const { stack, file, isNew, resources, letGo } = move;
  const toDelete = resources.filter((resource) => !letGo.includes(resource));
  return [
    {
      text:
        toDelete.length === 0
          ? "Done already: the resources are being deleted and have let go of their objects."
          : "Delete the resources and leave their objects. This comes before `pulumi up`, which refuses an object that a " +
            "resource still controls: whoever deleted the resource later would delete the object with it.",
      commands: perKind(toDelete, (kind, names) => deletion(move, kind, names)),
    },
    {
      text: "Only where the operator is gone, so that a resource stays although it is deleted: take its finalizer away.",
      commands: perKind(resources, (kind, _, all) => patches(move, kind, all)),
    },
    {
      text: "Make sure that every line ends with <none>: then nobody controls the objects. It may take some seconds.",
      commands: perKind(resources, (kind, names) => [owners(move, kind, names)]),
    },
    {
      text: "Take the objects over. Pods roll at most once, and no pod goes before a new one is available.",
      commands: [
        ...(isNew ? [`pulumi stack init ${stack} # where there is no such stack yet`] : []),
        `pulumi preview --diff --stack ${stack}`,
        `pulumi up --stack ${stack}`,
      ],
    },
    {
      text: `Remove each \`adopt: true\` from ${file}. The next run then changes nothing:`,
      commands: [`pulumi preview --expect-no-changes --stack ${stack}`],
    },
    {
      text:
        "When this shows no resource of any namespace, uninstall the operator, then delete its CRDs. A resource that is " +
        "still there takes its objects with it.",
      commands: [
        kubectl(move, "get proxies.otilm.com,connectors.otilm.com --all-namespaces", false),
        kubectl(move, "delete crd proxies.otilm.com connectors.otilm.com", false),
      ],
    },
  ];
}

function kubectl({ context, namespace }: Move, what: string, isNamespaced = true): string {
  const where = [
    ...(isNamespaced ? [`-n ${namespace}`] : []),
    ...(context === undefined ? [] : [`--context ${shellWord(context)}`]),
  ];
  return ["kubectl", what, ...where].join(" ");
}

function perKind(
  resources: readonly IlmResource[],
  commands: (kind: Kind, names: string[], all: IlmResource[]) => string[],
): string[] {
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const all = resources.filter((resource) => resource.kind === kind);
    const names = all.map(({ name }) => name);
    return all.length === 0 ? [] : commands(kind, names, all);
  });
}

/** It doesn't wait: where the operator is gone, it would do so for ever. */
function deletion(move: Move, kind: Kind, names: readonly string[]): string[] {
  return [`${kubectl(move, `delete ${typeOf(kind)} ${names.join(" ")}`)} --cascade=orphan --wait=false`];
}

/** Takes away the operator's finalizer and no other: the API server refuses where another one stands in its place. */
function patches(move: Move, kind: Kind, resources: readonly IlmResource[]): string[] {
  const byIndex = Map.groupBy(resources, finalizerIndex);
  return [...byIndex].flatMap(([index, all]) => {
    if (index === undefined) return [];
    const path = `/metadata/finalizers/${index}`;
    const patch = JSON.stringify([
      { op: "test", path, value: FINALIZER },
      { op: "remove", path },
    ]);
    const command = (name: string): string =>
      `${kubectl(move, `patch ${typeOf(kind)} ${name}`)} --type=json -p '${patch}'`;
    const names = all.map(({ name }) => name);
    return [
      names.length === 1
        ? command(names[0] ?? "")
        : `for name in ${names.join(" ")}; do ${command('"$name"')}; done`,
    ];
  });
}

function owners(move: Move, kind: Kind, names: readonly string[]): string {
  const label = `otilm.com/${KINDS[kind].component}`;
  const selector = names.length === 1 ? `${label}=${names[0]}` : `'${label} in (${names.join(", ")})'`;
  const columns = "KIND:.kind,NAME:.metadata.name,OWNER:.metadata.ownerReferences[*].name";
  const kinds = `deploy,svc,sa,pdb,netpol${move.hasMonitors ? ",servicemonitors" : ""}`;
  return `${kubectl(move, `get ${kinds} -l ${selector}`)} -o custom-columns='${columns}'`;
}
