import type { z } from "zod";
import { connectorSpecSchema } from "../../components/connector/checks.ts";
import { proxySpecSchema } from "../../components/proxy/checks.ts";

/** A reference page: whose it is, and what the code can't tell. */
export interface Page {
  /** Below the project's root. */
  file: string;
  /** Name of the component's class; its fields stand in `<component>Spec`, what a program gives in `<component>Args`. */
  component: string;
  /** Key of a stack file that holds such components by name. */
  stackKey: string;
  /** The files in which all its declarations stand, as globs. */
  sources: string[];
  /** Tells whole numbers from others, which TypeScript does not. */
  schema: z.ZodType;
  /** Fields that are not spelled out because Kubernetes' own reference does: path -> kind and address. */
  external: Record<string, { kind: string; url: string }>;
}

const POD = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/";
const container = { kind: "Container", url: `${POD}#Container` };

const external = {
  affinity: { kind: "Affinity", url: `${POD}#scheduling` },
  initContainers: container,
  sidecars: container,
};

export const PAGES: readonly Page[] = [
  {
    file: "docs/proxy.md",
    component: "Proxy",
    stackKey: "pulumi-proxies:proxies",
    sources: ["components/proxy/**/*.ts", "components/workload/**/*.ts"],
    schema: proxySpecSchema,
    external,
  },
  {
    file: "docs/connector.md",
    component: "Connector",
    stackKey: "pulumi-proxies:connectors",
    sources: ["components/connector/**/*.ts", "components/workload/**/*.ts"],
    schema: connectorSpecSchema,
    external,
  },
];
