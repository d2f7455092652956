// Asks the API server what it would say to objects, without writing any.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import type { TestContext } from "node:test";
import { ownershipAnnotations } from "../../../components/children/owner.ts";
import { FIELD_MANAGER } from "../../../components/cluster/ownership.ts";
import {
  DEPLOYMENTS,
  HORIZONTAL_POD_AUTOSCALERS,
  NETWORK_POLICIES,
  POD_DISRUPTION_BUDGETS,
  PODS,
  type Resource,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICE_MONITORS,
  SERVICES,
} from "../../../components/cluster/cluster.ts";
import type { Deployment, Manifest } from "../../../components/workload/manifest.ts";
import { serveCrds } from "./crds.ts";
import { TestZone } from "./zone.ts";

const RESOURCES = [
  ...[DEPLOYMENTS, HORIZONTAL_POD_AUTOSCALERS, NETWORK_POLICIES, POD_DISRUPTION_BUDGETS],
  ...[SECRETS, SERVICE_ACCOUNTS, SERVICE_MONITORS, SERVICES],
];

/** Stands in for monitoring.coreos.com: other tests of the run rely on a cluster without that group. */
const MONITORING_GROUP = "monitoring.fuzz.example.com";

/** What of the real definition restricts what is rendered here. */
const SERVICE_MONITOR_CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `servicemonitors.${MONITORING_GROUP}` },
  spec: {
    group: MONITORING_GROUP,
    scope: "Namespaced",
    names: { kind: "ServiceMonitor", plural: "servicemonitors" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: monitorSchema() } }],
  },
};

function monitorSchema(): object {
  const text = { type: "string" };
  const object = (properties: object): object => ({ type: "object", properties });
  const list = (items: object): object => ({ type: "array", items });
  const units = ["y", "w", "d", "h", "m", "s", "ms"].map((unit) => `(([0-9]+)${unit})?`).join("");
  const endpoint = { port: text, path: text, interval: { ...text, pattern: `^(0|${units})$` } };
  return object({
    spec: object({
      selector: object({ matchLabels: { type: "object", additionalProperties: text } }),
      namespaceSelector: object({ matchNames: list(text) }),
      endpoints: list(object(endpoint)),
    }),
  });
}

/** A namespace that admits only hardened pods, and its API server. */
export interface Restricted {
  server: DryRun;
  namespace: string;
}

/** Makes one for one test. */
export async function openRestricted(t: TestContext): Promise<Restricted> {
  const zone = await TestZone.open(t, {});
  await zone.kubectl(["label", "namespace", zone.namespace, "pod-security.kubernetes.io/enforce=restricted"]);
  await serveCrds(zone, [SERVICE_MONITOR_CRD.metadata.name], JSON.stringify(SERVICE_MONITOR_CRD));
  const server = new DryRun(zone.cluster.kubeconfig);
  t.after(() => {
    server.close();
  });
  return { server, namespace: zone.namespace };
}

interface Kubeconfig {
  clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
  users: { user: { token: string } }[];
}

/** The API server of a test cluster, asked with `dryRun` and strict field validation alone. */
export class DryRun {
  readonly #server: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(kubeconfig: string) {
    // The test cluster's kubeconfig is JSON.
    const { clusters, users } = JSON.parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
    const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
    if (cluster === undefined || user === undefined) throw new Error(`${kubeconfig} names no cluster`);
    this.#server = cluster.server;
    this.#token = user.token;
    const ca = Buffer.from(cluster["certificate-authority-data"], "base64");
    this.#agent = new Agent({ keepAlive: true, maxSockets: 8, ca });
  }

  /** What the API server says against a component's manifests, owned as they are registered, and against its pods. */
  async refusals(manifests: Record<string, Manifest>, name: string): Promise<string[]> {
    const annotations = ownershipAnnotations(`pulumi-proxies/test/Proxy/${name}`);
    const answers = Object.values(manifests).flatMap((manifest) => {
      const { metadata } = manifest;
      const owned = { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
      const applied = this.apply({ ...manifest, metadata: owned });
      return manifest.kind === "Deployment" ? [applied, this.admit(manifest as Deployment)] : [applied];
    });
    return (await Promise.all(answers)).filter((answer) => answer !== undefined);
  }

  /** Server-side apply as the provider does it; why it is refused, or undefined. */
  async apply(manifest: Manifest): Promise<string | undefined> {
    const { kind, metadata } = manifest;
    const resource = RESOURCES.find((known) => known.kind === kind);
    if (resource === undefined) throw new Error(`no resource is known for ${kind}`);
    const isMonitor = resource === SERVICE_MONITORS;
    const apiVersion = isMonitor ? `${MONITORING_GROUP}/v1` : manifest.apiVersion;
    const path = `${collection({ ...resource, apiVersion }, metadata.namespace)}/${metadata.name}`;
    const query = `fieldManager=${FIELD_MANAGER}&force=true`;
    const refusal = await this.#send("PATCH", path, query, { ...manifest, apiVersion });
    return refusal === undefined ? undefined : `${kind}: ${refusal}`;
  }

  /**
   * Creates a pod from a template; why it is not admitted, or undefined. Its account and its priority class are left
   * out: whether these exist is not the template's business.
   */
  async admit({ metadata: { namespace }, spec: { template } }: Deployment): Promise<string | undefined> {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...template.metadata, namespace, generateName: "p-" },
      spec: { ...template.spec, serviceAccountName: "default", priorityClassName: undefined },
    };
    const refusal = await this.#send("POST", collection(PODS, namespace), "", pod);
    return refusal === undefined ? undefined : `Pod: ${refusal}`;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, query: string, body: unknown): Promise<string | undefined> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      "content-type": method === "PATCH" ? "application/apply-patch+yaml" : "application/json",
    };
    const url = `${this.#server}${path}?dryRun=All&fieldValidation=Strict&${query}`;
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent: this.#agent, timeout: 60_000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode: status = 0 } = response;
          if (status < 300) resolve(undefined);
          // Fields of the wrong type are answered with 500.
          else if (status === 429 || status > 500) reject(new Error(`${method} ${path}: ${status} ${text}`));
          else resolve(messageOf(text));
        });
      });
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path}: no answer in a minute`)));
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
  }
}

function collection({ apiVersion, plural }: Resource, namespace: string): string {
  const root = apiVersion.includes("/") ? "apis" : "api";
  return `/${root}/${apiVersion}/namespaces/${namespace}/${plural}`;
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return text;
  }
}
