// A chart of the same objects, in one release.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder, temporaryFolder } from "../../dev/temporary.ts";
import type { Place } from "../place.ts";
import type { Operation, Subject } from "./subject.ts";

const CHART = fileURLToPath(new URL("../helm", import.meta.url));
const RELEASE = "bench";

export function helmSubject(place: Place): Subject {
  return {
    name: "helm",
    title: "Helm",
    makeFleet: async (namespace) => {
      const folder = await temporaryFolder("helm");
      const values = join(folder, "values.json");
      return {
        declare: (proxies) => {
          writeFileSync(values, JSON.stringify({ proxies }));
        },
        commands: (operation) => [
          {
            command: place.tools.helm,
            args: ["--kube-context", place.context, "--namespace", namespace, ...helm(operation, values)],
            cwd: folder,
            // Its own files stay in that folder.
            env: { KUBECONFIG: place.kubeconfig, HOME: folder },
          },
        ],
        stateBytes: () => place.releaseBytes(namespace),
        remove: () => removeFolder(folder),
      };
    },
  };
}

function helm(operation: Operation, values: string): string[] {
  const upgrade = ["upgrade", "--install", RELEASE, CHART, "--values", values];
  if (operation === "destroy") return ["uninstall", RELEASE, "--wait"];
  if (operation === "preview") return [...upgrade, "--dry-run=server"];
  return [...upgrade, "--wait", "--timeout", "30m"];
}
