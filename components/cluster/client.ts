import { existsSync } from "node:fs";
import { request, type RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { WebSocket } from "ws";
import { ask } from "./ask.ts";
import type { Cluster, KubeObject, Outcome, PatchOutcome, Resource } from "./cluster.ts";
import { KubeconfigError, readKubeconfig } from "./kubeconfig.ts";
import { boundLogin, LoginError, type LoginOptions } from "./login.ts";
import { FIELD_MANAGER } from "./ownership.ts";
import { openStream } from "./port-forward.ts";

export { KubeconfigError } from "./kubeconfig.ts";

/** Milliseconds that one request may take. */
const REQUEST_TIMEOUT = 10_000;
/** A read is tried this often when the server is busy or drops the connection. */
const ATTEMPTS = 4;
const PAGE_SIZE = 500;

interface Answer {
  status: number;
  body: unknown;
  retryAfterSeconds: number | undefined;
}

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

/** The cluster of a kubeconfig's current context. */
export function clusterOf(config: KubeConfig, Socket: typeof WebSocket, login: LoginOptions = {}): Cluster {
  boundLogin(config, login);
  const read = (path: string) => withRetries(() => send(config, "GET", path));
  return {
    async get(resource, namespace, name) {
      return outcomeOf(
        await read(`${collection(resource, namespace)}/${encodeURIComponent(name)}`),
        asObject,
      );
    },
    async list(resource, namespace, labelSelector) {
      const items: KubeObject[] = [];
      let token = "";
      do {
        const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
        if (labelSelector !== undefined) query.set("labelSelector", labelSelector);
        if (token) query.set("continue", token);
        const page = outcomeOf(await read(`${collection(resource, namespace)}?${query.toString()}`), asList);
        if (page.outcome !== "found") return page;
        items.push(...page.value.items);
        token = page.value.metadata?.continue ?? "";
      } while (token);
      return { outcome: "found", value: items };
    },
    async serves(resource) {
      const found = outcomeOf(await read(groupPath(resource)), asResourceList);
      if (found.outcome !== "found") return found;
      return found.value.resources.some(({ kind }) => kind === resource.kind)
        ? { outcome: "found", value: true }
        : { outcome: "missing" };
    },
    async dryRunCreate(resource, namespace, manifest) {
      const body = { type: "application/json", content: manifest };
      return outcomeOf(
        await send(config, "POST", `${collection(resource, namespace)}?dryRun=All`, body),
        asObject,
      );
    },
    async jsonPatch(resource, namespace, name, patch): Promise<PatchOutcome> {
      const path = `${collection(resource, namespace)}/${encodeURIComponent(name)}`;
      const body = { type: "application/json-patch+json", content: patch };
      return orConflict(await send(config, "PATCH", path, body), 409, 422);
    },
    async create(resource, namespace, manifest) {
      const path = `${collection(resource, namespace)}?fieldManager=${FIELD_MANAGER}`;
      return orConflict(
        await send(config, "POST", path, { type: "application/json", content: manifest }),
        409,
      );
    },
    async remove(resource, namespace, name, preconditions) {
      const path = `${collection(resource, namespace)}/${encodeURIComponent(name)}`;
      const content = { apiVersion: "v1", kind: "DeleteOptions", preconditions };
      const answer = await send(config, "DELETE", path, { type: "application/json", content });
      return orConflict(answer, 409);
    },
    openStream: (namespace, pod, port, end) => openStream({ config, Socket, namespace, pod, port }, end),
    ask: (namespace, pod, port, request) => ask({ config, Socket, namespace, pod, port }, request),
  };
}

/** Sorts the answer to a write; `conflicts` are the statuses by which the API server says that it came too late. */
function orConflict(answer: Answer | Error, ...conflicts: number[]): PatchOutcome {
  if (!(answer instanceof Error) && conflicts.includes(answer.status))
    return { outcome: "conflict", detail: messageOf(answer) };
  return outcomeOf(answer, asObject);
}

function groupPath({ apiVersion }: Resource): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function collection(resource: Resource, namespace: string | undefined): string {
  const scope = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${groupPath(resource)}${scope}/${resource.plural}`;
}

/** Sends one request. What the network or the kubeconfig's authentication plugin says comes back as an Error. */
async function send(
  config: KubeConfig,
  method: "GET" | "PATCH" | "POST" | "DELETE",
  path: string,
  body?: { type: string; content: object },
): Promise<Answer | Error> {
  const { server = "" } = config.getCurrentCluster() ?? {};
  const options: RequestOptions = {
    method,
    timeout: REQUEST_TIMEOUT,
    headers: {
      Accept: "application/json",
      ...(body !== undefined && { "Content-Type": body.type }),
    },
  };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    return credentialProblem(error as Error);
  }
  options.signal = AbortSignal.timeout(REQUEST_TIMEOUT);
  try {
    const url = `${server.replace(/\/$/, "")}${path}`;
    return await exchange(url, options, body && JSON.stringify(body.content));
  } catch (error) {
    if ((error as Error).name === "AbortError" || (error as Error).name === "TimeoutError") {
      return new Error(`no answer from ${server} within ${REQUEST_TIMEOUT / 1000} s`);
    }
    return error as Error;
  }
}

/** What isn't Node's own may repeat a value of the kubeconfig. */
function credentialProblem(error: Error): Error {
  if (error instanceof LoginError || (error as NodeJS.ErrnoException).code !== undefined) return error;
  return new Error("the credentials of the kubeconfig's context can't be used: kubectl says why");
}

function exchange(url: string, options: RequestOptions, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const retryAfter = Number(incoming.headers["retry-after"]);
        resolve({
          status: incoming.statusCode ?? 0,
          body: parse(Buffer.concat(chunks).toString("utf8")),
          retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
        });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway in front of the API server may answer with a page; its status code is what counts.
    return undefined;
  }
}

async function withRetries(attempt: () => Promise<Answer | Error>): Promise<Answer | Error> {
  for (let tries = 1; ; tries++) {
    const answer = await attempt();
    if (tries === ATTEMPTS || !worthRetrying(answer)) return answer;
    const backoff = 200 * 2 ** tries * (0.5 + Math.random());
    const asked = answer instanceof Error ? 0 : Math.min(answer.retryAfterSeconds ?? 0, 5) * 1000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(backoff, asked)));
  }
}

function worthRetrying(answer: Answer | Error): boolean {
  if (answer instanceof Error) return (answer as NodeJS.ErrnoException).code === "ECONNRESET";
  return answer.status === 429 || answer.status >= 500;
}

/** Sorts an answer; `narrow` says whether a successful body is what was asked for. */
function outcomeOf<T>(answer: Answer | Error, narrow: (body: unknown) => T | undefined): Outcome<T> {
  if (answer instanceof Error) return { outcome: "unreachable", detail: describe(answer) };
  if (answer.status === 404) return { outcome: "missing" };
  if (answer.status === 403) return { outcome: "forbidden", detail: messageOf(answer) };
  const value = answer.status < 300 ? narrow(answer.body) : undefined;
  return value === undefined
    ? { outcome: "unreachable", detail: messageOf(answer) }
    : { outcome: "found", value };
}

function describe(error: Error): string {
  // A refused connection to a name with several addresses is an AggregateError without a message of its own.
  const causes = error instanceof AggregateError ? error.errors : [error];
  return causes.map((cause) => (cause as Error).message).join("; ");
}

function messageOf({ status, body }: Answer): string {
  const message = (body as { message?: unknown } | undefined)?.message;
  return typeof message === "string" ? message : `the API server answered with HTTP status ${status}`;
}

function asObject(body: unknown): KubeObject | undefined {
  return (body as Partial<KubeObject> | undefined)?.metadata ? (body as KubeObject) : undefined;
}

function asList(body: unknown): { items: KubeObject[]; metadata?: { continue?: string } } | undefined {
  const list = body as { items?: unknown } | undefined;
  return Array.isArray(list?.items) ? (list as { items: KubeObject[] }) : undefined;
}

function asResourceList(body: unknown): { resources: { kind: string }[] } | undefined {
  const list = body as { resources?: unknown } | undefined;
  return Array.isArray(list?.resources) ? (list as { resources: { kind: string }[] }) : undefined;
}
