// The local control plane as such: who may do what, that it says why it breaks, and that nothing of it is
// left.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { USERS } from "../../dev/control-plane/credentials.ts";
import { startControlPlane } from "../../dev/control-plane.ts";
import { eventually, kubectlFor, nothingRunsWith, processesWith, useControlPlane } from "./support.ts";

const { controlPlane, tools, kubectl } = await useControlPlane();

test("every user is somebody, and only admin may do anything", async () => {
  assert.match(await kubectl(["auth", "can-i", "*", "*", "--all-namespaces"]), /yes/);
  for (const user of USERS.filter((name) => name !== "admin")) {
    const asUser = kubectlFor(tools.kubectl, controlPlane.kubeconfigFor(user));
    assert.equal((await asUser(["config", "current-context"])).trim(), controlPlane.context);
    assert.match(
      await asUser(["auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"]),
      new RegExp(`^${user}$`),
    );
    await assert.rejects(
      asUser(["get", "pods"]),
      new RegExp(`pods is forbidden: User "${user}" cannot list`),
    );
  }
});

test("rights that are granted count at once", async () => {
  await kubectl(["create", "clusterrolebinding", "preview", "--clusterrole=view", "--user=preview"]);
  const asPreview = kubectlFor(tools.kubectl, controlPlane.kubeconfigFor("preview"));
  await eventually("preview may list pods", 30, () => asPreview(["get", "pods"]).catch(() => undefined));
});

test("admission is that of a real cluster: PodSecurity refuses a privileged pod", async () => {
  const metadata = { name: "strict", labels: { "pod-security.kubernetes.io/enforce": "restricted" } };
  await kubectl(["create", "-f", "-"], { apiVersion: "v1", kind: "Namespace", metadata });
  const spec = { containers: [{ name: "c", image: "i", securityContext: { privileged: true } }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "strict" }, spec };
  await assert.rejects(kubectl(["create", "-f", "-"], pod), /violates PodSecurity "restricted:latest"/);
});

test("the database and the API server are restarted with the same port and data", async () => {
  await kubectl(["create", "configmap", "kept"]);
  for (const part of ["etcd", "kube-apiserver"] as const) {
    await controlPlane.restart(part);
    await eventually(`the data is there after ${part}`, 60, () =>
      kubectl(["get", "configmap", "kept"]).catch(() => undefined),
    );
  }
});

test("two control planes live side by side, and stop leaves no process and no folder", async () => {
  const second = await startControlPlane({ tools });
  assert.notEqual(second.server, controlPlane.server);
  await eventually("five processes", 15, () => (processesWith(second.dir).length === 5 ? true : undefined));
  await second.stop();
  await nothingRunsWith(second.dir);
  assert.equal(existsSync(second.dir), false);
});

test("a part that does not start is named, with the end of its log", async () => {
  const broken = startControlPlane({ tools: { ...tools, "kube-apiserver": tools.kubectl } });
  const reason = await broken.then(() => "it started", String);
  assert.match(
    reason,
    /kube-apiserver ended \(exit code 1\); its log \S+kube-apiserver\.log ends with:\n.*unknown flag/s,
  );
  // The folder is kept, for that log.
  const dir = /its log (\S+)\/logs\//.exec(reason)?.[1] ?? "";
  try {
    await nothingRunsWith(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
});

test("a part that ends later is named too", async () => {
  const second = await startControlPlane({ tools });
  try {
    const [kwok] = processesWith(`${second.dir}/kwok.yaml`);
    process.kill(Number.parseInt(kwok ?? "", 10), "SIGKILL");
    assert.match((await second.broken).message, /kwok ended \(SIGKILL\); its log .*kwok\.log ends with/);
  } finally {
    await second.stop();
  }
});

test("a start that is aborted leaves nothing", async () => {
  const abort = new AbortController();
  const start = startControlPlane({ tools, signal: abort.signal });
  setTimeout(() => {
    abort.abort(new Error("enough"));
  }, 1500);
  await assert.rejects(start, /enough/);
});

test("make cluster: prints how to use it, and Ctrl-C leaves nothing", async () => {
  const run = startCluster();
  const dir = await run.folder();
  run.kill("SIGINT");
  assert.equal(await run.end, 0);
  await nothingRunsWith(dir);
  assert.equal(existsSync(dir), false);
});

test("make cluster: even when it is killed outright, nothing is left", async () => {
  const run = startCluster();
  const dir = await run.folder();
  run.kill("SIGKILL");
  await eventually("no process and no folder", 30, () =>
    processesWith(dir).length === 0 && !existsSync(dir) ? true : undefined,
  );
});

function startCluster(): {
  folder(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  end: Promise<number | null>;
} {
  const program = fileURLToPath(new URL("../../dev/cluster.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return {
    folder: () =>
      eventually("export KUBECONFIG=...", 60, () =>
        /Stop it/.test(output) ? /export KUBECONFIG=(.*)\/kubeconfig-admin/.exec(output)?.[1] : undefined,
      ),
    kill: (signal) => void child.kill(signal),
    end: new Promise((resolve) => child.once("exit", resolve)),
  };
}
