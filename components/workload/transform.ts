import { isDeepStrictEqual } from "node:util";
import { CHECKSUM_ANNOTATION } from "./checksum.ts";
import { containerSecurityContext, hardenContainer, podSecurityContext } from "./hardening.ts";
import { type Identity, ownLabels } from "./labels.ts";
import type { Container, Deployment, Manifest, PodSpec, SecurityContext, UserContainer } from "./manifest.ts";
import { joinPath } from "./validation.ts";

/**
 * Changes a rendered manifest: in place, or by giving back another one. It sees plain JSON, never a secret. Whoever
 * writes it knows the shape better than a type could say.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-invalid-void-type
export type Transform = (manifest: any) => object | void;

/** The field of a spec that ties an object to its workload. */
const TIES: Readonly<Record<string, string>> = {
  Deployment: "selector",
  Service: "selector",
  PodDisruptionBudget: "selector",
  NetworkPolicy: "podSelector",
  ServiceMonitor: "selector",
  HorizontalPodAutoscaler: "scaleTargetRef",
};

type WithSpec = Manifest & { spec?: Record<string, unknown> };

/**
 * A manifest as a transform leaves it. What makes it the workload's is laid on again behind it: name, namespace, labels,
 * selectors, and for a Deployment the checksum, the hardening and the variables named in `reservedEnv`.
 * @throws Error with one sentence for people, or whatever the transform throws
 */
export function transformed<M extends Manifest>(
  rendered: M,
  transform: Transform | undefined,
  identity: Identity,
  reservedEnv: readonly string[] = [],
): M {
  if (transform === undefined) return rendered;
  const draft = structuredClone(rendered);
  const result = plain(transform(draft) ?? draft) as Partial<WithSpec>;
  const { apiVersion, kind, metadata } = rendered;
  // All that a rendered Deployment says there is what the next run compares with.
  const annotations = kind === "Deployment" && { ...result.metadata?.annotations, ...metadata.annotations };
  const labels = { ...metadata.labels, ...result.metadata?.labels };
  const tie = TIES[kind];
  const tied = {
    ...result,
    apiVersion,
    kind,
    metadata: {
      ...result.metadata,
      ...(annotations && { annotations }),
      name: metadata.name,
      namespace: metadata.namespace,
      // A Prometheus may select its monitors by any label.
      labels: kind === "ServiceMonitor" ? labels : { ...labels, ...ownLabels(identity) },
    },
    ...(tie !== undefined && { spec: { ...result.spec, [tie]: (rendered as WithSpec).spec?.[tie] } }),
  } as Manifest;
  if (!isDeployment(tied) || !isDeployment(rendered)) return tied as M;
  return withTemplate(tied, podTemplate(rendered, tied, identity, reservedEnv)) as Manifest as M;
}

/**
 * A copy of what a transform gives back. What is no JSON, an Output or a Promise for example, would reach the cluster as
 * nonsense.
 */
function plain(value: unknown, path = ""): unknown {
  if (Array.isArray(value)) return value.map((child, index) => plain(child, `${path}[${index}]`));
  if (isPlainObject(value)) {
    const entries = Object.entries(value).filter(([, child]) => child !== undefined);
    return Object.fromEntries(entries.map(([key, child]) => [key, plain(child, joinPath(path, key))]));
  }
  const isJson = value === null || ["string", "number", "boolean"].includes(typeof value);
  if (isJson && (path !== "" || value === null)) return value;
  throw new Error(
    `must give back plain JSON, which ${path || "the result"} is not (nor is an Output or a Promise)`,
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

type Template = Deployment["spec"]["template"];

function isDeployment(manifest: Manifest): manifest is Deployment {
  return manifest.kind === "Deployment";
}

function withTemplate(deployment: Deployment, template: Template): Deployment {
  return { ...deployment, spec: { ...deployment.spec, template } };
}

function podTemplate(
  rendered: Deployment,
  result: Deployment,
  identity: Identity,
  reservedEnv: readonly string[],
): Template {
  const before = rendered.spec.template;
  const template = result.spec.template as Partial<Template> | undefined;
  const { metadata, spec } = { ...template };
  if (!Array.isArray(spec?.containers)) throw new Error("must leave spec.template.spec.containers in place");
  const others = Object.entries(metadata?.annotations ?? {}).filter(([name]) => name !== CHECKSUM_ANNOTATION);
  const checksum = before.metadata.annotations?.[CHECKSUM_ANNOTATION];
  const annotations = {
    ...Object.fromEntries(others),
    ...(checksum !== undefined && { [CHECKSUM_ANNOTATION]: checksum }),
  };
  const more = Object.entries(metadata ?? {}).filter(([name]) => name !== "annotations");
  return {
    ...template,
    metadata: {
      ...Object.fromEntries(more),
      labels: { ...metadata?.labels, ...ownLabels(identity) },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: hardenPod(before.spec, spec, identity.component, reservedEnv),
  };
}

/** What the `restricted` Pod Security Standard asks for. A container that the transform left alone stays as it is. */
function hardenPod(before: PodSpec, pod: PodSpec, main: string, reservedEnv: readonly string[]): PodSpec {
  const { hostNetwork, hostPID, hostIPC, ...rest } = pod as PodSpec & Record<string, unknown>;
  if (hostNetwork === true || hostPID === true || hostIPC === true) {
    throw new Error("must not put the pods into namespaces of the host");
  }
  const podSecurity = pod.securityContext as PodSpec["securityContext"] | undefined;
  const known: { name?: unknown }[] = [...(before.initContainers ?? []), ...before.containers];
  const harden = (container: UserContainer): UserContainer =>
    known.some((one) => isDeepStrictEqual(one, container)) ? container : hardenContainer(container);
  const containers = pod.containers as readonly UserContainer[];
  const own = containers.find(({ name }) => name === main);
  if (own === undefined) throw new Error(`must leave the container "${main}" in place`);
  const others = containers.filter((container) => container !== own);
  return {
    ...rest,
    securityContext: { ...podSecurity, ...podSecurityContext(podSecurity?.fsGroup) },
    ...(pod.initContainers && { initContainers: pod.initContainers.map(harden) }),
    containers: [
      mainContainer(before.containers[0], own as unknown as Container, reservedEnv),
      ...others.map(harden),
    ],
  };
}

function mainContainer(before: Container, container: Container, reservedEnv: readonly string[]): Container {
  if (isDeepStrictEqual(before, container)) return container;
  const security = container.securityContext as SecurityContext | undefined;
  const isReserved = ({ name }: { name: string }): boolean => reservedEnv.includes(name);
  const reserved = (before.env ?? []).filter(isReserved);
  const others = (container.env ?? []).filter((variable) => !isReserved(variable));
  return {
    ...container,
    env: [...others, ...reserved],
    securityContext: {
      ...security,
      ...containerSecurityContext(security?.readOnlyRootFilesystem),
      ...(security !== undefined && "privileged" in security && { privileged: false }),
    },
  };
}
