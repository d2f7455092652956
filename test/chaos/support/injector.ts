// A sidecar injector as service meshes and the like bring it: a mutating webhook, which the API server calls here.
import { once } from "node:events";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { SERVER } from "../../support/certificates.ts";
import { at, type TestZone } from "../../cluster/support/zone.ts";

/** Into what it puts its container. */
type Into = "pods" | "deployments";

export interface Injector {
  /** How many objects it has added its container to. */
  injected: number;
}

interface Review {
  request: { uid: string; object: unknown };
}

export const SIDECAR = { name: "injected", image: "registry.example/sidecar:1" };
export const LABEL = "injector.example.com/injected";

/** Runs `body` while an injector works in this zone's namespace, and nowhere else. */
export async function withInjector(
  zone: TestZone,
  into: Into,
  body: (injector: Injector) => Promise<void>,
): Promise<void> {
  const injector: Injector = { injected: 0 };
  const server = https.createServer({ cert: SERVER.certificate, key: SERVER.key }, (request, response) => {
    void answer(request, into, injector).then((review) => response.end(review));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    await zone.kubectl(["apply", "-f", "-"], JSON.stringify(configuration(zone, into, port)));
    await body(injector);
  } finally {
    await zone.kubectl(["delete", "mutatingwebhookconfiguration", zone.namespace, "--ignore-not-found"]);
    server.close();
    server.closeAllConnections();
  }
}

function configuration(zone: TestZone, into: Into, port: number): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: zone.namespace },
    webhooks: [
      {
        name: "injector.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        timeoutSeconds: 10,
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": zone.namespace } },
        rules: [
          {
            apiGroups: [into === "pods" ? "" : "apps"],
            apiVersions: ["v1"],
            resources: [into],
            operations: ["CREATE", "UPDATE"],
          },
        ],
        clientConfig: {
          url: `https://127.0.0.1:${port}/`,
          caBundle: Buffer.from(SERVER.certificate).toString("base64"),
        },
      },
    ],
  };
}

async function answer(request: AsyncIterable<unknown>, into: Into, injector: Injector): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { uid, object } = (JSON.parse(Buffer.concat(chunks).toString()) as Review).request;
  const operations = injection(object, into);
  if (operations.length > 0) injector.injected += 1;
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  const response = { uid, allowed: true, patchType: "JSONPatch", patch };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}

/** Its container comes last, and once; a label says that it is there. */
function injection(object: unknown, into: Into): object[] {
  const pod = into === "pods" ? [] : ["spec", "template"];
  const containers = (at(object, ...pod, "spec", "containers") ?? []) as { name: string }[];
  const to = (...path: string[]): string => `/${[...pod, ...path].join("/")}`;
  const label = LABEL.replaceAll("/", "~1");
  const labels = at(object, ...pod, "metadata", "labels") as Record<string, string> | undefined;
  return [
    ...(containers.some(({ name }) => name === SIDECAR.name)
      ? []
      : [{ op: "add", path: to("spec", "containers", "-"), value: SIDECAR }]),
    ...(labels === undefined || labels[LABEL] !== undefined
      ? []
      : [{ op: "add", path: to("metadata", "labels", label), value: "yes" }]),
  ];
}
