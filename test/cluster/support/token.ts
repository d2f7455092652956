import { SignJWT } from "jose";

/** A config token as the platform issues it; `expires` as jose takes it ("30d", "-1h"), or none. */
export async function makeToken(expires?: string, claims: Record<string, unknown> = {}): Promise<string> {
  const token = new SignJWT({
    v: 1,
    nonce: Math.random().toString(36).slice(2),
    ...claims,
  }).setProtectedHeader({ alg: "HS256" });
  if (expires !== undefined) token.setExpirationTime(expires);
  return token.sign(new TextEncoder().encode("a key that is only ever used in tests"));
}
