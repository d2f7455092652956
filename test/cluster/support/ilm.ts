// The ILM operator's custom resources, and objects as it makes them: it itself is not here.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CHECKSUM_ANNOTATION } from "../../../components/workload/checksum.ts";
import { serveCrds } from "./crds.ts";
import { at, type KubeObject, type TestZone } from "./zone.ts";

/** The operator's own CRDs stand beside the project where it is developed, and are no part of it. */
const SAMPLES = fileURLToPath(new URL("../../../../shared/samples/ilm", import.meta.url));

export const CRDS = ["proxies.otilm.com", "connectors.otilm.com"];

const TYPES = { Proxy: "proxies.otilm.com", Connector: "connectors.otilm.com" } as const;

/** A resource as somebody applied it, and what the operator has said of it. */
export interface Ilm {
  kind: keyof typeof TYPES;
  name: string;
  spec: Record<string, unknown>;
  status?: object;
}

/** Installs the CRDs, and waits until they are served. */
export function installCrds(zone: TestZone): Promise<void> {
  return serveCrds(zone, CRDS, crds());
}

/** The operator's, or else CRDs of these kinds that take any spec; as text. */
function crds(): string {
  if (!existsSync(SAMPLES)) {
    assert.notEqual(process.env["CI"], "true", `${SAMPLES} is missing`);
    return JSON.stringify(list(Object.keys(TYPES).map((kind) => anyCrd(kind as Ilm["kind"]))));
  }
  return CRDS.map((crd) => readFileSync(`${SAMPLES}/otilm.com_${crd.split(".")[0]}.yaml`, "utf8")).join("\n");
}

function anyCrd(kind: Ilm["kind"]): object {
  const any = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const [plural, group] = TYPES[kind].split(/\.(.*)/);
  const version = {
    name: "v1alpha1",
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: "object", properties: { spec: any, status: any } } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: TYPES[kind] },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [version],
    },
  };
}

/** Makes resources and all that the operator makes of them; comes back when every pod is ready. */
export async function operate(zone: TestZone, all: readonly Ilm[]): Promise<void> {
  const resources = all.map(({ kind, name, spec }) => ({
    apiVersion: "otilm.com/v1alpha1",
    kind,
    metadata: { name, finalizers: ["otilm.com/finalizer"] },
    spec,
  }));
  await create(zone, resources);
  for (const { kind, name, status } of all) {
    if (status === undefined) continue;
    const patch = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
    await zone.kube("patch", TYPES[kind], name, ...patch);
  }
  const live = await zone.list(Object.values(TYPES).join());
  const objects = live
    .filter((of) => all.some(({ kind, name }) => of.kind === kind && of.metadata.name === name))
    .flatMap(operatorObjects);
  await create(zone, objects);
  for (const { name } of all) await zone.kube("rollout", "status", `deployment/${name}`, "--timeout=120s");
}

/** As the operator's client does, which neither applies nor is kubectl. */
function create(zone: TestZone, objects: readonly object[]): Promise<string> {
  const args = ["--namespace", zone.namespace, "create", "--field-manager=manager", "-f", "-"];
  return zone.kubectl(args, JSON.stringify(list(objects)));
}

function list(items: readonly object[]): object {
  return { apiVersion: "v1", kind: "List", items };
}

