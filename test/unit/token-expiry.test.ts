import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenExpiry } from "../../components/proxy/token.ts";

const url64 = (text: string): string => Buffer.from(text).toString("base64url");
const HEADER = url64('{"alg":"HS256"}');
/** A token with this text as its claims. */
const jwt = (claims: string): string => `${HEADER}.${url64(claims)}.c2ln`;
/** The claims `{"exp":100}`, whose padded base64 ends with `=`. */
const PADDED = Buffer.from('{"exp":100}').toString("base64");
/** Claims whose base64 holds `+` and `/` where base64url has `-` and `_`. */
const STANDARD = Buffer.from('{"exp":1,"x":"~~~???"}').toString("base64").replaceAll("=", "");

// Every row of the operator's table (its decoder splits at the dots and reads part 2 by itself), and what is near them.
interface Row {
  token: string;
  input: string;
  /** What we say. */
  expiry: string | undefined;
  /** What the ILM operator's own decoder makes of it, and why we differ, where we do. */
  differs?: string;
}

const rows: Row[] = [
  { input: "exp in the past", token: jwt('{"exp":1700000000}'), expiry: "2023-11-14T22:13:20Z" },
  { input: "exp in the future", token: jwt('{"exp":4102444800}'), expiry: "2100-01-01T00:00:00Z" },
  {
    input: "three parts, empty signature",
    token: `${HEADER}.${url64('{"exp":1}')}.`,
    expiry: "1970-01-01T00:00:01Z",
  },
  {
    input: "other claims beside exp",
    token: jwt('{"iat":9,"nbf":8,"exp":1,"v":1}'),
    expiry: "1970-01-01T00:00:01Z",
  },
  { input: "no exp claim", token: jwt("{}"), expiry: undefined },
  { input: "not a JWT", token: "just-a-string", expiry: undefined },
  { input: "payload that is no base64", token: `${HEADER}.!!!.c2ln`, expiry: undefined },
  { input: "an empty string", token: "", expiry: undefined },
  {
    input: "two parts",
    token: `${HEADER}.${url64('{"exp":1}')}`,
    expiry: undefined,
    differs: "found: it tries part 2 of anything; two parts are no JWS, and the proxy would refuse the token",
  },
  {
    input: "four parts",
    token: `${jwt('{"exp":1}')}.x`,
    expiry: undefined,
    differs: "found: it tries part 2 of anything; four parts are no JWT",
  },
  {
    input: "five parts (an encrypted token)",
    token: `${jwt('{"exp":1}')}.x.y`,
    expiry: undefined,
    differs: "found: it tries part 2, which in a JWE is an encrypted key",
  },
  {
    input: "a header that is no JSON",
    token: `!!!.${url64('{"exp":1}')}.c2ln`,
    expiry: "1970-01-01T00:00:01Z",
  },
  {
    input: "padded base64",
    token: `${HEADER}.${PADDED}.c2ln`,
    expiry: "1970-01-01T00:01:40Z",
    differs: "not found: jose forgives padding, and an expiry that is plain to read is worth a warning",
  },
  { input: "the + and / alphabet", token: `${HEADER}.${STANDARD}.c2ln`, expiry: undefined },
  {
    input: "a newline inside the payload",
    token: `${HEADER}.${url64('{"exp":1}').slice(0, 4)}\n${url64('{"exp":1}').slice(4)}.c2ln`,
    expiry: "1970-01-01T00:00:01Z",
  },
  {
    input: "a carriage return inside the payload",
    token: `${HEADER}.${url64('{"exp":1}').slice(0, 4)}\r${url64('{"exp":1}').slice(4)}.c2ln`,
    expiry: "1970-01-01T00:00:01Z",
  },
  {
    input: "a space inside the payload",
    token: `${HEADER}.${url64('{"exp":1}').slice(0, 4)} ${url64('{"exp":1}').slice(4)}.c2ln`,
    expiry: "1970-01-01T00:00:01Z",
    differs: "not found: jose ignores all white space, not only line breaks",
  },
  { input: "a newline behind the token", token: `${jwt('{"exp":1}')}\n`, expiry: "1970-01-01T00:00:01Z" },
  {
    input: "white space around the token",
    token: ` ${jwt('{"exp":1}')} \n`,
    expiry: "1970-01-01T00:00:01Z",
  },
  { input: "exp as a string", token: jwt('{"exp":"1"}'), expiry: undefined },
  { input: "exp as a bool", token: jwt('{"exp":true}'), expiry: undefined },
  { input: "exp as an array", token: jwt('{"exp":[1]}'), expiry: undefined },
  { input: "exp as a map", token: jwt('{"exp":{}}'), expiry: undefined },
  { input: "exp null", token: jwt('{"exp":null}'), expiry: undefined },
  {
    input: "exp as a fraction",
    token: jwt('{"exp":1.5}'),
    expiry: "1970-01-01T00:00:01Z",
    differs: "not found: RFC 7519 allows fractions of a second in a NumericDate",
  },
  {
    input: "exp with an exponent",
    token: jwt('{"exp":1e9}'),
    expiry: "2001-09-09T01:46:40Z",
    differs: "not found: JSON knows one kind of number, however it is written",
  },
  {
    input: "exp with a zero fraction",
    token: jwt('{"exp":1.0}'),
    expiry: "1970-01-01T00:00:01Z",
    differs: "not found: JSON knows one kind of number, however it is written",
  },
  { input: "exp 1e400, which is no number any more", token: jwt('{"exp":1e400}'), expiry: undefined },
  {
    input: "exp in milliseconds, a common mistake: the year 55840",
    token: jwt('{"exp":1700000000000}'),
    expiry: undefined,
    differs:
      "found, and never expired: what is told of the end is RFC 3339, which knows years of four digits",
  },
  {
    input: "the last moment that RFC 3339 knows",
    token: jwt('{"exp":253402300799}'),
    expiry: "9999-12-31T23:59:59Z",
  },
  {
    input: "the year 10000",
    token: jwt('{"exp":253402300800}'),
    expiry: undefined,
    differs:
      "found, and never expired: what is told of the end is RFC 3339, which knows years of four digits",
  },
  { input: "exp 1e20, which is no date", token: jwt('{"exp":1e20}'), expiry: undefined },
  { input: "exp beyond int64", token: jwt('{"exp":9223372036854775808}'), expiry: undefined },
  { input: "exp 0", token: jwt('{"exp":0}'), expiry: "1970-01-01T00:00:00Z" },
  { input: "a negative exp", token: jwt('{"exp":-1}'), expiry: "1969-12-31T23:59:59Z" },
  {
    input: "the claim spelled EXP",
    token: jwt('{"EXP":1}'),
    expiry: undefined,
    differs: "found: Go matches field names without case; RFC 7519 names are case-sensitive",
  },
  {
    input: "the claim spelled Exp",
    token: jwt('{"Exp":1}'),
    expiry: undefined,
    differs: "found: Go matches field names without case; RFC 7519 names are case-sensitive",
  },
  {
    input: "exp, and EXP behind it",
    token: jwt('{"exp":1,"EXP":2}'),
    expiry: "1970-01-01T00:00:01Z",
    differs: "1970-01-01T00:00:02Z: to Go both are one field, whose last value wins",
  },
  { input: "exp twice: the last wins", token: jwt('{"exp":1,"exp":2}'), expiry: "1970-01-01T00:00:02Z" },
  { input: "an empty payload", token: `${HEADER}..c2ln`, expiry: undefined },
  { input: "white space around the object", token: jwt(' {"exp":1}\n'), expiry: "1970-01-01T00:00:01Z" },
  {
    input: "a byte order mark before the object",
    token: jwt('\uFEFF{"exp":1}'),
    expiry: "1970-01-01T00:00:01Z",
    differs: "not found: it is no JSON to Go; decoders of text drop the mark",
  },
  {
    input: "a claim that is no UTF-8",
    token: `${HEADER}.${Buffer.from('{"exp":1,"x":"\xff"}', "latin1").toString("base64url")}.c2ln`,
    expiry: undefined,
    differs: "found: Go puts a replacement character there; JSON is UTF-8, and jose refuses anything else",
  },
  { input: "payload null", token: jwt("null"), expiry: undefined },
  { input: "payload an array", token: jwt("[1]"), expiry: undefined },
  { input: "payload a string", token: jwt('"exp"'), expiry: undefined },
  { input: "something behind the object", token: jwt('{"exp":1}x'), expiry: undefined },
  {
    input: "a very large token",
    token: jwt(`{"exp":1,"x":"${"x".repeat(900_000)}"}`),
    expiry: "1970-01-01T00:00:01Z",
  },
];

for (const { input, token, expiry, differs } of rows) {
  test(`${input}: ${expiry ?? "no expiry"}${differs === undefined ? "" : ` (operator: ${differs})`}`, () => {
    assert.equal(tokenExpiry(token), expiry);
  });
}
