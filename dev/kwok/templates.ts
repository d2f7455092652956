// Parts of the Go templates by which Stages render the status of a pod. Every part is a function of the pod
// alone, and keeps the times that the status already holds, so that a Stage which runs again changes nothing.

import { MESSAGES } from "./annotations.ts";

/**
 * Variables for the parts below: $now; $since, the transition times by "type=status"; $was, the container
 * statuses by name; $messages (annotation).
 */
const VARIABLES = `
{{- $now := Now -}}
{{- $since := dict -}}
{{- range .status.conditions -}}
{{- $_ := set $since (printf "%s=%s" .type .status) .lastTransitionTime -}}
{{- end -}}
{{- $was := dict -}}
{{- range .status.initContainerStatuses -}}{{- $_ := set $was .name . -}}{{- end -}}
{{- range .status.containerStatuses -}}{{- $_ := set $was .name . -}}{{- end -}}
{{- $messages := dict -}}
{{- with index (or .metadata.annotations dict) "${MESSAGES}" -}}{{- $messages = fromJson . -}}{{- end -}}
`;

/** What a status says about the containers of a pod. */
export interface Look {
  phase: "Pending" | "Running";
  /** Init containers: all done, or those before the first with a message (the sidecars among them run). */
  init: "done" | "until-message" | "waiting";
  /**
   * The status of an app container, without its name and image. The template's dot is the container's spec.
   */
  container: string;
  /** Does the pod count as ready? */
  ready: boolean;
  /** Has its network been set up? A kubelet mounts the volumes first. */
  network: boolean;
}

/** The template of a patch that gives a pod this look. */
export function statusPatch(look: Look): string {
  // The resource version makes the API server refuse a patch that was rendered from an older pod: kwok works
  // in parallel, and an old "missing" must not overwrite a new "ready". kwok then renders again from the
  // newer pod.
  return `${VARIABLES}
metadata:
  resourceVersion: {{ .metadata.resourceVersion | Quote }}
status:
  phase: ${look.phase}
  startTime: {{ or .status.startTime $now | Quote }}
${look.network ? NETWORK : ""}
  {{ $held := list }}
  {{ if .spec.initContainers }}
  initContainerStatuses:
  {{ range .spec.initContainers }}
${initContainer(look.init)}
  {{ end }}
  {{ end }}
  containerStatuses:
  {{ range .spec.containers }}
  - name: {{ .name | Quote }}
    image: {{ .image | Quote }}
${look.init === "until-message" ? `    {{ if $held }}${WAITING_FOR_INIT}{{ else }}${look.container}{{ end }}` : look.container}
  {{ end }}
  conditions:
${condition("PodReadyToStartContainers", look.network)}
  {{ if $held }}
${condition("Initialized", false, "ContainersNotInitialized", 'containers with incomplete status: [{{ join " " $held }}]')}
  {{ else }}
${condition("Initialized", true)}
  {{ end }}
${readiness("ContainersReady", look.ready)}
${readiness("Ready", look.ready)}
`;
}

const NETWORK = `
  hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
  hostIPs:
  - ip: {{ NodeIPWith .spec.nodeName | Quote }}
  {{ $ip := or .status.podIP (PodIPWith .spec.nodeName (or .spec.hostNetwork false) .metadata.uid .metadata.name .metadata.namespace) }}
  podIP: {{ $ip | Quote }}
  podIPs:
  - ip: {{ $ip | Quote }}
`;

/** When the container of the dot started: as known, else now. */
const STARTED_AT = `{{ dig .name "state" "running" "startedAt" $now $was | Quote }}`;

/** How often the container of the dot was restarted. */
const RESTARTS = `{{ dig .name "restartCount" 0 $was }}`;

function unready(waiting: string): string {
  return `
    ready: false
    started: false
    restartCount: ${RESTARTS}
    state:
      waiting:
${waiting}
`;
}

/** A container that waits with a reason and, if given, a message. */
export function waiting(reason: string, message?: string): string {
  return unready(`        reason: ${reason}
        message: ${message === undefined ? '""' : `{{ ${message} | Quote }}`}`);
}

