// Who may talk to the local API server: a token for each user, and a kubeconfig file that holds it.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Who uses the local cluster: `admin` may do everything, the others nothing until a test or a person grants it.
 * `preview` and `update` are CI's identities (docs/ci.md); `cluster-update` updates zones whose namespace it makes.
 * `cluster-stranger` is for tests of rights in the whole cluster, which the others, side by side, must not meet.
 */
export const USERS = [
  "admin",
  "preview",
  "update",
  "cluster-update",
  "stranger",
  "cluster-stranger",
] as const;
export type User = (typeof USERS)[number];

/** The cluster's own programs, under the names that they have everywhere. */
const PROGRAMS = ["system:kube-controller-manager", "system:kube-scheduler", "system:kubelet"] as const;
export type Program = (typeof PROGRAMS)[number];

export interface Credentials {
  readonly tokens: ReadonlyMap<User | Program, string>;
  readonly tokenFile: string;
  /** Signs the tokens of ServiceAccounts. */
  readonly serviceAccountKeyFile: string;
}

/** Makes tokens and keys for one control plane, in files below `dir`. */
export function makeCredentials(dir: string): Credentials {
  const tokens = new Map(
    [...USERS, ...PROGRAMS].map((user) => [user, randomBytes(24).toString("base64url")]),
  );
  const tokenFile = join(dir, "tokens.csv");
  const lines = [...tokens].map(([user, token]) => {
    const mayDoEverything = user === "admin" || user.startsWith("system:");
    return `${token},${user},${user}${mayDoEverything ? ',"system:masters"' : ""}\n`;
  });
  writeFileSync(tokenFile, lines.join(""), { mode: 0o600 });

  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const serviceAccountKeyFile = join(dir, "service-accounts.key");
  writeFileSync(serviceAccountKeyFile, privateKey.export({ type: "sec1", format: "pem" }), { mode: 0o600 });
  return { tokens, tokenFile, serviceAccountKeyFile };
}

export function tokenOf({ tokens }: Credentials, user: User | Program): string {
  const token = tokens.get(user);
  if (token === undefined) throw new Error(`the local cluster has no user "${user}"`);
  return token;
}

/** The context of every kubeconfig: a zone names its cluster by it, whoever asks. */
export const CONTEXT = "local";

/**
 * Writes a kubeconfig with one cluster, one user and one context; the certificate is in it, so it can be
 * copied.
 */
export function writeKubeconfig(options: {
  file: string;
  user: User | Program;
  token: string;
  server: string;
  certificate: string;
}): void {
  const { file, user, token, server, certificate } = options;
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "local",
        cluster: { server, "certificate-authority-data": Buffer.from(certificate).toString("base64") },
      },
    ],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: CONTEXT, context: { cluster: "local", user, namespace: "default" } }],
    "current-context": CONTEXT,
  };
  // JSON is YAML.
  writeFileSync(file, `${JSON.stringify(kubeconfig, null, 2)}\n`, { mode: 0o600 });
}
