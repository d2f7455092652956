// What Secrets and ConfigMaps may hold, and what a broken API server may say that they hold.
import fc from "fast-check";
import { CANARY, oddValue } from "./odd-values.ts";

const MEBIBYTE = 2 ** 20;
const CANARY_BYTES = Buffer.from(CANARY);

/** Bytes of all kinds; what is secret in them is the canary. */
export const oddBytes: fc.Arbitrary<Buffer> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      Buffer.alloc(0),
      CANARY_BYTES,
      Buffer.concat([CANARY_BYTES, Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0, 0xed, 0xa0, 0x80])]),
      Buffer.from(`\ufeff${CANARY}\r\n`),
      Buffer.from(` \t\n${CANARY}\u0000`),
      Buffer.alloc(1_000, `${CANARY} `),
    ),
  },
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.concat([CANARY_BYTES, bytes])),
);

/** Very long ones, rarely: they take their time. */
const longBytes = fc.constantFrom(Buffer.alloc(MEBIBYTE, CANARY), Buffer.alloc(MEBIBYTE, "."));

const part = (value: string): string => Buffer.from(value).toString("base64url");

const CLAIMS: readonly string[] = [
  ...["1830297600", '"1830297600"', "1e309", "-1e309", "1.5", "-1", "0", "253402300800", "1830297600000"],
  ...["null", "true", "[1830297600]", '{"exp":1}', "1e-9", "9007199254740993", '"NaN"', "-62167219200"],
].map((exp) => `{"sub":"${CANARY}","exp":${exp}}`);

const ODD_CLAIMS: readonly string[] = [
  ...["", "null", "[]", "5", `"${CANARY}"`, "{}", `{"exp":1,"exp":1830297600,"x":"${CANARY}"}`, '{"EXP":1}'],
  ...['{"__proto__":{"exp":1830297600}}', '{"exp":{"__proto__":5}}', `{"a":${"[".repeat(50_000)}`],
  ...[`{"exp":1830297600,"x":${'{"a":'.repeat(500)}1${"}".repeat(500)}}`, `\ufeff{"exp":1830297600}`],
  ...[`{"exp":1830297600,"x":"${CANARY.repeat(20_000)}"}`, "{'exp': 1}", '{"exp":1830297600,}'],
];

const HEADERS = ['{"alg":"HS256"}', '{"alg":"none"}', "", "{}", "null", `{"crit":["${CANARY}"],"b64":false}`];

/** Tokens: right ones with odd claims, and what nobody would call a token. */
export const oddToken: fc.Arbitrary<Buffer> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        header: fc.constantFrom(...HEADERS),
        claims: fc.constantFrom(...CLAIMS, ...CLAIMS, ...ODD_CLAIMS),
        signature: fc.constantFrom("c2ln", "", "!!!", part(CANARY)),
        around: fc.constantFrom<[string, string]>(
          ["", ""],
          ["", ""],
          ["", ""],
          ["", ""],
          ["", "\n"],
          ["\ufeff", ""],
          ["  ", "\r\n"],
          ["Bearer ", ""],
          ['"', '"'],
          ["", "."],
          ["", ".x.y"],
          ["", "\u0000"],
          [".".repeat(5_000), ""],
        ),
        encoding: fc.constantFrom<BufferEncoding>(
          "base64url",
          "base64url",
          "base64url",
          "base64",
          "hex",
          "utf8",
        ),
        count: fc.constantFrom(1, 1, 1, 1, 1, 2),
      })
      .map(({ header, claims, signature, around: [before, after], encoding, count }) => {
        const one = `${part(header)}.${Buffer.from(claims).toString(encoding)}.${signature}`;
        return Buffer.from(before + Array(count).fill(one).join("\n") + after);
      }),
  },
  { weight: 2, arbitrary: oddBytes },
  fc.constantFrom(Buffer.alloc(MEBIBYTE, "."), Buffer.from(`${CANARY}.`.repeat(20_000))),
);

const long = (letter: string): string => letter.repeat(253);

/** Keys that the API server takes, odd as they are, and some that it does not. */
const KEYS = [
  ...[
    "configToken",
    "tokenSigningKey",
    "KEY",
    "a.b",
    "-",
    "_",
    "...a",
    "A",
    "007",
    "__proto__",
    "constructor",
  ],
  ...["toString", "PROXY_CONFIG_TOKEN", "PROXY_TOKEN_SIGNING_KEY", "HTTPS_PROXY", "*", long("k"), long("L")],
  ...[".", "..", "", "a b", "a\nb", "ü", "$(KEY)"],
];

export type Data = [key: string, bytes: Buffer][];

/** Very many keys, as long as they may be. */
const manyKeys = fc
  .record({ count: fc.constantFrom(63, 64, 65, 300, 4_000), reserved: fc.boolean() })
  .map(({ count, reserved }): Data => [
    ...(reserved ? [["PROXY_CONFIG_TOKEN", CANARY_BYTES] as [string, Buffer]] : []),
    ...Array.from({ length: count }, (_, index): [string, Buffer] => [
      `${"k".repeat(245)}${index}`,
      CANARY_BYTES,
    ]),
  ]);

const entry = fc.tuple(
  fc.constantFrom(...KEYS),
  fc.oneof({ weight: 30, arbitrary: oddBytes }, { weight: 10, arbitrary: oddToken }, longBytes),
);

export const oddData: fc.Arbitrary<Data> = fc.oneof(
  { weight: 20, arbitrary: fc.uniqueArray(entry, { maxLength: 6, selector: ([key]) => key }) },
  manyKeys,
);

/** `data` as no API server should give it. */
export const brokenData: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, [], "text", 5, CANARY, [CANARY], true),
  fc.dictionary(fc.constantFrom(...KEYS), oddValue, { maxKeys: 4 }),
  fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom("!!!", "a", "====", "YQ", "\u0000", "ü"), {
    maxKeys: 3,
  }),
);
