// What a pod must be like under the `restricted` Pod Security Standard and OpenShift's restricted-v2, by hand:
// https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
interface AnyContainer {
  name?: string;
  ports?: { hostPort?: number; hostIP?: string }[];
  securityContext?: Record<string, unknown> & {
    capabilities?: { add?: unknown[]; drop?: unknown[] };
    seccompProfile?: { type?: string };
    seLinuxOptions?: Record<string, unknown>;
    windowsOptions?: { hostProcess?: unknown };
  };
}

interface AnyPod {
  securityContext?: AnyContainer["securityContext"] & { sysctls?: unknown; supplementalGroups?: unknown };
  volumes?: Record<string, unknown>[];
  containers: AnyContainer[];
  initContainers?: AnyContainer[];
  ephemeralContainers?: AnyContainer[];
  [field: string]: unknown;
}

/** The volume sources that are allowed and that a proxy has a field for. */
const SOURCES = ["secret", "configMap", "emptyDir", "persistentVolumeClaim"];

/** What a pod's specification breaks; empty when it keeps every rule. */
export function brokenRules(spec: object): string[] {
  const pod = spec as AnyPod;
  const containers = [pod.containers, pod.initContainers ?? [], pod.ephemeralContainers ?? []].flat();
  const rules: [rule: string, kept: boolean][] = [
    ["no namespace of the host", !(pod["hostNetwork"] ?? pod["hostPID"] ?? pod["hostIPC"])],
    ["no user namespace of the host asked for", pod["hostUsers"] === undefined],
    ["no sysctls", pod.securityContext?.sysctls === undefined],
    ["no further groups", pod.securityContext?.supplementalGroups === undefined],
    ["no user of the pod", pod.securityContext?.["runAsUser"] === undefined],
    ["no user of the proxy", pod.containers[0]?.securityContext?.["runAsUser"] === undefined],
    ["volumes of harmless sources", (pod.volumes ?? []).every(hasHarmlessSource)],
    ...securityRules("the pod", pod.securityContext),
    ...containers.flatMap(containerRules),
  ];
  return rules.filter(([, kept]) => !kept).map(([rule]) => rule);
}

function hasHarmlessSource({ name, ...sources }: Record<string, unknown>): boolean {
  const given = Object.keys(sources);
  return typeof name === "string" && given.length === 1 && SOURCES.includes(given[0] ?? "");
}

function containerRules({ name = "", ports = [], securityContext = {} }: AnyContainer): [string, boolean][] {
  const { capabilities, allowPrivilegeEscalation, privileged, procMount } = securityContext;
  return [
    [`no ports of the host in ${name}`, ports.every(({ hostPort, hostIP }) => !hostPort && !hostIP)],
    [`all capabilities dropped in ${name}`, JSON.stringify(capabilities) === '{"drop":["ALL"]}'],
    [`no escalation in ${name}`, allowPrivilegeEscalation === false],
    [`no privileges in ${name}`, privileged === undefined || privileged === false],
    [`/proc masked in ${name}`, procMount === undefined || procMount === "Default"],
    ...securityRules(name, securityContext),
  ];
}

function securityRules(what: string, context: AnyContainer["securityContext"] = {}): [string, boolean][] {
  return [
    [`never root in ${what}`, context["runAsNonRoot"] === true],
    // Containers of one's own may name their user; the proxy's takes whom the platform assigns.
    [`no root in ${what}`, context["runAsUser"] !== 0],
    [`the runtime's seccomp profile in ${what}`, context.seccompProfile?.type === "RuntimeDefault"],
    [
      `no SELinux user or role in ${what}`,
      !context.seLinuxOptions?.["user"] && !context.seLinuxOptions?.["role"],
    ],
    [`no Windows host process in ${what}`, context.windowsOptions?.hostProcess !== true],
  ];
}
