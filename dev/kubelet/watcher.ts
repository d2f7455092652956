// Watches the pods of the fake node, judges each and writes the verdict on it (../kwok/annotations.ts). The
// Stages let no pod start without one, so there is no moment at which a pod is ready and should not be.

import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ApiException,
  CoreV1Api,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import type { V1ObjectMeta, V1Pod } from "@kubernetes/client-node";
import { MESSAGES, VERDICT } from "../kwok/annotations.ts";
import { judge } from "./judge.ts";
import type { Kind } from "./judge.ts";
import { watchForever } from "./watch.ts";

/** How many pods are judged at the same time. */
const PARALLEL = 16;

export interface Watcher {
  /** Ends the watches and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Starts judging the pods of `node`; never throws later: what goes wrong stands in `logFile` and is tried
 * again.
 */
export function startWatcher(options: { kubeconfig: string; node: string; logFile: string }): Watcher {
  const config = new KubeConfig();
  config.loadFromFile(options.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const log = createWriteStream(options.logFile, { flags: "a" });
  const write = (line: string): void => void log.write(`${new Date().toISOString()} ${line}\n`);
  const stopping = new AbortController();

  // Pods without their final verdict, by namespace and name: as last seen, and whether they changed since
  // judged.
  const pods = new Map<string, { pod: V1Pod; due: boolean; busy: boolean }>();
  let busy = 0;
  let idle: (() => void) | undefined;

  const seen = (type: string, pod: V1Pod): void => {
    const key = `${pod.metadata?.namespace}/${pod.metadata?.name}`;
    const entry = pods.get(key);
    if (type === "DELETED" || !awaitsVerdict(pod)) {
      pods.delete(key);
    } else if (entry === undefined) {
      pods.set(key, { pod, due: true, busy: false });
    } else {
      entry.pod = pod;
      entry.due = true;
    }
    next();
  };

  // A Secret or ConfigMap came, changed or went: pods of its namespace may wait for it.
  const changed = (_type: string, object: { metadata?: V1ObjectMeta }): void => {
    for (const entry of pods.values()) {
      if (entry.pod.metadata?.namespace === object.metadata?.namespace) entry.due = true;
    }
    next();
  };

  const next = (): void => {
    for (const [key, entry] of pods) {
      if (busy >= PARALLEL || stopping.signal.aborted) return;
      if (!entry.due || entry.busy) continue;
      entry.due = false;
      entry.busy = true;
      busy += 1;
      void decide(entry.pod)
        .catch(async (error: unknown) => {
          write(`${key}: ${describe(error)}; again in a second`);
          await sleep(1000, undefined, { signal: stopping.signal }).catch(() => undefined); // stopped meanwhile
          entry.due = true;
        })
        .finally(() => {
          entry.busy = false;
          busy -= 1;
          if (busy === 0) idle?.();
          next();
        });
    }
  };

  const decide = async (pod: V1Pod): Promise<void> => {
    const { name, namespace } = { name: pod.metadata?.name ?? "", namespace: pod.metadata?.namespace ?? "" };
    // Read anew for every pod: a cache that lags behind would make a pod fail, or start, by chance.
    const { verdict, messages } = await judge(pod, (kind, object) => keysOf(api, kind, namespace, object));
    const text = verdict === "start" ? null : JSON.stringify(messages);
    const annotations = pod.metadata?.annotations ?? {};
    if (annotations[VERDICT] === verdict && (annotations[MESSAGES] ?? null) === text) return;
    write(`${namespace}/${name}: ${verdict}${text === null ? "" : ` ${text}`}`);
    try {
      await api.patchNamespacedPod(
        {
          name,
          namespace,
          fieldManager: "dev-kubelet",
          // The uid: a pod of the same name that took its place meanwhile must not get this one's verdict.
          body: {
            metadata: { uid: pod.metadata?.uid, annotations: { [VERDICT]: verdict, [MESSAGES]: text } },
          },
        },
        setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
      );
    } catch (error) {
      if (!isStatus(error, 404) && !isStatus(error, 409)) throw error; // it is gone, or another one
    }
  };

  const watch = (
    path: string,
    selector: Record<string, string>,
    onEvent: (type: string, object: object) => void,
  ) => watchForever({ config, path, selector, onEvent, onProblem: write, signal: stopping.signal });
  const watches = [
    watch("/api/v1/pods", { fieldSelector: `spec.nodeName=${options.node}` }, seen),
    watch("/api/v1/secrets", {}, changed),
    watch("/api/v1/configmaps", {}, changed),
  ];

  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(watches);
      if (busy > 0) await new Promise<void>((resolve) => (idle = resolve));
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}

/** Only containers that have not started are judged: what is deleted later does not stop them. */
function awaitsVerdict(pod: V1Pod): boolean {
  return (
    pod.metadata?.deletionTimestamp === undefined &&
    (pod.status?.phase ?? "Pending") === "Pending" &&
    pod.metadata?.annotations?.[VERDICT] !== "start"
  );
}

async function keysOf(
  api: CoreV1Api,
  kind: Kind,
  namespace: string,
  name: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    if (kind === "Secret") {
      const secret = await api.readNamespacedSecret({ namespace, name });
      return new Set(Object.keys(secret.data ?? {}));
    }
    const map = await api.readNamespacedConfigMap({ namespace, name });
    return new Set([...Object.keys(map.data ?? {}), ...Object.keys(map.binaryData ?? {})]);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

function isStatus(error: unknown, code: number): boolean {
  return error instanceof ApiException && error.code === code;
}

function describe(error: unknown): string {
  if (error instanceof ApiException) return `HTTP ${error.code}`;
  return error instanceof Error ? error.message : String(error);
}
