// The package as it is published, in repositories of their own, as docs/own-repository.md says it.
import assert from "node:assert/strict";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { startPlatform } from "../support/platform.ts";
import { block, build, FROM, install } from "./support/installed.ts";
import { blocksUnder, OwnRepository, root } from "./support/own-repository.ts";
import {
  currentVersion,
  makeObjects,
  type Names,
  readState,
  RECORDED_TOKEN,
  recordedVersions,
  recordedZone,
  recordState,
} from "./support/recorded-state.ts";
import { startRegistry } from "./support/registry.ts";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const image = { repository: "hub.example.com/ilm/x509", tag: "2.13.0" };
const configTokenSecretRef = { name: "dc-west-config" };

/** Another version of the package, changed where nobody sees it. */
function nextVersion(folder: string): void {
  cpSync(`${root}build/package`, folder, { recursive: true });
  const [manifest, code] = [`${folder}/package.json`, `${folder}/components/index.js`];
  const text = readFileSync(manifest, "utf8");
  const { version } = JSON.parse(text) as { version: string };
  const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  writeFileSync(manifest, text.replace(`"version": "${version}"`, `"version": "${next}"`));
  writeFileSync(code, `${readFileSync(code, "utf8")}// The next version.\n`);
}

test("the program from a registry, and its next version", async (t) => {
  const registry = await startRegistry(t);
  const zone = await TestZone.open(t, {
    proxies: { "dc-west": { configTokenSecretRef } },
    connectors: { x509: { image } },
  });
  await zone.putToken("dc-west-config", "30d");
  const token = { [`npm_config_//${new URL(registry).host}/:_authToken`]: "any" };
  const repository = new OwnRepository(zone, { REGISTRY: registry, ...token });
  await build(repository);
  const publish = block(FROM, /npm publish/).text;
  await repository.passes(publish, "update", root);

  repository.write(".npmrc", `registry=${registry}\n`);
  for (const part of blocksUnder("The repository")) {
    if (part.language !== "sh") repository.writeBlock(part);
    else await repository.passes(part.text);
  }
  const { proxies, connectors } = JSON.parse(
    (await repository.passes("pulumi stack output --json")).output,
  ) as Record<string, unknown>;
  assert.equal(at(proxies, "dc-west", "phase"), "Running");
  assert.equal(at(connectors, "x509", "phase"), "Running");
  await repository.passes("pulumi up --expect-no-changes");

  for (const { text } of blocksUnder("The commands of CI")) {
    for (const command of text.trimEnd().split("\n")) {
      const { code, output } = await repository.run(command, "preview");
      // No container of the connector answers here, and so its health is a warning.
      assert.equal(code, command.includes("drift --") ? 2 : 0, output);
      if (command.startsWith("npm run")) assert.match(output, new RegExp(zone.stack), command);
      if (command.includes("drift --")) assert.match(output, /: 1 warning\n/);
    }
  }

  nextVersion(`${zone.workspace.dir}/next`);
  await repository.passes(publish.replace("./build/package", `${zone.workspace.dir}/next`));
  const upgrade = await repository.passes(block("Upgrading", /npm update/).text);
  const installed = readFileSync(
    `${repository.folder}/node_modules/pulumi-proxies/components/index.js`,
    "utf8",
  );
  assert.match(installed, /The next version/);
  assert.deepEqual(Object.keys(upgrade.changes), ["unchanged"], upgrade.output);
  await repository.passes("pulumi up --expect-no-changes");
  await repository.passes("pulumi destroy");
  assert.deepEqual(await zone.left("deployments"), []);
});

/** Ways to resolve and to compile imports of the package. */
const COMPILERS = [
  "--module nodenext",
  "--module commonjs --moduleResolution node10 --ignoreDeprecations 6.0",
];

/** Compiles programs against the declarations, none of which is skipped: the page's pass, and a wrong one does not. */
async function checkDeclarations(repository: OwnRepository): Promise<void> {
  repository.write("types/commonjs.cts", block("A program of your own", /export = async/).text);
  repository.write("types/module.mts", block("A program of your own", /const zone = await/).text);
  repository.write("types/program.mts", block("The repository", /^\/\/ index\.ts/).text);
  const args = '{ zone, configTokenSecretRef: { name: "x" }, replica: 2 }';
  const wrong = `import { Proxy, type Zone } from "pulumi-proxies";
    export const make = (zone: Zone) => new Proxy("x", ${args});`;
  repository.write("types/wrong.cts", wrong);
  const [modern, old] = COMPILERS;
  for (const files of [`${modern} types/*.*ts`, `${old} types/wrong.cts`]) {
    const check = "npx tsc --ignoreConfig --noEmit --strict --target es2022 --types node";
    const { output } = await repository.run(`${check} ${files}`);
    assert.match(output, /^types\/wrong\.cts\(2,\d+\): error TS2561: [^\n]*'replica'[^\n]*\n$/, files);
  }
}

/** A registration that ends with its connector. */
const registrationAt = (platformUrl: string): object => ({
  platformUrl,
  name: "X.509",
  authType: "none",
  deregisterOnDelete: true,
});

