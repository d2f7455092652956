// CustomResourceDefinitions that a test needs: they hold for everybody on the control plane.
import { eventually } from "../../dev/support.ts";
import type { TestZone } from "./zone.ts";

/** Applies CRDs (YAML or JSON), and waits until the API server serves them and tells of them. */
export async function serveCrds(zone: TestZone, names: readonly string[], manifests: string): Promise<void> {
  // Server-side: the operators' own are too large for the annotation of a client-side apply.
  await zone.kubectl(["apply", "--server-side", "-f", "-"], manifests);
  const crds = names.map((name) => `crd/${name}`);
  await zone.kubectl(["wait", "--for=condition=Established", ...crds, "--timeout=90s"]);
  // Its discovery, without which kubectl and clients know no such type, follows the condition.
  await eventually(`discovery tells of ${names.join(", ")}`, 60, async () => {
    const served = (await zone.kubectl(["api-resources", "-o", "name"])).split("\n");
    return names.every((name) => served.includes(name)) ? true : undefined;
  });
}
