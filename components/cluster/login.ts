// The login command of a kubeconfig (`exec`): run once for all requests of a run, and never for ever.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { KubeConfig } from "@kubernetes/client-node";

/** Milliseconds that a login may take: people log in with a browser and a second factor. */
const LOGIN_TIMEOUT = 180_000;
/** Milliseconds after which a person is told what the run waits for. */
const SILENCE = 5_000;
/** Milliseconds for which a login that failed is not tried again: all requests would start it once more. */
const PAUSE_AFTER_FAILURE = 30_000;
/** Bytes of a credential: more is none. */
const MAX_BYTES = 1 << 20;

/** Why no one could log in. Nothing that the command has printed is in it: that may be the credential. */
export class LoginError extends Error {}

export interface LoginOptions {
  /** Told what a run waits for. */
  tell?: (line: string) => void;
  timeoutMs?: number;
  silenceMs?: number;
}

/** What a kubeconfig says of the command; https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/#ExecConfig */
interface LoginCommand {
  apiVersion?: string;
  command: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  provideClusterInfo?: boolean;
}

interface Credential {
  token?: string;
  clientCertificateData?: string;
  clientKeyData?: string;
  expirationTimestamp?: string;
}

const NAME = "login command";

/** Has the login command of the current user, if there is one, run by us in place of the client, which waits for ever. */
export function boundLogin(config: KubeConfig, options: LoginOptions = {}): void {
  const user = config.getCurrentUser();
  const provider = user?.authProvider as { config?: { exec?: unknown } } | null | undefined;
  const command = (user?.exec ?? provider?.config?.exec) as unknown;
  if (user === null || !command) return;
  Object.assign(user, { exec: undefined, authProvider: { name: NAME, config: {} } });
  const login = keptLogin(() => logIn(config, command as LoginCommand, options));
  config.addAuthenticator({
    isAuthProvider: ({ authProvider }) => (authProvider as { name?: string } | undefined)?.name === NAME,
    applyAuthentication: async (_user, request) => {
      const { token, clientCertificateData: cert, clientKeyData: key } = await login();
      if (cert !== undefined) Object.assign(request, { cert, key });
      if (token !== undefined) Object.assign((request.headers ??= {}), { Authorization: `Bearer ${token}` });
    },
  });
}

/** One login at a time, kept while its credential is valid. */
function keptLogin(logInAnew: () => Promise<Credential>): () => Promise<Credential> {
  let kept: Promise<Credential> | undefined;
  let until = 0;
  return () => {
    if (kept !== undefined && Date.now() < until) return kept;
    until = Infinity;
    const begun = logInAnew();
    kept = begun;
    begun.then(
      ({ expirationTimestamp }) => {
        const expires = Date.parse(expirationTimestamp ?? "");
        if (Number.isFinite(expires)) until = expires;
      },
      () => (until = Date.now() + PAUSE_AFTER_FAILURE),
    );
    return begun;
  };
}

async function logIn(
  config: KubeConfig,
  { command, args, env, ...more }: LoginCommand,
  { tell = () => undefined, timeoutMs = LOGIN_TIMEOUT, silenceMs = SILENCE }: LoginOptions,
): Promise<Credential> {
  if (typeof command !== "string" || command === "")
    throw new LoginError("the login command of the kubeconfig has no name");
  const what = `the login command ${command} of the kubeconfig`;
  let child: ChildProcess;
  try {
    const own = (env ?? []).map(({ name, value }) => [name, value]);
    // With no input it can't wait for any; it stays in our process group, so that who ends us ends it.
    child = spawn(command, args ?? [], {
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        ...process.env,
        ...(Object.fromEntries(own) as NodeJS.ProcessEnv),
        KUBERNETES_EXEC_INFO: execInfo(config, more),
      },
    });
  } catch {
    throw new LoginError(`${what} can't be started: its args or env are not what they must be`);
  }
  const end = (): void => {
    endTree(child);
  };
  process.once("exit", end);
  const speak = setTimeout(() => {
    tell(`waiting for ${what}, for at most ${timeoutMs / 1000} s`);
  }, silenceMs);
  try {
    return credentialIn(await outputOf(child, what, timeoutMs), what);
  } finally {
    clearTimeout(speak);
    process.off("exit", end);
    end();
  }
}

/** What the command prints, when it ends well and in time. */
async function outputOf(child: ChildProcess, what: string, timeoutMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const tooMuch = new Promise<never>((_, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > MAX_BYTES) reject(new LoginError(`${what} did not print a credential`));
    });
  });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const [code] = (await Promise.race([once(child, "close", { signal }), tooMuch])) as [number | null];
    if (code !== 0)
      throw new LoginError(
        `${what} failed (${code === null ? "ended by a signal" : `exit code ${code}`}): kubectl says why`,
      );
  } catch (error) {
    if (error instanceof LoginError) throw error;
    const { code, name } = error as NodeJS.ErrnoException;
    if (name === "AbortError") throw new LoginError(`${what} did not end within ${timeoutMs / 1000} s`);
    throw new LoginError(`${what} can't be started (${code ?? name}): is it installed, and on PATH?`);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function credentialIn(output: string, what: string): Credential {
  let status: Credential | null | undefined;
  try {
    status = (JSON.parse(output) as { status?: Credential } | null)?.status;
  } catch {
    // The same as any other thing that is no credential.
  }
  const { token, clientCertificateData: cert, clientKeyData: key } = status ?? {};
  const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
  const hasToken = isText(token) && !/[^\x21-\x7e]/.test(token ?? "");
  const hasCertificate = isText(cert) && isText(key);
  if (!hasToken && !hasCertificate) throw new LoginError(`${what} did not print a credential`);
  const expires = status?.expirationTimestamp;
  return {
    ...(hasToken && token !== undefined && { token }),
    ...(hasCertificate &&
      cert !== undefined &&
      key !== undefined && { clientCertificateData: cert, clientKeyData: key }),
    ...(isText(expires) && expires !== undefined && { expirationTimestamp: expires }),
  };
}

/** What kubectl tells such a command as well; some refuse to work without. */
function execInfo(config: KubeConfig, { apiVersion, provideClusterInfo }: Partial<LoginCommand>): string {
  const cluster = config.getCurrentCluster();
  const about = cluster !== null && {
    server: cluster.server,
    "certificate-authority-data": cluster.caData,
    "insecure-skip-tls-verify": cluster.skipTLSVerify,
    "tls-server-name": cluster.tlsServerName,
    "proxy-url": cluster.proxyUrl,
  };
  return JSON.stringify({
    kind: "ExecCredential",
    apiVersion: apiVersion ?? "client.authentication.k8s.io/v1",
    spec: { interactive: false, ...(provideClusterInfo === true && about && { cluster: about }) },
  });
}

/** Ends a command and what it has started: a wrapper of it would leave the real one waiting for ever. */
function endTree(child: ChildProcess): void {
  child.stdout?.destroy();
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const below = process.platform === "win32" ? [] : descendants(child.pid);
  if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
  child.kill("SIGKILL");
  for (const pid of below) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

function descendants(root: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const processes = [...((stdout as string | null) ?? "").matchAll(/(\d+)\s+(\d+)/g)].map(
    ([, pid, parent]) => ({
      pid: Number(pid),
      parent: Number(parent),
    }),
  );
  const below = (parent: number): number[] =>
    processes.filter((one) => one.parent === parent).flatMap(({ pid }) => [pid, ...below(pid)]);
  return below(root);
}
