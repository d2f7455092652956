// A program that has the package from npm, as JavaScript: its operations are found there, now and when it has moved.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPlatform } from "../support/platform.ts";
import { grantRegistering } from "./support/registering.ts";
import { TestZone } from "./support/zone.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Puts the package into a project's node_modules, compiled as it would be published, beside what it depends on. */
async function install(project: string): Promise<void> {
  rmSync(`${project}/node_modules`);
  mkdirSync(`${project}/node_modules`);
  for (const name of readdirSync(`${root}node_modules`))
    symlinkSync(`${root}node_modules/${name}`, `${project}/node_modules/${name}`);
  const installed = `${project}/node_modules/pulumi-proxies`;
  const options = ["--noEmit", "false", "--rewriteRelativeImportExtensions", "--noCheck"];
  const tsc = [
    `${root}node_modules/typescript/bin/tsc`,
    "--project",
    root,
    ...options,
    "--outDir",
    installed,
  ];
  await promisify(execFile)(process.execPath, tsc);
  for (const name of ["package.json", "build"])
    cpSync(`${root}${name}`, `${installed}/${name}`, { recursive: true });
}

test("operations come from the installed package, also where it lies elsewhere than it did", async (t) => {
  const platform = await startPlatform(t);
  const zone = await TestZone.open(t, {});
  await grantRegistering(zone);
  await install(zone.project);
  rmSync(`${zone.project}/index.ts`);
  writeFileSync(
    `${zone.project}/index.ts`,
    `import * as pulumi from "@pulumi/pulumi";
    import { openZone } from "pulumi-proxies/components/zone/open.js";
    import { Registration } from "pulumi-proxies/components/connector/registration/resource.js";
    const zone = await openZone({ namespace: "${zone.namespace}", cluster: { context: "${zone.context}" } });
    const component = new pulumi.ComponentResource("test:index:Connector", "x");
    const identity = { name: "x", namespace: "${zone.namespace}", component: "connector" };
    new Registration({ component, zone, identity, owner: zone.owner("Connector", "x") }, {
      request: { platformUrl: "${platform.url}", name: "x", authType: "none", url: "http://x:8080",
        authAttributes: [], customAttributes: [] },
      call: {}, ready: true, generation: 1, deregisterOnDelete: true,
    });`,
  );
  const up = await zone.up();
  assert.equal(up.code, 0, up.output);
  assert.equal(platform.received.length, 1);
  const state = await zone.state();
  assert.match(
    state,
    /"path": "node_modules\/pulumi-proxies\/components\/connector\/registration\/operations\.js"/,
  );
  const again = await zone.up("--expect-no-changes");
  assert.equal(again.code, 0, again.output);

  // As npm does when the project becomes a workspace of another one.
  renameSync(`${zone.project}/node_modules`, `${zone.workspace.dir}/node_modules`);
  const destroy = await zone.destroy();
  assert.equal(destroy.code, 0, destroy.output);
  assert.deepEqual(
    platform.received.map(({ method }) => method),
    ["POST", "DELETE"],
  );
});
