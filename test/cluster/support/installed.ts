// The package as docs/own-repository.md has it made, and installed from a file.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "../../../dev/temporary.ts";
import { type Block, blocksUnder, type OwnRepository, root } from "./own-repository.ts";

/** A block of the page by what it says. */
export function block(heading: string, pattern: RegExp): Block {
  const found = blocksUnder(heading).find(({ text }) => pattern.test(text));
  assert.ok(found, `docs/own-repository.md, ${heading}: ${String(pattern)}`);
  return found;
}

export const FROM = "Where the package comes from";

let built: Promise<unknown> | undefined;

/** Builds the package, once. */
export function build(repository: OwnRepository): Promise<unknown> {
  return (built ??= repository.passes(block(FROM, /build:package/).text, "update", root));
}

const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Record<
  "dependencies" | "devDependencies",
  Record<string, string>
>;

/** What a project has beside the package, for ts-node too. */
const BESIDE = {
  "@pulumi/kubernetes": dependencies["@pulumi/kubernetes"],
  "@pulumi/pulumi": dependencies["@pulumi/pulumi"],
  "@types/node": devDependencies["@types/node"],
  "ts-node": "10.9.2",
  typescript: devDependencies["typescript"],
};

let installed: Promise<string> | undefined;

/** Installs the package from a file into a folder of its own. */
async function installOnce(repository: OwnRepository): Promise<string> {
  await build(repository);
  const folder = await temporaryFolder("installed");
  writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies: BESIDE }));
  const { text } = block(FROM, /npm pack/);
  await repository.passes(text.replace("-destination build", `-destination ${folder}`), "update", root);
  await repository.passes("npm install ./*.tgz", "update", folder);
  return folder;
}

/** Makes an empty repository one in which the package was installed from a file: once, and copied then. */
export async function install(repository: OwnRepository, type: "module" | "commonjs"): Promise<void> {
  const folder = await (installed ??= installOnce(repository));
  cpSync(folder, repository.folder, { recursive: true, verbatimSymlinks: true });
  await repository.passes(`npm pkg set type=${type}`);
}
