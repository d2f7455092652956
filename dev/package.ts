// Makes the package that people install, as it is published, in build/package: `npm run build:package`. Node runs no
// TypeScript that lies in node_modules.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = `${ROOT}build/package`;

/** What is published as it stands in the project. */
const AS_IT_IS = ["README.md", "LICENSE", "CHANGELOG.md", "docs", "ci/roles/rights.json", "ci/workflows"];

/** What is built into the Kubernetes client's one file. */
const BUNDLED = "components/cluster/kubernetes-client";

interface Manifest {
  [field: string]: unknown;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** A program has its own copy of these, and must not have two. */
const isPeer = (name: string): boolean => name.startsWith("@pulumi/");

/** The packages that the compiled code imports. */
function importedPackages(): string[] {
  const files = globSync("**/*.js", { cwd: FOLDER, exclude: ["build/**"] });
  const imported = files.flatMap((file) =>
    ts
      .preProcessFile(readFileSync(`${FOLDER}/${file}`, "utf8"))
      .importedFiles.map(({ fileName }) => fileName),
  );
  const names = imported
    .filter((name) => !/^[.#]/.test(name) && !isBuiltin(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(names)].sort();
}

/** package.json of the published package. */
function manifest(project: Manifest): object {
  const known = { ...project.devDependencies, ...project.dependencies };
  const ranges = importedPackages().map((name) => {
    const version = known[name];
    if (version === undefined) throw new Error(`the code imports ${name}, which package.json does not have`);
    return [name, `^${version}`] as const;
  });
  const { name, version, description, license, type, engines } = project;
  const entry = (path: string): object => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
  return {
    ...{ name, version, description, license, type, engines },
    // For compilers that do not read `exports`.
    main: "./components/index.js",
    types: "./components/index.d.ts",
    exports: {
      ".": entry("components/index"),
      "./program": entry("index"),
      // The engine loads operations by what the state says; a state that a checkout has written names the source.
      "./components/*/operations.js": "./components/*/operations.js",
      "./components/*/operations.ts": "./components/*/operations.js",
      "./package.json": "./package.json",
    },
    imports: { "#kubernetes-client": "./build/kubernetes-client.js" },
    bin: { "pulumi-proxies": "ci/pulumi-proxies.js" },
    dependencies: Object.fromEntries(ranges.filter(([dependency]) => !isPeer(dependency))),
    peerDependencies: Object.fromEntries(ranges.filter(([dependency]) => isPeer(dependency))),
  };
}

function run(...command: string[]): void {
  execFileSync(process.execPath, command, { cwd: ROOT, stdio: "inherit" });
}

rmSync(FOLDER, { recursive: true, force: true });
run("dev/bundle.mjs");
run("node_modules/typescript/bin/tsc", "--project", "dev/package");
for (const end of [".js", ".d.ts"]) rmSync(`${FOLDER}/${BUNDLED}${end}`);
for (const path of [...AS_IT_IS, ...globSync("stacks/*.yaml", { cwd: ROOT })])
  cpSync(ROOT + path, `${FOLDER}/${path}`, { recursive: true });
mkdirSync(`${FOLDER}/build`);
for (const path of globSync("build/kubernetes-client.*", { cwd: ROOT }))
  cpSync(ROOT + path, `${FOLDER}/${path}`);
const project = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as Manifest;
writeFileSync(`${FOLDER}/package.json`, `${JSON.stringify(manifest(project), null, 2)}\n`);
console.log("made build/package");
