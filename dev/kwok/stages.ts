// The life of the fake node and its pods, as Stages for kwok
// (https://kwok.sigs.k8s.io/docs/user/stages-configuration/). No two Stages match one pod at the same time.

import { BEHAVIOUR, BEHAVIOURS, VERDICT } from "./annotations.ts";
import type { Verdict } from "./annotations.ts";
import { PORT_FORWARD } from "./port-forward.ts";
import { CRASHED, RUNNING_OR_MESSAGE, event, running, statusPatch, waiting } from "./templates.ts";

interface Expression {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  values?: readonly string[];
}

interface Step {
  patch?: { subresource: "status"; root?: "status"; template: string };
  apply?: { template: string };
  delete?: true;
}

interface Stage {
  name: string;
  kind: "Node" | "Pod";
  when: readonly Expression[];
  /** A jq expression for a duration such as "2s". Default: at once. */
  after?: string;
  steps: readonly Step[];
}

const living: Expression = { key: ".metadata.deletionTimestamp", operator: "DoesNotExist" };
const notReady: Expression = {
  key: `.status.conditions[]? | select(.type == "Ready") | .status`,
  operator: "NotIn",
  values: ["True"],
};

function verdict(...verdicts: Verdict[]): Expression {
  return { key: `.metadata.annotations["${VERDICT}"]`, operator: "In", values: verdicts };
}

function phase(...phases: string[]): Expression {
  return { key: ".status.phase", operator: "In", values: phases };
}

const behaviourName = `(.metadata.annotations["${BEHAVIOUR}"] // "") | split(":") | (.[0] // "")`;

function behaviour(name: (typeof BEHAVIOURS)[number]): Expression {
  return { key: behaviourName, operator: "In", values: [name] };
}

function notBehaviour(...names: readonly string[]): Expression {
  return { key: behaviourName, operator: "NotIn", values: names };
}

const waitingReasons = ".status.containerStatuses[]?.state.waiting.reason";

function waitsFor(operator: "In" | "NotIn", ...reasons: string[]): Expression {
  return { key: waitingReasons, operator, values: reasons };
}

function status(look: Parameters<typeof statusPatch>[0]): Step {
  return { patch: { subresource: "status", template: statusPatch(look) } };
}

const firstImage = "(index .spec.containers 0).image";

