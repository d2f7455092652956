import { decodeJwt } from "jose/jwt/decode";
import type { ConfigSources } from "../children/config.ts";
import { type Judgement, rfc3339 } from "../workload/conditions.ts";
import { configReferences, wholeReferences } from "../workload/config-refs.ts";
import {
  DEFAULT_REFERENCE_TIMEOUT_SECONDS,
  type Reference,
  type References,
} from "../workload/references.ts";
import { durationMilliseconds } from "../workload/validation.ts";
import type { ConfigTokenSecretRef, ProxySpec } from "./args.ts";

/** Enough for a new token to be asked for, approved and put in place. */
const DEFAULT_TOKEN_EXPIRY_WARNING = "14d";

/** Name of the Secret that a proxy makes from its config token. */
export function configTokenSecretName(proxy: string): string {
  return `${proxy}-config-token`;
}

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
  return year >= 0 && year <= 9999 ? rfc3339(date) : undefined;
}

/** What is known of a token's life. */
export interface TokenFacts {
  references: Exclude<References, { outcome: "found" }> | { outcome: "found" };
  /** RFC 3339; undefined when the token does not say. While references are not found: of the one that was read last. */
  tokenExpiresAt: string | undefined;
  /** Milliseconds before its end in which runs warn; 0 for none. */
  tokenExpiryWarning: number;
  now: Date;
}

/** How long before its token's end a proxy warns, in milliseconds. */
export function tokenExpiryWarning(spec: Pick<ProxySpec, "tokenExpiryWarning">): number {
  return durationMilliseconds(spec.tokenExpiryWarning ?? DEFAULT_TOKEN_EXPIRY_WARNING);
}

/**
 * How a token stands: `expiring` from exactly its end minus the warning on; `expired` only after its end, which itself
 * still counts as valid, as with the operator.
 */
export function tokenState(
  facts: Omit<TokenFacts, "references">,
): "endless" | "valid" | "expiring" | "expired" {
  if (facts.tokenExpiresAt === undefined) return "endless";
  const left = Date.parse(facts.tokenExpiresAt) - facts.now.getTime();
  if (left < 0) return "expired";
  return facts.tokenExpiryWarning > 0 && left <= facts.tokenExpiryWarning ? "expiring" : "valid";
}

/** Ours: a token's end is known long before it comes. Nothing is said when it is not known. */
export function tokenExpiring(facts: TokenFacts): Judgement[] {
  const type = "TokenExpiring";
  const state = tokenState(facts);
  if (state === "endless") return [];
  const message = tokenMessage(facts, state);
  switch (state) {
    case "valid":
      return [{ type, status: "False", reason: "ConfigTokenValid", message }];
    case "expiring":
      return [{ type, status: "True", reason: "ConfigTokenExpiring", message }];
    case "expired":
      return [{ type, status: "True", reason: "ConfigTokenExpired", message }];
  }
}

/** What is to be said of a token, and to be done. */
export function tokenMessage(
  { references, tokenExpiresAt: end }: TokenFacts,
  state: "valid" | "expiring" | "expired",
): string {
  const token = references.outcome === "found" ? "the config token" : "the config token that was read last";
  const remedy = "have a new one issued and put it in place";
  switch (state) {
    case "valid":
      return `${token} is valid until ${end}`;
    case "expiring":
      return `${token} expires at ${end}; ${remedy} before`;
    case "expired":
      return `${token} expired at ${end}; ${remedy}`;
  }
}

/** A token in a few words, if its end is known. */
export function tokenSummary(facts: TokenFacts): string[] {
  const { tokenExpiresAt: end } = facts;
  switch (tokenState(facts)) {
    case "endless":
      return [];
    case "valid":
      return [`token valid until ${end}`];
    case "expiring":
      return [`token expires at ${end}`];
    case "expired":
      return [`token expired at ${end}`];
  }
}
