// `make cluster`: a local control plane for a person, until Ctrl-C.

import { USERS } from "./control-plane/credentials.ts";
import { CONTROL_PLANE_TOOLS, startControlPlane } from "./control-plane.ts";
import { ensureTools } from "./tools.ts";

function report(line: string): void {
  console.error(line);
}

try {
  const tools = await ensureTools([...CONTROL_PLANE_TOOLS, "kubectl"], report);
  // Only now: while tools are built, Ctrl-C shall just end everything.
  const stop = new AbortController();
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        stop.abort(new Error("stopped before it was ready"));
        resolve(signal);
      });
    }
  });
  const controlPlane = await startControlPlane({ tools, report, signal: stop.signal });
  const others = USERS.filter((user) => user !== "admin");
  console.log(`
Kubernetes ${controlPlane.version} of your own, with one node. No container runs: pods only look as if they did.

  export KUBECONFIG=${controlPlane.kubeconfig}

  context   ${controlPlane.context}
  kubectl   ${tools.kubectl}
  logs      ${controlPlane.logsDir}
  users     ${others.join(", ")} have no rights until you grant some; their kubeconfigs
            lie beside the one above: kubeconfig-${others[0]} and so on, with the same context

Stop it with Ctrl-C, or from elsewhere with: kill ${process.pid}
`);
  const end = await Promise.race([stopped, controlPlane.broken]);
  // After a breakdown the logs are what a person wants to see.
  await controlPlane.stop({ keepFiles: end instanceof Error });
  if (end instanceof Error) throw end;
  report("stopped; nothing is left of it");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Signal handlers do not keep the process, nor should a connection that is slow to close.
process.exit();
