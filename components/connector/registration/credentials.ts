// With what the call identifies itself to the platform.
import { type Cluster, SECRETS } from "../../cluster/cluster.ts";
import type { Route } from "./http.ts";

/** A secret value: as a Pulumi secret, or as a key of a Secret in the connector's namespace. */
export type SecretValue = string | { secretName: string; key: string };

/** How the call identifies itself. A client certificate may come with one of the others. */
export interface Credentials {
  bearerToken?: SecretValue | undefined;
  basic?: { username: SecretValue; password: SecretValue } | undefined;
  /** PEM. */
  clientCertificate?: { certificate: SecretValue; key: SecretValue } | undefined;
}

/** What of the credentials goes into the request, and what into the connection. */
export interface Resolved {
  headers: Record<string, string>;
  clientCertificate?: Route["clientCertificate"];
}

/** Reads the values; says which one is not there, by the names of Secret and key. */
export async function resolveCredentials(
  cluster: Cluster,
  namespace: string,
  credentials: Credentials,
): Promise<Resolved | { problem: string }> {
  const problems: string[] = [];
  const read = async (value: SecretValue): Promise<string> => {
    if (typeof value === "string") return value;
    const text = await readKey(cluster, namespace, value);
    if (typeof text === "string") return text;
    problems.push(text.problem);
    return "";
  };
  const { bearerToken, basic, clientCertificate } = credentials;
  const resolved: Resolved = { headers: {} };
  if (bearerToken !== undefined)
    resolved.headers["Authorization"] = `Bearer ${(await read(bearerToken)).trim()}`;
  if (basic !== undefined) {
    const pair = `${await read(basic.username)}:${await read(basic.password)}`;
    resolved.headers["Authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  if (clientCertificate !== undefined) {
    resolved.clientCertificate = {
      certificate: await read(clientCertificate.certificate),
      key: await read(clientCertificate.key),
    };
  }
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  if (/[^\t\x20-\x7e]/.test(resolved.headers["Authorization"] ?? ""))
    return { problem: "its bearer token holds characters that no header can carry" };
  return resolved;
}

async function readKey(
  cluster: Cluster,
  namespace: string,
  { secretName, key }: { secretName: string; key: string },
): Promise<string | { problem: string }> {
  const what = `Secret ${namespace}/${secretName} of its credentials`;
  const secret = await cluster.get(SECRETS, namespace, secretName);
  switch (secret.outcome) {
    case "missing":
      return { problem: `${what} does not exist` };
    case "forbidden":
      return { problem: `${what} may not be read: the identity may not get secrets` };
    case "unreachable":
      return { problem: `${what} can't be read` };
    case "found": {
      const value = (secret.value["data"] as Record<string, string> | undefined)?.[key];
      return value === undefined
        ? { problem: `${what} has no key ${key}` }
        : Buffer.from(value, "base64").toString();
    }
  }
}
