// A project's file, whatever the project is called and wherever its stack files stand.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type TestContext, test } from "node:test";
import { readProject } from "../../ci/project.ts";
import { zoneNeeds } from "../../ci/roles/needs.ts";
import { chosenStacks, stackFile } from "../../ci/stacks.ts";

function folderWith(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(`${tmpdir()}/project-`);
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
  return folder;
}

test("this project's file", () => {
  const { name, stackFolder, config } = readProject();
  assert.deepEqual([name, stackFolder], ["pulumi-proxies", "stacks"]);
  assert.ok("zone" in config);
});

test("a project of another name, whose stack files stand beside its own file", (t) => {
  const folder = folderWith(t, {
    "Pulumi.yaml": "name: zones # ours\nruntime: nodejs\n",
    "Pulumi.prod-a.yaml": [
      "config:",
      "  zones:zone: { namespace: a }",
      "  zones:proxies: { p: { configTokenSecretRef: { name: p-config } } }",
      "  pulumi-proxies:proxies: { q: {} }",
    ].join("\n"),
  });
  const project = `${folder}/Pulumi.yaml`;
  assert.deepEqual(readProject(project), { name: "zones", stackFolder: ".", config: {} });
  assert.deepEqual(chosenStacks([], true, folder), ["prod-a"]);
  assert.equal(stackFile("prod-a", "."), "Pulumi.prod-a.yaml");
  const { namespace, readsSecrets } = zoneNeeds(stackFile("prod-a", folder), project);
  assert.deepEqual([namespace, readsSecrets], ["a", ["p-config"]]);
});

test("no project in the folder is one line", (t) => {
  const project = `${folderWith(t, {})}/Pulumi.yaml`;
  assert.throws(
    () => readProject(project),
    /^Error: there is no \S+Pulumi\.yaml: run it in the project's folder$/,
  );
});

test("a file that names no project, or no folder, is one line", (t) => {
  for (const [text, message] of [
    ["", /Pulumi\.yaml names no project: give it a name$/],
    ["[a, b]", /Pulumi\.yaml names no project/],
    ["name: 5", /Pulumi\.yaml names no project/],
    ["name: zones\nstackConfigDir: [a]", /Pulumi\.yaml: stackConfigDir must be the path of a folder$/],
    ["name: {", /Pulumi\.yaml: line \d+ is no YAML$/],
  ] as const) {
    const project = `${folderWith(t, { "Pulumi.yaml": text })}/Pulumi.yaml`;
    assert.throws(() => readProject(project), message);
  }
});

test("of what a project declares, its own keys count, in the short form as well", (t) => {
  const folder = folderWith(t, {
    "Pulumi.yaml": [
      "name: zones",
      "config:",
      "  aws:region: x",
      "  gcp:project: { value: x }",
      "  zones:proxies: { default: { p: { configTokenSecretRef: { name: p-config } } } }",
      "  checksumKey: null",
    ].join("\n"),
    "Pulumi.prod-a.yaml": "config: { zones:zone: { namespace: a } }",
  });
  const { readsSecrets } = zoneNeeds(stackFile("prod-a", folder), `${folder}/Pulumi.yaml`);
  assert.deepEqual(readsSecrets, ["p-config"]);
});
