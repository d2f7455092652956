import { decodeJwt } from "jose";
import type { ConfigSources } from "../children/config.ts";
import { configReferences, wholeReferences } from "../workload/config-refs.ts";
import type { Reference } from "../workload/references.ts";
import { type ConfigTokenSecretRef, configTokenSecretName, type ProxySpec } from "./args.ts";

/** Seconds that an update waits for a token that another controller is about to put in place. */
const DEFAULT_REFERENCE_TIMEOUT_SECONDS = 30;

/** Where a proxy finds its token and the key that signs it. */
export type TokenSource = { [Key in keyof Required<ConfigTokenSecretRef>]: string };

/** The Secret and keys of the token: those that the spec names, else the Secret that the component makes. */
export function tokenSource(name: string, { configTokenSecretRef: ref }: ProxySpec): TokenSource {
  return {
    name: ref?.name ?? configTokenSecretName(name),
    tokenKey: ref?.tokenKey || "configToken",
    signingKeyKey: ref?.signingKeyKey || "tokenSigningKey",
  };
}

/** The variables that the token's wiring keeps for itself: nothing else may set them. */
export const RESERVED_ENV: readonly string[] = ["PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY"];

/** A token, and the key that signs it, that the component was given itself. */
export interface OwnToken {
  configToken: string;
  tokenSigningKey?: string | undefined;
}

/** Keys and values of the Secret that the component makes. */
export function ownTokenData(source: TokenSource, own: OwnToken): Record<string, string> {
  const { configToken, tokenSigningKey } = own;
  return {
    [source.tokenKey]: configToken,
    ...(tokenSigningKey !== undefined && { [source.signingKeyKey]: tokenSigningKey }),
  };
}

/**
 * What a proxy's checksum covers: the token's Secret, and every referenced object, with all their keys. `own` is the
 * token that the component keeps.
 */
export function configSources(name: string, spec: ProxySpec, own: OwnToken | undefined): ConfigSources {
  const source = tokenSource(name, spec);
  const { name: secret, tokenKey } = source;
  const token: Reference = { kind: "Secret", name: secret, requiredKeys: [tokenKey], isToken: true };
  return {
    references: [...(own === undefined ? [token] : []), ...configReferences(spec)],
    owned: own === undefined ? [] : [{ name: secret, data: ownTokenData(source, own) }],
    guard: { whole: wholeReferences(spec), reserved: RESERVED_ENV },
    token: { secret, key: tokenKey },
    timeoutSeconds: spec.referenceTimeoutSeconds ?? DEFAULT_REFERENCE_TIMEOUT_SECONDS,
  };
}

/**
 * When a config token runs out (RFC 3339, UTC, to the second), from its `exp` claim (RFC 7519, 4.1.4). The signature is not
 * verified and no other claim is read: the proxy itself does both. A token that is not a readable JWT, or says
 * nothing of its end, is no error.
 */
export function tokenExpiry(token: string): string | undefined {
  let exp: unknown;
  try {
    exp = decodeJwt(token.trim()).exp;
  } catch {
    // What is no JWT has no end; the reason could quote the token, so it is not passed on.
    return undefined;
  }
  if (typeof exp !== "number") return undefined;
  const date = new Date(exp * 1000);
  // RFC 3339 ends with the year 9999; what lies beyond is a mistake, milliseconds for seconds most likely.
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString().replace(/\.\d{3}Z$/, "Z") : undefined;
}
