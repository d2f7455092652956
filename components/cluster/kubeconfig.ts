// Reads kubeconfigs as kubectl does, and says what is wrong with one without repeating what is in it: it holds credentials.
import { delimiter } from "node:path";
import type { KubeConfig } from "@kubernetes/client-node";

/** A kubeconfig that can't be used: the message says why and what to do. */
export class KubeconfigError extends Error {}

/** Stands in for the user of a context that names none. */
const NOBODY = "(none)";

/** Gone from Kubernetes' clients, and with them from the provider, since 1.26. */
const REMOVED_PROVIDERS: ReadonlySet<unknown> = new Set(["azure", "gcp"]);

type Client = typeof import("#kubernetes-client");

/** The kubeconfig in a file, else in those that KUBECONFIG names, else a person's own, with this context. */
export function readKubeconfig(client: Client, file: string | undefined, context: string): KubeConfig {
  const config = file === undefined ? ambient(client) : read(client, file);
  const found = config.getContexts().find(({ name }) => name === context);
  if (found === undefined) {
    // Without any kubeconfig the client makes up a context of its own.
    const names = config.getContexts().map(({ name }) => name);
    const known = names.filter((name) => name !== "loaded-context").join(", ") || "none";
    throw new KubeconfigError(`the kubeconfig has no context "${context}"; its contexts: ${known}`);
  }
  config.setCurrentContext(context);
  checkCluster(config, found.cluster, context);
  if ((found.user as string | undefined) === undefined) {
    // The client would leave out the cluster's certificate along with the user.
    config.addUser({ name: NOBODY });
    Object.assign(found, { user: NOBODY });
  }
  const user = config.getCurrentUser();
  if (user === null)
    throw new KubeconfigError(`the context "${context}" names a user that the kubeconfig does not have`);
  const { name: provider } = (user.authProvider ?? {}) as { name?: unknown };
  if (REMOVED_PROVIDERS.has(provider))
    throw new KubeconfigError(
      `the user of the context "${context}" logs in with an auth-provider that Kubernetes has removed: ` +
        "take a login command (exec), such as gke-gcloud-auth-plugin or kubelogin",
    );
  return config;
}

function checkCluster(config: KubeConfig, name: string, context: string): void {
  const cluster = config.getCluster(name);
  if (cluster === null)
    throw new KubeconfigError(`the context "${context}" names a cluster that the kubeconfig does not have`);
  const { server, proxyUrl } = cluster;
  if (!URL.canParse(server) || new URL(server).protocol !== "https:")
    throw new KubeconfigError(`the server of the context "${context}" must be an https:// URL`);
  if (proxyUrl && !/^(https?|socks\w*):$/.test(protocolOf(proxyUrl)))
    throw new KubeconfigError(
      `the proxy-url of the context "${context}" must be an http://, https:// or socks5:// URL`,
    );
}

function protocolOf(url: unknown): string {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).protocol : "";
}

function ambient(client: Client): KubeConfig {
  const files = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (files.length < 2)
    return guarded(client, (config) => {
      config.loadFromDefault();
    });
  // As kubectl merges them: what is not there is left out, and of two entries of a name the first holds.
  const configs = files.flatMap((path) => {
    try {
      return [read(client, path)];
    } catch (error) {
      if (error instanceof KubeconfigError && codeOf(error.cause) === "ENOENT") return [];
      throw error;
    }
  });
  const merged = new client.KubeConfig();
  merged.loadFromOptions({
    clusters: firstOfEach(configs.flatMap((config) => config.getClusters())),
    users: firstOfEach(configs.flatMap((config) => config.getUsers())),
    contexts: firstOfEach(configs.flatMap((config) => config.getContexts())),
  });
  return merged;
}

function firstOfEach<T extends { name: string }>(all: readonly T[]): T[] {
  return all.filter((one, index) => all.findIndex(({ name }) => name === one.name) === index);
}

function read(client: Client, file: string): KubeConfig {
  return guarded(client, (config) => {
    config.loadFromFile(file);
  });
}

function guarded(client: Client, load: (config: KubeConfig) => void): KubeConfig {
  const config = new client.KubeConfig();
  try {
    load(config);
  } catch (error) {
    throw new KubeconfigError(`the kubeconfig could not be read: ${reasonOf(error as Error)}`, {
      cause: error,
    });
  }
  return config;
}

/** What the YAML reader says shows the lines around a mistake, and what the client stumbles over may be any value. */
function reasonOf(error: Error & { mark?: { line?: number } }): string {
  if (codeOf(error) !== undefined) return error.message;
  if (error.mark?.line !== undefined) return `line ${error.mark.line + 1} is no YAML`;
  if (/^\w+\[\d+\]\.[\w.]+ is missing$/.test(error.message)) return error.message;
  return "it is empty, or no kubeconfig";
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