const PODS: readonly Stage[] = [
  {
    name: "pod-ready",
    kind: "Pod",
    when: [living, verdict("start"), notBehaviour(...BEHAVIOURS), phase("Pending", "Running"), notReady],
    steps: [status({ phase: "Running", init: "done", container: running(true), ready: true, network: true })],
  },
  {
    // Its readiness probe fails, or has not yet succeeded. Also for a pod that was ready before it was
    // annotated.
    name: "pod-unready",
    kind: "Pod",
    when: [living, verdict("start"), behaviour("never-ready"), phase("Pending", "Running")],
    steps: [
      status({ phase: "Running", init: "done", container: running(false), ready: false, network: true }),
      {
        apply: {
          template: event("Unhealthy", `"Readiness probe failed: this pod is annotated never-ready"`),
        },
      },
    ],
  },
  {
    name: "pod-slow-start",
    kind: "Pod",
    when: [living, verdict("start"), behaviour("slow"), phase("Pending")],
    steps: [
      status({ phase: "Running", init: "done", container: running(false), ready: false, network: true }),
    ],
  },
  {
    name: "pod-slow-ready",
    kind: "Pod",
    when: [living, verdict("start"), behaviour("slow"), phase("Running"), notReady],
    after: `(.metadata.annotations["${BEHAVIOUR}"] | split(":")[1]) + "s"`,
    steps: [status({ phase: "Running", init: "done", container: running(true), ready: true, network: true })],
  },
  {
    // A kubelet pulls the image before it looks at what the container's environment names, and after mounting
    // volumes.
    name: "pod-image-pull-error",
    kind: "Pod",
    when: [
      living,
      verdict("start", "config-missing"),
      behaviour("image-pull-error"),
      phase("Pending"),
      waitsFor("NotIn", "ErrImagePull", "ImagePullBackOff"),
    ],
    steps: [
      status({
        phase: "Pending",
        init: "done",
        container: waiting("ErrImagePull", imagePullError(".image")),
        ready: false,
        network: true,
      }),
      { apply: { template: event("Failed", imagePullError(firstImage)) } },
    ],
  },
  {
    name: "pod-image-pull-backoff",
    kind: "Pod",
    when: [living, behaviour("image-pull-error"), phase("Pending"), waitsFor("In", "ErrImagePull")],
    after: `"1s"`,
    steps: [
      status({
        phase: "Pending",
        init: "done",
        container: waiting(
          "ImagePullBackOff",
          `printf "Back-off pulling image %q: ErrImagePull: %s" .image (${imagePullError(".image")})`,
        ),
        ready: false,
        network: true,
      }),
      { apply: { template: event("BackOff", `printf "Back-off pulling image %q" ${firstImage}`) } },
    ],
  },
  {
    name: "pod-crash",
    kind: "Pod",
    when: [
      living,
      verdict("start"),
      behaviour("crash-loop"),
      phase("Pending", "Running"),
      waitsFor("NotIn", "CrashLoopBackOff"),
    ],
    steps: crash(),
  },
  {
    name: "pod-crash-again",
    kind: "Pod",
    when: [
      living,
      verdict("start"),
      behaviour("crash-loop"),
      phase("Running"),
      waitsFor("In", "CrashLoopBackOff"),
    ],
    after: `"10s"`,
    steps: crash(),
  },
  {
    name: "pod-config-missing",
    kind: "Pod",
    when: [living, verdict("config-missing"), notBehaviour("image-pull-error"), phase("Pending")],
    steps: [
      status({
        phase: "Pending",
        init: "until-message",
        container: RUNNING_OR_MESSAGE,
        ready: false,
        network: true,
      }),
      { apply: { template: event("Failed", `printf "Error: %s" (first (values $messages))`) } },
    ],
  },
  {
    name: "pod-volume-missing",
    kind: "Pod",
    when: [living, verdict("volume-missing"), phase("Pending")],
    steps: [
      status({
        phase: "Pending",
        init: "waiting",
        container: `{{ if $held }}${waiting("PodInitializing")}{{ else }}${waiting("ContainerCreating")}{{ end }}`,
        ready: false,
        network: false,
      }),
      { apply: { template: event("FailedMount", `get $messages ""`) } },
    ],
  },
  {
    name: "pod-delete",
    kind: "Pod",
    when: [{ key: ".metadata.deletionTimestamp", operator: "Exists" }],
    steps: [{ delete: true }],
  },
];

function imagePullError(image: string): string {
  return `printf "failed to pull and unpack image %q: not found" ${image}`;
}

function crash(): Step[] {
  const message =
    `printf "Back-off restarting failed container %s in pod %s_%s(%s)" ` +
    `(index .spec.containers 0).name .metadata.name .metadata.namespace .metadata.uid`;
  return [
    status({ phase: "Running", init: "done", container: CRASHED, ready: false, network: true }),
    { apply: { template: event("BackOff", message) } },
  ];
}

const NODE: Stage = {
  name: "node-ready",
  kind: "Node",
  when: [notReady],
  steps: [
    {
      patch: {
        subresource: "status",
        root: "status",
        template: `
{{ $now := Now }}
conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
`,
      },
    },
  ],
};

/** The file for `kwok --config`. */
export function kwokConfig(): string {
  const options = {
    apiVersion: "config.kwok.x-k8s.io/v1alpha1",
    kind: "KwokConfiguration",
    // Given one of them, kwok has no defaults for the others.
    options: {
      podPlayStageParallelism: 16,
      nodePlayStageParallelism: 1,
      podsOnNodeSyncParallelism: 1,
      nodeLeaseParallelism: 1,
      nodeLeaseDurationSeconds: 40,
      enableDebuggingHandlers: true,
    },
  };
  // JSON is YAML.
  return [options, PORT_FORWARD, ...[NODE, ...PODS].map(document)]
    .map((part) => JSON.stringify(part))
    .join("\n---\n");
}

function document(stage: Stage): object {
  return {
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name: stage.name },
    spec: {
      resourceRef: { apiGroup: "v1", kind: stage.kind },
      selector: { matchExpressions: stage.when },
      ...(stage.after === undefined ? {} : { delay: { durationFrom: { expressionFrom: stage.after } } }),
      steps: stage.steps,
    },
  };
}
