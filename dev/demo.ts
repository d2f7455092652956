// `make demo`: a network zone from its first run to its end, with the real Pulumi CLI on a real API server.
//
// KEEP=1       leaves it running before the end comes, until Ctrl-C
// CONTEXT=...  uses that context of the person's own kubeconfig, in a namespace of its own

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { howToLookAround } from "./demo/keep.ts";
import { Kubectl } from "./demo/kubectl.ts";
import { greet, localPlace, makeNamespace, theirPlace } from "./demo/place.ts";
import { Steps } from "./demo/screen.ts";
import { Interrupted, Session } from "./demo/session.ts";
import { findTools, Story } from "./demo/story.ts";
import { DemoZone } from "./demo/zone.ts";
import { keepFolder, removeFolder, temporaryFolder } from "./temporary.ts";
import { createWorkspace } from "./workspace.ts";

const keep = !["", "0", "no", "false"].includes(process.env["KEEP"] ?? "");
const context = process.env["CONTEXT"] || undefined;
const session = new Session();
const steps = new Steps(keep ? 7 : 9);

/** The demo's own folder, and the log in it; of a failed run only the log stays. */
async function makeFolder(): Promise<{ folder: string; log: string }> {
  const folder = await temporaryFolder("demo");
  const log = join(folder, "commands.log");
  writeFileSync(log, "");
  session.logs.push(log);
  session.atEnd(async (end) => {
    if (end !== "failed") return removeFolder(folder);
    for (const name of ["workspace", "project", "environment"])
      rmSync(join(folder, name), { recursive: true, force: true });
    keepFolder(folder);
  });
  return { folder, log };
}

async function demo(): Promise<void> {
  console.log(`A network zone with three proxies, from the first run to the last, with the real Pulumi CLI.
It takes about half a minute once the tools are built. Ctrl-C ends it and leaves nothing behind.
Lines that begin with | are Pulumi's own; of a run, those on unchanged objects are left out.`);
  if (context === undefined && process.env["KUBECONFIG"])
    console.log(
      "Your own cluster is left alone: it would be used with CONTEXT=<a context of your kubeconfig>.",
    );
  const tools = await steps.run("Tools: Pulumi CLI, Kubernetes provider, kubectl", () =>
    findTools(context === undefined),
  );
  // Only now: while tools are built, Ctrl-C shall just end everything.
  session.stopOnSignals();
  const where = context === undefined ? "A control plane of its own" : "Your cluster";
  const { story, manual } = await steps.run(where, async () => {
    const { folder, log } = await makeFolder();
    const place =
      tools.controlPlane === undefined
        ? theirPlace(context ?? "", process.env)
        : await localPlace(tools.controlPlane, session);
    const dir = join(folder, "workspace");
    mkdirSync(dir);
    const { kubeconfig } = place;
    const workspace = await createWorkspace({ tools, dir, kubeconfig, signal: session.signal });
    const { env } = workspace;
    const command = tools.kubectl;
    const kubectl = new Kubectl({ command, env, context: place.context, log, signal: session.signal });
    if (place.theirs) await greet(place, kubectl);
    await makeNamespace(place, kubectl, session);
    const zone = new DemoZone(workspace, kubectl, place, folder, log);
    const manual = (): string =>
      howToLookAround(place, { env, kubectl: command, folder, project: zone.project });
    return { story: new Story(zone, kubectl), manual };
  });

  await steps.run("Tokens, which the platform would put in place", () => story.tokens());
  await steps.run("The first run", () => story.firstRun());
  await steps.run("A token is replaced: what would a run do?", () => story.replaceToken());
  await steps.run("The run that brings it to the pods", () => story.apply());
  await steps.run("Once more: is there anything left to do?", () => story.runAgain());
  if (keep) {
    console.log(manual());
    await stopped();
    return;
  }
  await steps.run("The end of the zone", () => story.destroy());
  await steps.run("Stopping everything that was started", () => session.close("done"));
  session.signal.throwIfAborted();
  console.log(`\nDone in ${steps.elapsed()}.`);
}

/** Waits until somebody wants an end, which is no failure here; throws when something breaks down before. */
async function stopped(): Promise<void> {
  await sleep(2 ** 31 - 1, undefined, { signal: session.signal }).catch(() => undefined);
  if (!(session.signal.reason instanceof Interrupted)) throw session.signal.reason;
  await session.close("interrupted");
  console.log("stopped; nothing is left of it here");
}

try {
  await demo();
} catch (error) {
  // What was interrupted complains in its own words; why it was is what counts.
  const reason: unknown = session.signal.aborted ? session.signal.reason : error;
  const end = reason instanceof Interrupted ? "interrupted" : "failed";
  process.exitCode = end === "failed" ? 1 : 130;
  if (end === "failed") console.error(`\nThe demo failed: ${messageOf(reason)}`);
  try {
    await session.close(end);
    if (end === "interrupted") console.error("stopped before its end; nothing is left of it here");
  } catch (failure) {
    console.error(messageOf(failure));
  }
  const kept = session.logs.filter((log) => existsSync(log));
  if (kept.length > 0) console.error(`Logs: ${kept.join(", ")}`);
}
// Signal handlers do not keep the process, nor should a connection that is slow to close.
process.exit();

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
