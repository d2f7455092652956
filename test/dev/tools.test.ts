// Where tools come from: installed ones of a fitting version first, then the cache. Nothing is built here.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkGo } from "../../dev/builder/build.ts";
import { buildFlags, cacheFolder, pinnedVersion, toolFolder } from "../../dev/builder/cache.ts";
import { PROVIDER_VERSION, TOOLS, TOOL_NAMES } from "../../dev/builder/catalog.ts";
import { isWithin, parseVersion } from "../../dev/builder/installed.ts";
import { withLock } from "../../dev/builder/lock.ts";
import { ensureTools } from "../../dev/tools.ts";

const dir = mkdtempSync(join(tmpdir(), "pulumi-proxies-tools-"));
after(() => {
  rmSync(dir, { recursive: true });
});

/** A folder with a program that prints `says` whatever it is asked. */
function fake(folder: string, name: string, says: string): string {
  const file = join(dir, folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(file, 0o755);
  return file;
}

const empty = {
  PATH: join(dir, "nothing"),
  XDG_CACHE_HOME: join(dir, "cache"),
  PULUMI_HOME: join(dir, "no-home"),
};

/** A report for those who expect none. */
const silent = (line: string): void => {
  assert.fail(`reported: ${line}`);
};

test("an installed tool of a fitting version is used", async () => {
  const pulumi = fake("fitting", "pulumi", "v3.231.0");
  const kubectl = fake("fitting", "kubectl", "Client Version: v1.35.2\nKustomize Version: v5.7.1");
  const PATH = `${join(dir, "nothing")}:${dirname(pulumi)}`;
  assert.deepEqual(await ensureTools(["pulumi", "kubectl"], silent, { ...empty, PATH }), {
    pulumi,
    kubectl,
  });
});

test("one of another version is passed over, for the next on PATH", async () => {
  const old = fake("old", "kubectl", "Client Version: v1.32.4-dispatcher");
  const kubectl = fake("new", "kubectl", "Client Version: v1.36.1");
  const PATH = `${dirname(old)}:${dirname(kubectl)}`;
  assert.deepEqual(await ensureTools(["kubectl"], silent, { ...empty, PATH }), { kubectl });
});

test("KUBEBUILDER_ASSETS comes before PATH, for what it holds", async () => {
  const etcd = fake("assets", "etcd", "etcd Version: 3.6.4");
  fake("assets", "kwok", "kwok version v0.8.0");
  const kwok = fake("path", "kwok", "kwok version v0.8.1 go1.26.8 (linux/amd64)");
  fake("path", "etcd", "etcd Version: 3.6.5");
  const env = { ...empty, PATH: dirname(kwok), KUBEBUILDER_ASSETS: dirname(etcd) };
  assert.deepEqual(await ensureTools(["etcd", "kwok"], silent, env), { etcd, kwok });
});

test("the provider is taken from Pulumi's plugins if it is the pinned version", async () => {
  const name = "pulumi-resource-kubernetes";
  const path = fake(`home/plugins/resource-kubernetes-v${PROVIDER_VERSION}`, name, "");
  const found = await ensureTools([name], silent, { ...empty, PULUMI_HOME: join(dir, "home") });
  assert.deepEqual(found, { [name]: path });
});

test("what is in the cache is not built again, and costs no Go", async () => {
  const folder = toolFolder(TOOLS.kwok.module, empty);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "kwok"), "");
  assert.deepEqual(await ensureTools(["kwok"], silent, empty), { kwok: join(folder, "kwok") });
});

test("without Go, one line says what to do", async () => {
  await assert.rejects(
    ensureTools(["etcd", "kubectl"], () => undefined, empty),
    {
      message:
        "there is no go command: install Go 1.21 or newer (https://go.dev/dl/), which is needed to build etcd, kubectl",
    },
  );
});

test("an old Go is too old, a new one is not", async () => {
  const old = fake("go-old", "go", "go version go1.20.14 linux/amd64");
  await assert.rejects(
    checkGo("etcd", { PATH: `${dirname(old)}:/bin` }),
    /^Error: Go 1\.20\.14 is too old: install Go 1\.21/,
  );
  const recent = fake("go-new", "go", "go version go1.27 linux/amd64");
  await checkGo("etcd", { PATH: `${dirname(recent)}:/bin` });
});

test("why an installed tool is not used is told before a build", async () => {
  const PATH = dirname(fake("unfit", "kubectl", "Client Version: v1.32.4"));
  const lines: string[] = [];
  await assert.rejects(
    ensureTools(["kubectl"], (line) => lines.push(line), { ...empty, PATH }),
    /no go command/,
  );
  assert.match(
    lines.join("\n"),
    /^not using .*unfit\/kubectl: it is 1\.32\.4, not from 1\.35\.0 to below 1\.38\.0$/,
  );
});

test("versions", () => {
  assert.equal(parseVersion("etcd Version: 3.6.16\nGit SHA: 1"), "3.6.16");
  assert.equal(parseVersion("kwok version v0.8.0 go1.26.8 (linux/amd64)"), "0.8.0");
  assert.equal(parseVersion("Client Version: v1.32.4-dispatcher"), "1.32.4");
  assert.equal(parseVersion("no idea"), undefined);
  assert.ok(isWithin("3.200.0", "3.200.0", "4.0.0"));
  assert.ok(isWithin("3.1000.0", "3.200.0", "4.0.0"));
  assert.ok(!isWithin("3.99.9", "3.200.0", "4.0.0"));
  assert.ok(!isWithin("4.0.0", "3.200.0", "4.0.0"));
});

test("every tool's module pins a version, and flags name it where clients ask for it", () => {
  for (const name of TOOL_NAMES) assert.match(pinnedVersion(TOOLS[name].module), /^v\d+\.\d+\.\d+/, name);
  assert.match(buildFlags(TOOLS.pulumi.module).join(" "), /version\.Version=v3\.\d+\.\d+/);
  assert.match(
    buildFlags(TOOLS.kubectl.module).join(" "),
    /gitVersion=v1\.36\.\d+ -X \S+gitMajor=1 -X \S+gitMinor=36$/,
  );
  assert.equal(cacheFolder({ XDG_CACHE_HOME: "/c" }), "/c/pulumi-proxies");
  assert.match(
    toolFolder(TOOLS.etcd.module, { XDG_CACHE_HOME: "/c" }),
    /^\/c\/pulumi-proxies\/tools\/etcd-v3\.6\.\d+-[0-9a-f]{12}$/,
  );
});

test("the provider calls itself what it is installed as, and what the SDK is", () => {
  const main = new URL("../../dev/tools/pulumi-resource-kubernetes/main.go", import.meta.url);
  assert.ok(readFileSync(main, "utf8").includes(`"${PROVIDER_VERSION}"`));
  const sdk = new URL("../../node_modules/@pulumi/kubernetes/package.json", import.meta.url);
  assert.equal((JSON.parse(readFileSync(sdk, "utf8")) as { version: string }).version, PROVIDER_VERSION);
});

test("a lock lets one in at a time, and outlives no owner", async () => {
  const file = join(dir, "lock");
  const waits: number[] = [];
  let inside = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    assert.equal(inside, 1);
    await sleep(50);
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file, (pid) => waits.push(pid), work)));
  assert.deepEqual(waits, [process.pid, process.pid]);
  // A number that no process can have.
  writeFileSync(file, "999999999");
  await withLock(file, () => assert.fail("nobody owns it"), work);
});