/** What the operator makes of a resource; the left-overs are of a version before. */
function operatorObjects(resource: KubeObject): object[] {
  const { kind, metadata } = resource;
  const { name, uid } = metadata;
  const component = kind.toLowerCase();
  const selector = {
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/component": component,
    [`otilm.com/${component}`]: name,
  };
  const labels = { ...selector, "app.kubernetes.io/managed-by": "ilm-operator" };
  const owner = {
    apiVersion: "otilm.com/v1alpha1",
    kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const ports =
    kind === "Proxy" ? { http: 8080, api: 8081 } : { http: Number(at(resource, "spec", "service", "port")) };
  const object = (apiVersion: string, of: string, more: object, annotations?: object): object => ({
    apiVersion,
    kind: of,
    metadata: { name, labels, ownerReferences: [owner], ...(annotations && { annotations }) },
    ...more,
  });
  const probe = { httpGet: { path: "/health", port: ports.http }, periodSeconds: 10 };
  const runAsNonRoot = true;
  const seccompProfile = { type: "RuntimeDefault" };
  const tokenRef = (key: string, optional = false): object => ({
    secretKeyRef: {
      name: at(resource, "spec", "configTokenSecretRef", "name"),
      key,
      ...(optional && { optional }),
    },
  });
  const env =
    kind === "Proxy"
      ? [
          { name: "PROXY_CONFIG_TOKEN", valueFrom: tokenRef("configToken") },
          { name: "PROXY_TOKEN_SIGNING_KEY", valueFrom: tokenRef("tokenSigningKey", true) },
        ]
      : [];
  const container = {
    name: component,
    image: "hub.omnitrustregistry.com/ilm/x:1.0.0",
    imagePullPolicy: "IfNotPresent",
    ports: Object.entries(ports).map(([port, containerPort]) => ({ name: port, containerPort })),
    env,
    livenessProbe: probe,
    readinessProbe: probe,
    securityContext: {
      runAsNonRoot,
      seccompProfile,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
  };
  const template = {
    metadata: { labels, annotations: { ...LEFT_OVER, [CHECKSUM_ANNOTATION]: "0123" } },
    spec: {
      serviceAccountName: name,
      securityContext: { runAsNonRoot, seccompProfile },
      containers: [container],
    },
  };
  const servicePorts = Object.entries(ports).map(([port, number]) => ({
    name: port,
    port: number,
    targetPort: number,
    protocol: "TCP",
  }));
  const from = [
    { podSelector: {} },
    {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ilm-system" } },
      podSelector: { matchLabels: { "app.kubernetes.io/name": "ilm-operator" } },
    },
  ];
  const budget = at(resource, "spec", "podDisruptionBudget", "enabled") === true;
  return [
    object("v1", "ServiceAccount", {}),
    object("apps/v1", "Deployment", {
      spec: {
        replicas: at(resource, "spec", "replicas") ?? 1,
        selector: { matchLabels: selector },
        template,
      },
    }),
    object("v1", "Service", { spec: { type: "ClusterIP", selector, ports: servicePorts } }, LEFT_OVER),
    object("networking.k8s.io/v1", "NetworkPolicy", {
      spec: {
        podSelector: { matchLabels: selector },
        policyTypes: ["Ingress"],
        ingress: [{ from, ports: servicePorts.map(({ port, protocol }) => ({ port, protocol })) }],
      },
    }),
    ...(budget
      ? [
          object("policy/v1", "PodDisruptionBudget", {
            spec: { minAvailable: 1, selector: { matchLabels: selector } },
          }),
        ]
      : []),
  ];
}

/** What no manifest of ours declares. */
const LEFT_OVER = { "otilm.com/left-over": "yes" };

/** What is still the operator's in objects: fields that it manages, and what only it would set. */
export function leftOvers(objects: readonly KubeObject[]): string[] {
  return objects.flatMap((object) => {
    const { metadata } = object;
    const managers = (metadata.managedFields ?? [])
      .filter(({ subresource }) => subresource === undefined)
      .map(({ manager }) => manager);
    const found = [
      ...managers.filter((manager) => manager !== "pulumi-proxies"),
      ...[metadata.annotations, at(object, "spec", "template", "metadata", "annotations")].flatMap((all) =>
        Object.keys(all ?? {}).filter((key) => key in LEFT_OVER),
      ),
      ...(metadata.labels?.["app.kubernetes.io/managed-by"] === "pulumi-proxies" ? [] : ["managed-by"]),
    ];
    return found.map((what) => `${object.kind} ${metadata.name}: ${what}`);
  });
}