test("components in a CommonJS project with ts-node; operations are found where npm moves them", async (t) => {
  const platform = await startPlatform(t);
  const registration = registrationAt(platform.url);
  const x509 = { image, healthCheck: { enabled: false }, registration };
  const proxy = { configTokenSecretRef };
  const zone = await TestZone.open(t, { proxies: { "dc-west": proxy }, connectors: { x509 } });
  await zone.putToken("dc-west-config", "30d");
  const repository = new OwnRepository(zone);
  const { folder } = repository;
  await install(repository, "commonjs");
  await checkDeclarations(repository);
  repository.write("Pulumi.yaml", "name: zones\nruntime: nodejs\noptions: { refresh: always }\n");
  const compilerOptions = { strict: true, module: "nodenext", target: "es2022", types: ["node"] };
  repository.write("tsconfig.json", JSON.stringify({ compilerOptions }));
  const program = block("A program of your own", /export = async/).text;
  const connector = `new proxies.Connector("x509", { zone, ...${JSON.stringify(x509)} });`;
  repository.write("index.ts", program.replace("  return", `  ${connector}\n  return`));

  await repository.passes("pulumi stack init prod-dc-west");
  await repository.passes("pulumi up");
  assert.equal((await repository.passes("pulumi stack output phase")).output, "Running\n");
  assert.equal(platform.received.length, 1);
  const { output: state } = await repository.passes("pulumi stack export");
  const operations = "pulumi-proxies/components/connector/registration/operations.js";
  assert.ok(state.includes(`"path": "node_modules/${operations}"`));
  await repository.passes("pulumi up --expect-no-changes");

  // As npm does when the project becomes a workspace of another one.
  renameSync(`${folder}/node_modules`, `${zone.workspace.dir}/node_modules`);
  await repository.passes("pulumi destroy");
  assert.deepEqual(
    platform.received.map(({ method }) => method),
    ["POST", "DELETE"],
  );
});

/** A repository of the page's program, with the package from a file. */
async function openRepository(zone: TestZone): Promise<OwnRepository> {
  const repository = new OwnRepository(zone);
  await install(repository, "module");
  repository.writeBlock(block("The repository", /^\/\/ index\.ts/));
  return repository;
}

test("a stack goes on from a clone to the package", async (t) => {
  const platform = await startPlatform(t);
  const registration = registrationAt(platform.url);
  const zone = await TestZone.open(t, {
    proxies: { "dc-west": { configTokenSecretRef } },
    connectors: { x509: { image, healthCheck: { enabled: false }, registration } },
  });
  await zone.putToken("dc-west-config", "30d");
  const clone = await zone.up();
  assert.equal(clone.code, 0, clone.output);
  const repository = await openRepository(zone);
  for (const name of ["Pulumi.yaml", "main.js", "stacks"])
    cpSync(`${zone.project}/${name}`, `${repository.folder}/${name}`, { recursive: true });
  await repository.passes("pulumi stack select prod-dc-west");
  const { changes, output } = await repository.passes("pulumi preview");
  assert.deepEqual(changes, { update: 1, unchanged: 12 }, output);
  assert.match(output, /dynamic\/proxies:Registration x509 update \[diff: ~operations\]/);
  // The clone is gone, and the state still names its operations.
  rmSync(zone.project, { recursive: true });
  await repository.passes("pulumi destroy");
  assert.deepEqual(
    platform.received.map(({ method }) => method),
    ["POST", "DELETE"],
  );
});

test("the state of every version is previewed without a creation, deletion or replacement", async (t) => {
  const platform = await startPlatform(t);
  const base = await TestZone.open(t, {});
  const repository = await openRepository(base);
  repository.writeBlock(block("The repository", /^# Pulumi\.yaml/));
  const open = async (config: object, zone: TestZone): Promise<void> => {
    zone.write(config as StackFile);
    await zone.apply({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "dc-west-config" },
      stringData: { configToken: RECORDED_TOKEN },
    });
    await repository.passes(`pulumi stack init ${zone.stack}`);
    const keys = Object.entries(config).map(([key, value]) => [`zones:${key}`, value] as const);
    repository.write(
      "stacks/Pulumi.prod-dc-west.yaml",
      `config: ${JSON.stringify(Object.fromEntries(keys))}\n`,
      zone,
    );
    await zone.grantRights();
  };
  const namesOf = ({ namespace, stack, context }: TestZone): Names => ({
    "<namespace>": namespace,
    "<stack>": stack,
    "<context>": context,
    "<platform>": platform.url,
  });

  if (process.env["RECORD"] === "1") {
    const zone = { namespace: base.namespace, cluster: { context: base.context } };
    const config = { zone, ...recordedZone(platform.url) };
    await open(config, base);
    await repository.passes("pulumi up");
    await recordState(repository, config, namesOf(base));
    await repository.passes("pulumi destroy");
  }
  assert.ok(recordedVersions().includes(currentVersion), "record the state of this version with RECORD=1");
  for (const version of recordedVersions()) {
    const zone = await base.anotherZone({});
    const recorded = readState(version, namesOf(zone));
    await open(recorded.config, zone);
    await makeObjects(zone, recorded);
    repository.write(`${version}.json`, JSON.stringify(recorded.state));
    await repository.passes(`pulumi stack import --file ${version}.json`);
    const { output, changes } = await repository.passes("pulumi preview --diff", "preview");
    const may = version === currentVersion ? ["unchanged"] : ["unchanged", "update"];
    assert.deepEqual(
      Object.keys(changes).filter((change) => !may.includes(change)),
      [],
      `${version}: ${output}`,
    );
    assert.ok((changes["unchanged"] ?? 0) > 10, output);
  }
  assert.equal(platform.received.filter(({ method }) => method === "POST").length <= 1, true);
});
