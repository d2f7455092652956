// What is asked of the platform: addresses and bodies.
import { createHmac, randomBytes } from "node:crypto";
import { isIP } from "node:net";

/** One attribute of a registration. */
export interface Attribute {
  /** As the platform knows it. */
  name: string;
  /** Any JSON, handed on as it is. */
  content: unknown;
}

/** What the platform is told of a connector. */
export interface RegistrationRequest {
  /** The platform's base URL, with its `/api`. */
  platformUrl: string;
  /** Name of the connector in the platform's inventory. */
  name: string;
  /** How the platform authenticates itself to the connector. */
  authType: string;
  /** Where the platform reaches the connector. */
  url: string;
  authAttributes: readonly Attribute[];
  customAttributes: readonly Attribute[];
}

/** The address of the call that registers. */
export function registerUrl(platformUrl: string): string {
  return join(platformUrl, "v2/connector/register");
}

/** The address of the call that takes a connector out of the platform's inventory. */
export function deregisterUrl(platformUrl: string, uuid: string): string {
  return join(platformUrl, `v1/connectors/${encodeURIComponent(uuid)}`);
}

function join(platformUrl: string, path: string): string {
  return `${platformUrl.replace(/\/+$/, "")}/${path}`;
}

/** The body of the call that registers. */
export function registerBody(request: RegistrationRequest): string {
  const plain = (attributes: readonly Attribute[]): Attribute[] =>
    attributes.map(({ name, content }) => ({ name, content }));
  return JSON.stringify({
    name: request.name,
    version: "v2",
    url: request.url,
    authType: request.authType,
    authAttributes: plain(request.authAttributes),
    customAttributes: plain(request.customAttributes),
  });
}

/** Why an address can't be a platform's; undefined when it can. */
export function platformUrlProblem(platformUrl: string): string | undefined {
  const url = URL.canParse(platformUrl) ? new URL(platformUrl) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return "must be an http:// or https:// URL";
  if (url.username || url.password) return "must not hold credentials: give them as registration.credentials";
  // Not `search` and `hash`: they are empty for a lone `?` or `#`, which would swallow the path that is joined.
  if (/[?#]/.test(platformUrl)) return "must have neither query nor fragment";
  return undefined;
}

/** What is probably a mistake in an address that is none in form. */
export function platformUrlWarnings(platformUrl: string, sendsCredentials: boolean): string[] {
  const { protocol, pathname } = new URL(platformUrl);
  return [
    ...(/\/api\/*$/.test(pathname)
      ? []
      : [
          "registration.platformUrl does not end in /api: the platform serves its API there, " +
            "and answers 404 elsewhere",
        ]),
    ...(protocol === "http:" && sendsCredentials
      ? ["registration.platformUrl is http://: the credentials of the call go over the network in clear"]
      : []),
  ];
}

/** The Service of the cluster that an address names. */
export function inClusterService(
  platformUrl: string,
  clusterDomain: string,
): { name: string; namespace: string } | undefined {
  const { hostname } = new URL(platformUrl);
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (isIP(host) !== 0) return undefined;
  const suffix = [`.svc.${clusterDomain.toLowerCase()}`, ".svc"].find((end) => host.endsWith(end));
  const [name, namespace, more] = host.slice(0, -(suffix ?? "").length || undefined).split(".");
  if (suffix === undefined || name === undefined || namespace === undefined || more !== undefined)
    return undefined;
  return { name, namespace };
}

/**
 * What was posted, so that a later run can name the fields that differ. Each field is kept as 16 bits of a salted
 * digest: enough to see a change, and too little to find a secret by guessing.
 */
export interface Posted {
  salt: string;
  /** Field -> digest. */
  fields: Record<string, string>;
}

/** Digests of fields, with a salt of their own. */
export function fieldDigests(fields: object, salt = randomBytes(16).toString("hex")): Posted {
  const digest = (name: string, value: unknown): string =>
    createHmac("sha256", salt)
      .update(`${name}\n${canonical(value)}`)
      .digest("hex")
      .slice(0, 4);
  const entries = Object.entries(fields).map(([name, value]) => [name, digest(name, value)]);
  return { salt, fields: Object.fromEntries(entries) as Record<string, string> };
}

/** Names of the fields that differ from those that were posted, in their order. */
export function changedFields(posted: Posted, fields: object): string[] {
  const now = fieldDigests(fields, posted.salt).fields;
  return Object.keys(now).filter((name) => now[name] !== posted.fields[name]);
}

/** The same text for the same value, whatever the order of the keys in its maps. */
export function canonical(value: unknown): string {
  const sorted = (_key: string, inner: unknown): unknown =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return JSON.stringify([value], sorted);
}

/** The fields of which a change never registers again by itself. */
export function requestFields(request: RegistrationRequest): RegistrationRequest {
  const { platformUrl, name, authType, url, authAttributes, customAttributes } = request;
  return { platformUrl, name, authType, url, authAttributes, customAttributes };
}
