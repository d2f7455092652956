// Runs tests, all by default: `node test/run.ts [<layer or file>...]`. One control plane serves those that need one.
import { spawn } from "node:child_process";
import { globSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startControlPlane } from "../dev/control-plane.ts";
import { ensureTools } from "../dev/tools.ts";
import { findChromium, NO_CHROMIUM } from "./browser/support/chromium.ts";
import { removeFolder, temporaryFolder } from "../dev/temporary.ts";
import { accessTo, environmentFor, TEST_TOOLS } from "./cluster/support/cluster.ts";

const LAYERS = ["unit", "program", "ci", "browser", "dev", "cluster", "chaos"];

/** Those whose files use the shared control plane. */
const ON_CLUSTER = ["test/cluster/", "test/chaos/"];

/** What else belongs to a layer: the rights that all cluster tests together used. */
const BESIDE: Record<string, string> = { cluster: "rights" };

/** Test files side by side. Most of a run is Node and the CLI computing: many more than the cores only add memory. */
const CONCURRENCY = 3;

/**
 * Milliseconds after which a test counts as hanging: the slowest takes minutes on a busy machine, and in the long form of
 * the chaos tests an hour.
 */
const HANGING_MS = (process.env["CHAOS"] === "long" ? 180 : 20) * 60_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const report = (line: string): void => {
  console.log(line);
};

function foldersOf(layer: string): string[] {
  return [layer, BESIDE[layer] ?? layer].map((folder) => `test/${folder}/**/*.test.ts`);
}

function filesOf(asked: readonly string[]): string[] {
  const of = (name: string): string[] =>
    LAYERS.includes(name) ? globSync(foldersOf(name), { cwd: root }).sort() : [name];
  return (asked.length > 0 ? asked : LAYERS).flatMap(of);
}

function runTests(
  files: readonly string[],
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const limits = [`--test-concurrency=${CONCURRENCY}`, `--test-timeout=${HANGING_MS}`];
    const args = ["--test", ...limits, "--test-reporter=spec", ...files];
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env },
    });
    signal.addEventListener("abort", () => child.kill("SIGINT"));
    child.on("error", reject);
    child.on("exit", (code) => {
      resolve(code ?? 1);
    });
  });
}

async function withCluster(
  run: (env: Record<string, string>) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  const tools = await ensureTools(TEST_TOOLS, report);
  const audit = await temporaryFolder("audit");
  const controlPlane = await startControlPlane({ tools, report, signal, auditLog: `${audit}/shared.log` });
  try {
    const cluster = { ...accessTo(controlPlane), tools, audit, results: `${root}test-results` };
    return await run(environmentFor(cluster));
  } finally {
    await controlPlane.stop();
    await removeFolder(audit);
  }
}

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    interrupted.abort();
  });
}

rmSync(`${root}test-results`, { recursive: true, force: true });
const files = filesOf(process.argv.slice(2));
const run = (env: Record<string, string>): Promise<number> => runTests(files, env, interrupted.signal);
// Said before all else: the other tests take minutes.
if (files.some((file) => file.startsWith("test/browser/")) && findChromium() === undefined) {
  console.error(NO_CHROMIUM);
  process.exit(1);
}
const needsCluster = files.some((file) => ON_CLUSTER.some((folder) => file.startsWith(folder)));
process.exitCode = needsCluster ? await withCluster(run, interrupted.signal) : await run({});
