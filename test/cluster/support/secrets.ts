import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

/** Every form in which a secret could slip through: whole, in base64, and its parts. */
function forms(secret: string): string[] {
  const payload = secret.split(".")[1] ?? secret;
  return [
    secret,
    Buffer.from(secret).toString("base64"),
    payload,
    Buffer.from(payload, "base64url").toString(),
  ];
}

export function assertAbsent(text: string, secrets: readonly string[], where: string): void {
  for (const secret of secrets) {
    for (const form of forms(secret)) assert.ok(!text.includes(form), `${where} holds a secret`);
  }
}

/** Looks through every file of a folder, however deep, but not beyond links; returns their paths. */
export function assertAbsentInFiles(
  folder: string,
  secrets: readonly string[],
  except: readonly string[] = [],
): string[] {
  const read = filesIn(folder).filter((path) => !except.includes(path));
  for (const path of read) assertAbsent(readFileSync(path, "utf8"), secrets, path);
  return read;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}
