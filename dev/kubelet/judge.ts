// May the containers of a pod start? The part of a kubelet that looks for what a pod's volumes and
// environment name. It knows no client: objects come in through a function.

import type { V1Container, V1Pod, V1Volume } from "@kubernetes/client-node";
import { BEHAVIOUR, BEHAVIOURS } from "../kwok/annotations.ts";
import type { Messages, Verdict } from "../kwok/annotations.ts";

export type Kind = "Secret" | "ConfigMap";

/** The keys of an object in the pod's namespace, or undefined when there is no such object. */
export type ReadKeys = (kind: Kind, name: string) => Promise<ReadonlySet<string> | undefined>;

export interface Judgement {
  readonly verdict: Verdict;
  readonly messages: Messages;
}

/** Judges in a kubelet's order: volumes are mounted first, then the containers are created. */
export async function judge(pod: V1Pod, read: ReadKeys): Promise<Judgement> {
  for (const volume of pod.spec?.volumes ?? []) {
    const problem = await missingForVolume(volume, read);
    if (problem !== undefined) {
      return {
        verdict: "volume-missing",
        messages: { "": `MountVolume.SetUp failed for volume "${volume.name}" : ${problem}` },
      };
    }
  }
  const messages: Record<string, string> = {};
  const typo = unknownBehaviour(pod);
  for (const container of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]) {
    const problem =
      typo ?? (await missingForContainer(container, pod.metadata?.namespace ?? "default", read));
    if (problem !== undefined) messages[container.name] = problem;
  }
  return { verdict: Object.keys(messages).length === 0 ? "start" : "config-missing", messages };
}

/** A test that misspells a behaviour must not pass because its pod became ready. */
function unknownBehaviour(pod: V1Pod): string | undefined {
  const value = pod.metadata?.annotations?.[BEHAVIOUR];
  if (value === undefined) return undefined;
  const known = BEHAVIOURS.some((name) =>
    name === "slow" ? /^slow:\d+(\.\d+)?$/.test(value) : value === name,
  );
  const allowed = BEHAVIOURS.map((name) => (name === "slow" ? "slow:<seconds>" : name)).join(", ");
  return known ? undefined : `annotation ${BEHAVIOUR} is "${value}"; allowed: ${allowed}`;
}

async function missingForContainer(
  container: V1Container,
  namespace: string,
  read: ReadKeys,
): Promise<string | undefined> {
  for (const source of container.envFrom ?? []) {
    const problem =
      (await missingObject("Secret", source.secretRef, read)) ??
      (await missingObject("ConfigMap", source.configMapRef, read));
    if (problem !== undefined) return problem;
  }
  for (const { valueFrom } of container.env ?? []) {
    const problem =
      (await missingKey("Secret", valueFrom?.secretKeyRef, namespace, read)) ??
      (await missingKey("ConfigMap", valueFrom?.configMapKeyRef, namespace, read));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function missingForVolume(volume: V1Volume, read: ReadKeys): Promise<string | undefined> {
  const { secretName: name, ...rest } = volume.secret ?? {};
  const secret = name === undefined ? undefined : { ...rest, name };
  const projected = volume.projected?.sources ?? [];
  for (const source of [{ secret, configMap: volume.configMap }, ...projected]) {
    const problem =
      (await missingFile("Secret", source.secret, read)) ??
      (await missingFile("ConfigMap", source.configMap, read));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Source {
  readonly name?: string;
  readonly optional?: boolean;
}

async function missingObject(
  kind: Kind,
  source: Source | undefined,
  read: ReadKeys,
): Promise<string | undefined> {
  if (source?.name === undefined || source.optional === true) return undefined;
  return (await read(kind, source.name)) === undefined ? notFound(kind, source.name) : undefined;
}

async function missingKey(
  kind: Kind,
  source: (Source & { readonly key: string }) | undefined,
  namespace: string,
  read: ReadKeys,
): Promise<string | undefined> {
  if (source?.name === undefined || source.optional === true) return undefined;
  const keys = await read(kind, source.name);
  if (keys === undefined) return notFound(kind, source.name);
  return keys.has(source.key)
    ? undefined
    : `couldn't find key ${source.key} in ${kind} ${namespace}/${source.name}`;
}

async function missingFile(
  kind: Kind,
  source: (Source & { readonly items?: readonly { readonly key: string }[] }) | undefined,
  read: ReadKeys,
): Promise<string | undefined> {
  if (source?.name === undefined || source.optional === true) return undefined;
  const keys = await read(kind, source.name);
  if (keys === undefined) return notFound(kind, source.name);
  const absent = source.items?.find((item) => !keys.has(item.key));
  if (absent === undefined) return undefined;
  return `references non-existent ${kind === "Secret" ? "secret" : "config"} key: ${absent.key}`;
}

function notFound(kind: Kind, name: string): string {
  return `${kind.toLowerCase()} "${name}" not found`;
}
