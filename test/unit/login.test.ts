// The logins of a kubeconfig: a command runs once for a run, never for ever, and nothing secret is repeated.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { UnsecuredJWT } from "jose";
import { WebSocket } from "ws";
import { clusterOf } from "../../components/cluster/client.ts";
import { type Cluster, DEPLOYMENTS, type Outcome } from "../../components/cluster/cluster.ts";
import type { LoginOptions } from "../../components/cluster/login.ts";
import { retries } from "../../components/cluster/retries.ts";
import { eventually } from "../dev/support.ts";
import { openHttpsApi } from "../support/https-api.ts";

const SECRET = "canary-login-secret";

interface Login {
  cluster: Cluster;
  folder: string;
  /** How often the command was started. */
  starts: () => number;
  /** The Authorization headers that the server has seen. */
  seen: string[];
}

/** A cluster with a login command: a script of the shell, which first notes its start. */
async function loggingIn(t: TestContext, script: string, options: LoginOptions = {}): Promise<Login> {
  const folder = mkdtempSync(join(tmpdir(), "login-"));
  const seen: string[] = [];
  const api = await openHttpsApi((request, response) => {
    seen.push(request.headers.authorization ?? "");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind: "Deployment", metadata: { name: "d" } }));
  });
  t.after(async () => {
    await api.close();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(`${folder}/login`, `#!/bin/sh\necho started >> ${folder}/starts\n${script}\n`, {
    mode: 0o755,
  });
  const config = api.config();
  const env = [{ name: "LOGIN_SECRET", value: SECRET }];
  const exec = { command: `${folder}/login`, apiVersion: "client.authentication.k8s.io/v1", env };
  Object.assign(config.getCurrentUser() ?? {}, { token: undefined, exec });
  const starts = (): number =>
    existsSync(`${folder}/starts`) ? readFileSync(`${folder}/starts`, "utf8").split("\n").length - 1 : 0;
  return { cluster: clusterOf(config, WebSocket, options), folder, starts, seen };
}

const get = (cluster: Cluster): Promise<Outcome<unknown>> => cluster.get(DEPLOYMENTS, "n", "d");

function detailOf(outcome: Outcome<unknown>): string {
  assert.equal(outcome.outcome, "unreachable");
  const { detail } = outcome as { detail: string };
  assert.doesNotMatch(detail, new RegExp(SECRET));
  return detail;
}

const credential = (status: object): string => `echo '${JSON.stringify({ kind: "ExecCredential", status })}'`;
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

test("requests side by side and one after the other log in once", async (t) => {
  const { cluster, starts, seen } = await loggingIn(
    t,
    credential({ token: SECRET, expirationTimestamp: inMinutes(5) }),
  );
  const outcomes = [...(await Promise.all([get(cluster), get(cluster), get(cluster)])), await get(cluster)];
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    Array(4).fill("found"),
  );
  assert.equal(starts(), 1);
  assert.deepEqual(seen, Array(4).fill(`Bearer ${SECRET}`));
});

test("a credential that has run out is asked for anew", async (t) => {
  const { cluster, starts } = await loggingIn(
    t,
    credential({ token: SECRET, expirationTimestamp: inMinutes(-5) }),
  );
  await get(cluster);
  await get(cluster);
  assert.equal(starts(), 2);
});

test("the command is told what kubectl tells it, and gets no input", async (t) => {
  const { cluster, folder } = await loggingIn(
    t,
    `cat > "$(dirname "$0")/input"; echo "$KUBERNETES_EXEC_INFO" > "$(dirname "$0")/info"; ${credential({ token: SECRET })}`,
  );
  assert.equal((await get(cluster)).outcome, "found");
  assert.equal(readFileSync(`${folder}/input`, "utf8"), "");
  assert.deepEqual(JSON.parse(readFileSync(`${folder}/info`, "utf8")), {
    kind: "ExecCredential",
    apiVersion: "client.authentication.k8s.io/v1",
    spec: { interactive: false },
  });
});

