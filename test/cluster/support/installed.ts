// The package as docs/own-repository.md has it made, and installed from a file.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
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

/** What a project has beside the package, for ts-node too. */
const BESIDE = {
  dependencies: { "@pulumi/kubernetes": "4.25.0", "@pulumi/pulumi": "3.276.0" },
  devDependencies: { "@types/node": "24.19.4", "ts-node": "10.9.2", typescript: "6.0.3" },
};

let installed: Promise<string> | undefined;

/** Installs the package from a file into an empty repository; in the second one that is a copy of the first. */
export async function install(repository: OwnRepository, type: "module" | "commonjs"): Promise<void> {
  const { folder } = repository;
  const first = async (): Promise<string> => {
    await build(repository);
    const { text } = block(FROM, /npm pack/);
    await repository.passes(text.replace("-destination build", `-destination ${folder}`), "update", root);
    await repository.passes("npm install ./*.tgz");
    const kept = await temporaryFolder("installed");
    cpSync(folder, kept, { recursive: true, verbatimSymlinks: true });
    return kept;
  };
  repository.write("package.json", JSON.stringify({ private: true, ...BESIDE }));
  cpSync(await (installed ??= first()), folder, { recursive: true, verbatimSymlinks: true });
  await repository.passes(`npm pkg set type=${type}`);
}
