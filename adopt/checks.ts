// What stands between a resource and `pulumi up`, from its live objects: pure.
import { isDeepStrictEqual } from "node:util";
import { OWNER_ANNOTATION, refusal } from "../components/children/owner.ts";
import { DEPLOYMENTS, type KubeObject, SERVICE_ACCOUNTS } from "../components/cluster/cluster.ts";
import { selectorLabels } from "../components/workload/labels.ts";
import { serviceAccountName } from "../components/workload/serviceaccount.ts";
import type { Problem } from "../components/workload/validation.ts";
import { type ObjectSwitches, wantedObjects } from "../components/workload/workload.ts";
import { type LiveObjects, OPERATORS_KINDS } from "./live.ts";
import { FINALIZER, type IlmResource, KINDS, typeOf } from "./resources.ts";

/** What `pulumi up` would do about an object. */
export type Fate =
  /** Refuse: it belongs to the resource, whose deletion would delete it. */
  | "controlled"
  /** Take it over. */
  | "free"
  /** Update it: this stack has it already. */
  | "ours"
  /** Make it. */
  | "absent"
  /** Use it and not write to it: an account that was asked for by name. */
  | "used"
  /** Nothing: the operator has made it, and the entry does not ask for it. */
  | "left";

export interface Checked {
  resource: IlmResource;
  /** Kind -> fate. */
  fates: Map<string, Fate>;
  problems: Problem[];
}

/** What decides which objects a workload has. */
type Switches = ObjectSwitches & {
  serviceAccount?: { name?: string | undefined } | undefined;
  lifecycle?: Pick<ObjectSwitches, "podDisruptionBudget"> | undefined;
};

/** Looks at the objects of a resource; `spec` is its own, checked, and `stack` the one that is going to have them. */
export function checkObjects(
  resource: IlmResource,
  spec: Switches,
  objects: LiveObjects,
  stack: { project: string; name: string },
): Checked {
  const { kind, name, namespace = "" } = resource;
  const owner = `${stack.project}/${stack.name}/${kind}/${name}`;
  const path = `${kind} ${name}`;
  const problems: Problem[] = [];
  const fates = new Map<string, Fate>();
  for (const of of OPERATORS_KINDS) {
    const isAccount = of === SERVICE_ACCOUNTS;
    const called = isAccount ? serviceAccountName(name, spec.serviceAccount) : name;
    const live = objects.get(of.kind)?.find(({ metadata }) => metadata.name === called);
    const isNamed = isAccount && spec.serviceAccount?.name !== undefined;
    const fate = fateOf(resource, live, { isWanted: isWanted(of.kind, spec), isNamed, owner });
    if (fate !== undefined) fates.set(of.kind, fate);
    if (live === undefined || (fate !== "free" && fate !== "controlled")) continue;
    // What the resource controls is refused as well, until step 1; what is being deleted stays so.
    const isGoing = live.metadata.deletionTimestamp !== undefined;
    const refused = fate === "free" || isGoing ? refusal(of, live, [owner], true) : undefined;
    if (refused !== undefined) problems.push({ path, message: refused });
    if (of === DEPLOYMENTS && !hasOurSelector(live, { name, namespace, component: KINDS[kind].component }))
      problems.push({
        path,
        message:
          "the selector of its Deployment is not the operator's, and no selector can be changed: `pulumi up` could not take it over",
      });
  }
  if (resource.isDeleting && [...fates.values()].includes("controlled")) problems.push(goesWithIt(resource));
  return { resource, fates, problems };
}

/** What is to be done about a resource that takes its objects along. */
export function goesWithIt({ kind, name, namespace = "<namespace>" }: IlmResource): Problem {
  return {
    path: `${kind} ${name}`,
    message:
      "is being deleted, and its objects would go with it: before anybody takes its finalizer away, let go of them with " +
      `\`kubectl delete ${typeOf(kind)} ${name} -n ${namespace} --cascade=orphan --wait=false\`, then run this again`,
  };
}

function isWanted(kind: string, spec: Switches): boolean {
  const wanted = wantedObjects({ ...spec.lifecycle, ...spec });
  const optional: Readonly<Record<string, boolean>> = {
    NetworkPolicy: wanted.networkPolicy,
    PodDisruptionBudget: wanted.podDisruptionBudget,
    ServiceMonitor: wanted.serviceMonitor,
  };
  return optional[kind] ?? true;
}

function fateOf(
  { kind, name }: IlmResource,
  live: KubeObject | undefined,
  { isWanted, isNamed, owner }: { isWanted: boolean; isNamed: boolean; owner: string },
): Fate | undefined {
  if (live === undefined) return isWanted ? "absent" : undefined;
  const { annotations, labels, ownerReferences } = live.metadata;
  const isOperators = labels?.["app.kubernetes.io/managed-by"] === "ilm-operator";
  const isControlled = ownerReferences?.some(
    (of) =>
      of.controller === true &&
      of.kind === kind &&
      of.name === name &&
      of.apiVersion?.startsWith("otilm.com/"),
  );
  if (!isWanted) return isControlled === true || isOperators ? "left" : undefined;
  if (isControlled === true) return "controlled";
  if (annotations?.[OWNER_ANNOTATION] === owner) return "ours";
  return isNamed ? "used" : "free";
}

function hasOurSelector(live: KubeObject, identity: Parameters<typeof selectorLabels>[0]): boolean {
  const { selector } = (live["spec"] ?? {}) as { selector?: unknown };
  return isDeepStrictEqual(selector, { matchLabels: selectorLabels(identity) });
}

/** Where the operator's finalizer stands in the list; undefined where the resource has it not. */
export function finalizerIndex({ finalizers }: IlmResource): number | undefined {
  // A file need not say; the operator puts it first.
  const index = finalizers === undefined ? 0 : finalizers.indexOf(FINALIZER);
  return index === -1 ? undefined : index;
}
