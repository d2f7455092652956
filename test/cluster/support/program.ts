// A program of one's own that imports the components, in place of the project's.
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestZone } from "./zone.ts";

const components = fileURLToPath(new URL("../../../components/index.ts", import.meta.url));

/** Makes `body` the program of a zone; it may use `pulumi`, `proxies`, `zone` and `configTokenSecretRef`. */
export function program(zone: TestZone, body: string): void {
  rmSync(`${zone.project}/index.ts`);
  const source = `
    import * as pulumi from "@pulumi/pulumi";
    import * as proxies from "${components}";
    const zone = await proxies.openZone({ namespace: "${zone.namespace}", cluster: { context: "${zone.context}" } });
    const configTokenSecretRef = { name: pulumi.output("p-config") };
    ${body}`;
  writeFileSync(`${zone.project}/index.ts`, source);
}
