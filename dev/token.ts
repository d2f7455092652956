// A config token as a platform would issue it.

import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";

/** A token that is valid for `validity`, as jose takes it ("30d"); no two are equal, and nobody has its key. */
export function makeToken(validity: string): Promise<string> {
  return new SignJWT({ nonce: randomBytes(8).toString("hex") })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime(validity)
    .sign(randomBytes(32));
}
