import { existsSync } from "node:fs";
import type { KubeConfig } from "@kubernetes/client-node";
import pLimit from "p-limit";
import type { WebSocket } from "ws";
import { ask } from "./ask.ts";
import type { Cluster, KubeObject, Outcome, PatchOutcome, Resource } from "./cluster.ts";
import { KubeconfigError, readKubeconfig } from "./kubeconfig.ts";
import { boundLogin, type LoginOptions } from "./login.ts";
import { asDeleted, asKinds, asObject, asPage, orConflict, outcomeOf } from "./outcomes.ts";
import { FIELD_MANAGER } from "./ownership.ts";
import { openStream } from "./port-forward.ts";
import { type Answer, type NoAnswerError, type Request, send } from "./request.ts";
import { type Retries, retries } from "./retries.ts";

export { KubeconfigError } from "./kubeconfig.ts";

/** Requests that are under way at once: a zone of 500 proxies reads 500 Secrets side by side. */
const REQUESTS_AT_ONCE = 16;
const PAGE_SIZE = 500;
/** Milliseconds after which no further page of a list is asked for. */
const LIST_TIMEOUT = 60_000;
/** A list is begun anew so often when the API server no longer knows where it was. */
const LIST_ATTEMPTS = 3;

export interface ConnectOptions {
  context?: string;
  kubeconfig?: string;
  /** Told what a run waits for, where that may take long. */
  tell?: (line: string) => void;
}

/**
 * Connects to a cluster: by kubeconfig and context, or, inside a cluster and without a context, as its service
 * account. Nothing is sent yet.
 * @throws KubeconfigError
 */
export async function connect(options: ConnectOptions): Promise<Cluster> {
  const client = await loadClient();
  if (options.context !== undefined) {
    const config = readKubeconfig(client, options.kubeconfig, options.context);
    return clusterOf(config, client.WebSocket, options);
  }
  if (!insideCluster()) throw new KubeconfigError("no context is given and this is not a pod of a cluster");
  const config = new client.KubeConfig();
  config.loadFromCluster();
  return clusterOf(config, client.WebSocket);
}

/** Whether this process runs in a pod with a service account. */
export function insideCluster(): boolean {
  return (
    process.env["KUBERNETES_SERVICE_HOST"] !== undefined &&
    existsSync("/var/run/secrets/kubernetes.io/serviceaccount/token")
  );
}

async function loadClient(): Promise<typeof import("#kubernetes-client")> {
  try {
    return await import("#kubernetes-client");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new KubeconfigError(
      "the bundled Kubernetes client is missing: run `npm run prepare` in the project",
    );
  }
}

/** What a test makes shorter. */
export interface Bounds extends LoginOptions {
  requestMs?: number;
  again?: Retries;
}

/** The cluster of a kubeconfig's current context. */
export function clusterOf(
  config: KubeConfig,
  Socket: typeof WebSocket,
  { requestMs, again = retries(), ...login }: Bounds = {},
): Cluster {
  boundLogin(config, login);
  const atOnce = pLimit(REQUESTS_AT_ONCE);
  const once = (request: Request) => atOnce(() => send(config, request, requestMs));
  const read = (path: string) => again.read(() => once({ method: "GET", path }));
  const write = (request: Request) => again.write(() => once(request));
  return {
    async get(resource, namespace, name) {
      return outcomeOf(await read(pathOf(resource, namespace, name)), asObject(resource));
    },
    list: (resource, namespace, labelSelector) =>
      listAll(read, collection(resource, namespace), labelSelector),
    async serves(resource) {
      const kinds = outcomeOf(await read(groupPath(resource)), asKinds);
      if (kinds.outcome !== "found") return kinds;
      return kinds.value.includes(resource.kind) ? { outcome: "found", value: true } : { outcome: "missing" };
    },
    async dryRunCreate(resource, namespace, manifest) {
      const path = `${collection(resource, namespace)}?dryRun=All`;
      const body = { type: "application/json", content: manifest };
      // Nothing is made, so it may be asked like a read.
      return outcomeOf(await again.read(() => once({ method: "POST", path, body })), asObject(resource));
    },
    async jsonPatch(resource, namespace, name, patch): Promise<PatchOutcome> {
      const body = { type: "application/json-patch+json", content: patch };
      const answer = await write({ method: "PATCH", path: pathOf(resource, namespace, name), body });
      return orConflict(answer, asObject(resource), 409, 422);
    },
    async create(resource, namespace, manifest) {
      const path = `${collection(resource, namespace)}?fieldManager=${FIELD_MANAGER}`;
      const body = { type: "application/json", content: manifest };
      return orConflict(await write({ method: "POST", path, body }), asObject(resource), 409);
    },
    async remove(resource, namespace, name, preconditions) {
      const content = { apiVersion: "v1", kind: "DeleteOptions", preconditions };
      const body = { type: "application/json", content };
      const answer = await write({ method: "DELETE", path: pathOf(resource, namespace, name), body });
      return orConflict(answer, asDeleted, 409);
    },
    openStream: (namespace, pod, port, end) => openStream({ config, Socket, namespace, pod, port }, end),
    ask: (namespace, pod, port, request) => ask({ config, Socket, namespace, pod, port }, request),
  };
}

/** Reads every page of a list; from the first one on again where the API server has forgotten the place. */
async function listAll(
  read: (path: string) => Promise<Answer | NoAnswerError>,
  path: string,
  labelSelector: string | undefined,
): Promise<Outcome<KubeObject[]>> {
  const end = performance.now() + LIST_TIMEOUT;
  let items: KubeObject[] = [];
  let tokens: string[] = [];
  for (let attempts = 1; ;) {
    const token = tokens.at(-1);
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (labelSelector !== undefined) query.set("labelSelector", labelSelector);
    if (token !== undefined) query.set("continue", token);
    const answer = await read(`${path}?${query.toString()}`);
    const isForgotten = "status" in answer && answer.status === 410 && token !== undefined;
    if (isForgotten && attempts < LIST_ATTEMPTS) {
      attempts += 1;
      items = [];
      tokens = [];
      continue;
    }
    const page = outcomeOf(answer, asPage);
    if (page.outcome !== "found") return page;
    items = items.concat(page.value.items);
    const next = page.value.token;
    if (next === "") return { outcome: "found", value: items };
    if (tokens.includes(next))
      return { outcome: "unreachable", detail: "the API server repeats a page of a list" };
    if (performance.now() > end)
      return { outcome: "unreachable", detail: `a list did not end within ${LIST_TIMEOUT / 1000} s` };
    tokens.push(next);
  }
}

function groupPath({ apiVersion }: Resource): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function collection(resource: Resource, namespace: string | undefined): string {
  const scope = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${groupPath(resource)}${scope}/${resource.plural}`;
}

function pathOf(resource: Resource, namespace: string | undefined, name: string): string {
  return `${collection(resource, namespace)}/${encodeURIComponent(name)}`;
}