export function running(ready: boolean): string {
  return `
    ready: ${ready}
    started: true
    restartCount: ${RESTARTS}
    state:
      running:
        startedAt: ${STARTED_AT}
`;
}

/** A container that waits for its next start after it ended with exit code 1. */
export const CRASHED = `
    {{ $restarts := add1 (dig .name "restartCount" 0 $was) }}
    ready: false
    started: false
    restartCount: {{ $restarts }}
    lastState:
      terminated:
        exitCode: 1
        reason: Error
        startedAt: ${STARTED_AT}
        finishedAt: {{ $now | Quote }}
    state:
      waiting:
        reason: CrashLoopBackOff
        message: {{ printf "back-off %ds restarting failed container=%s pod=%s_%s(%s)" (min 300 (mul 10 $restarts)) .name $.metadata.name $.metadata.namespace $.metadata.uid | Quote }}
`;

/** Runs, unless there is a message for this container. */
export const RUNNING_OR_MESSAGE = `
    {{ $message := get $messages .name }}
    {{ if $message }}${waiting("CreateContainerConfigError", "$message")}{{ else }}${running(true)}{{ end }}
`;

const WAITING_FOR_INIT = waiting("PodInitializing");

const DONE = `
    ready: true
    started: false
    restartCount: ${RESTARTS}
    state:
      terminated:
        exitCode: 0
        reason: Completed
        startedAt: {{ dig .name "state" "terminated" "startedAt" $now $was | Quote }}
        finishedAt: {{ dig .name "state" "terminated" "finishedAt" $now $was | Quote }}
`;

function initContainer(init: Look["init"]): string {
  const done = `{{ if eq (or .restartPolicy "") "Always" }}${running(true)}{{ else }}${DONE}{{ end }}`;
  const head = `  - name: {{ .name | Quote }}
    image: {{ .image | Quote }}
`;
  if (init === "done") return head + done;
  if (init === "waiting") return `${head}{{ $held = append $held .name }}${WAITING_FOR_INIT}`;
  return `${head}
    {{ $message := get $messages .name }}
    {{ if and $message (not $held) }}${waiting("CreateContainerConfigError", "$message")}
    {{ else if $held }}${WAITING_FOR_INIT}
    {{ else }}${done}{{ end }}
    {{ if or $message $held }}{{ $held = append $held .name }}{{ end }}
`;
}

function readiness(type: string, ready: boolean): string {
  if (ready) return condition(type, true);
  const names = `{{ range $i, $c := .spec.containers }}{{ if $i }} {{ end }}{{ $c.name }}{{ end }}`;
  return condition(type, false, "ContainersNotReady", `containers with unready status: [${names}]`);
}

/**
 * Empty reason and message are written too: the patch is merged, and would else keep those of the former
 * status.
 */
function condition(type: string, status: boolean, reason = "", message = ""): string {
  const text = status ? "True" : "False";
  return `  - type: ${type}
    status: "${text}"
    reason: "${reason}"
    message: "${message}"
    lastTransitionTime: {{ or (get $since "${type}=${text}") $now | Quote }}`;
}

/** The template of an event about a pod, as the kubelet reports it; `message` is a template expression. */
export function event(reason: string, message: string): string {
  return `${VARIABLES}
apiVersion: v1
kind: Event
metadata:
  # One object per pod and reason: the same thing said again replaces it.
  name: {{ printf "%s.${reason.toLowerCase()}" (.metadata.name | trunc 200) | Quote }}
  namespace: {{ .metadata.namespace | Quote }}
involvedObject:
  apiVersion: v1
  kind: Pod
  name: {{ .metadata.name | Quote }}
  namespace: {{ .metadata.namespace | Quote }}
  uid: {{ .metadata.uid | Quote }}
type: Warning
reason: ${reason}
message: {{ ${message} | Quote }}
count: 1
firstTimestamp: {{ $now | Quote }}
lastTimestamp: {{ $now | Quote }}
source:
  component: kubelet
  host: {{ .spec.nodeName | Quote }}
reportingComponent: kubelet
reportingInstance: {{ .spec.nodeName | Quote }}
`;
}