const FAILING: [string, string, RegExp][] = [
  [
    "fails and prints a secret",
    `echo "$LOGIN_SECRET" >&2; exit 3`,
    /failed \(exit code 3\): kubectl says why$/,
  ],
  ["is killed", `kill -9 $$`, /failed \(ended by a signal\)/],
  ["prints nothing", "true", /did not print a credential$/],
  ["prints garbage", `echo "$LOGIN_SECRET {"`, /did not print a credential$/],
  ["prints null", "echo null", /did not print a credential$/],
  ["prints no status", "echo '{}'", /did not print a credential$/],
  ["prints an empty status", credential({}), /did not print a credential$/],
  ["prints a token that fits no header", credential({ token: `${SECRET}\n` }), /did not print a credential$/],
  ["prints half a certificate", credential({ clientCertificateData: SECRET }), /did not print a credential$/],
  ["never stops printing", `yes "$LOGIN_SECRET"`, /did not print a credential$/],
];

for (const [what, script, expected] of FAILING) {
  test(`a command that ${what} is one line, and is not tried again at once`, async (t) => {
    const { cluster, starts, seen } = await loggingIn(t, script);
    const outcomes = await Promise.all([get(cluster), get(cluster)]);
    for (const outcome of [...outcomes, await get(cluster)]) assert.match(detailOf(outcome), expected);
    assert.equal(starts(), 1);
    assert.deepEqual(seen, []);
  });
}

test("a command that hangs is said, and ended with all that it started", async (t) => {
  const told: string[] = [];
  const options = { timeoutMs: 700, silenceMs: 100, tell: (line: string) => told.push(line) };
  const script = `sleep 600 & echo $! > "$(dirname "$0")/child"; echo $$ > "$(dirname "$0")/self"; wait`;
  const { cluster, folder } = await loggingIn(t, script, options);
  assert.match(
    detailOf(await get(cluster)),
    /^the login command \S+ of the kubeconfig did not end within 0.7 s$/,
  );
  assert.deepEqual(told, [
    `waiting for the login command ${folder}/login of the kubeconfig, for at most 0.7 s`,
  ]);
  for (const name of ["child", "self"]) {
    const pid = Number(readFileSync(`${folder}/${name}`, "utf8"));
    await eventually(`${name} has ended`, 10, () => Promise.resolve(isRunning(pid) ? undefined : true));
  }
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("a command that is not there, or not described as it must be, is one line", async (t) => {
  const api = await openHttpsApi((_, response) => response.end());
  t.after(() => api.close());
  const rows: [object, RegExp][] = [
    [{ command: "no-such-login-command" }, /can't be started \(ENOENT\): is it installed, and on PATH\?$/],
    [{ command: "" }, /has no name$/],
    [{ args: [SECRET] }, /has no name$/],
    [{ command: "true", args: SECRET }, /can't be started: its args or env are not what they must be$/],
    [{ command: "true", env: SECRET }, /can't be started: its args or env are not what they must be$/],
    [{ command: "true", env: [null] }, /can't be started: its args or env are not what they must be$/],
  ];
  for (const [exec, expected] of rows) {
    const config = api.config();
    Object.assign(config.getCurrentUser() ?? {}, { token: undefined, exec });
    assert.match(detailOf(await get(clusterOf(config, WebSocket))), expected);
  }
});

/** An OpenID Connect login whose token has run out: kubectl refreshes it in the file, the client can't. */
function outdatedLogin(): object {
  const config = {
    "idp-issuer-url": "https://127.0.0.1:1",
    "client-id": "kubernetes",
    "id-token": new UnsecuredJWT({ secret: SECRET })
      .setExpirationTime(1)
      .encode()
      .replace(/\.$/, ".c2lnbmVk"),
    "refresh-token": SECRET,
  };
  return { name: "oidc", config };
}

test("a value of the kubeconfig that has a wrong type, or has run out, is not repeated", async (t) => {
  const api = await openHttpsApi((_, response) => response.end());
  t.after(() => api.close());
  const rows: object[] = [
    { certData: [SECRET], keyData: { a: SECRET } },
    { token: undefined, authProvider: { name: "gcp", config: SECRET } },
    { token: `${SECRET}\n` },
    { token: undefined, authProvider: outdatedLogin() },
  ];
  for (const odd of rows) {
    const config = api.config();
    Object.assign(config.getCurrentUser() ?? {}, odd);
    const outcome = await get(clusterOf(config, WebSocket, { again: retries(0) }));
    assert.match(detailOf(outcome), /can't be used: kubectl says why$/);
  }
});
