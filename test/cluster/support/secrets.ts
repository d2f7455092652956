import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import type { TestZone } from "./zone.ts";

/** Every form in which a secret could slip through: whole, in base64, and, of a token, what it says. */
function forms(secret: string): string[] {
  const [, payload] = secret.split(".");
  const said = payload === undefined ? [] : [payload, Buffer.from(payload, "base64url").toString()];
  return [secret, Buffer.from(secret).toString("base64"), ...said];
}

export function assertAbsent(text: string, secrets: readonly string[], where: string): void {
  for (const secret of secrets) {
    for (const form of forms(secret)) assert.ok(!text.includes(form), `${where} holds a secret`);
  }
}

/** Looks through every stream and file that the commands of a zone have left; its state files are among them. */
export function assertAbsentInRun(
  zone: TestZone,
  streams: readonly string[],
  secrets: readonly string[],
): void {
  for (const [index, text] of streams.entries()) assertAbsent(text, secrets, `stream ${index}`);
  // The test's own log of its commands holds what the test itself put in place.
  const read = assertAbsentInFiles(zone.workspace.dir, secrets, [zone.log]);
  assert.ok(
    read.some((path) => path.includes("backend/.pulumi/stacks")),
    "the state files are among them",
  );
}

/** Looks through every file of a folder, however deep, but not beyond links; returns their paths. */
export function assertAbsentInFiles(
  folder: string,
  secrets: readonly string[],
  except: readonly string[] = [],
): string[] {
  const read = filesIn(folder).filter((path) => !except.includes(path));
  for (const path of read) assertAbsent(textOf(path), secrets, path);
  return read;
}

/** The CLI packs what it logs of its own: as far as a file that was broken off goes. */
function textOf(path: string): string {
  const bytes = readFileSync(path);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isPacked ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes).toString();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}
