import { z } from "zod";
import {
  type ContainerSecurityContextSpec,
  containerSecurityContextSpec,
} from "./container-security-specs.ts";
import {
  type ContainerEnvFromSpec,
  containerEnvFromSpec,
  type ContainerEnvSpec,
  containerEnvSpec,
} from "./env-specs.ts";
import {
  checkDevices,
  type VolumeDeviceSpec,
  volumeDevicesSpec,
  type VolumeMountSpec,
  volumeMountsSpec,
} from "./mount-specs.ts";
import {
  type ContainerProbeSpec,
  lifecycleSpec,
  type LifecycleSpec,
  readinessProbeSpec,
  restartProbeSpec,
} from "./probe-specs.ts";
import { only, portName, portNumber, unique } from "./spec-rules.ts";
import { type ResourcesSpec, resourcesSpec } from "./specs.ts";
import { containerName, strict } from "./validation.ts";

/** A port that a container listens on: documentation, and a name for probes and Services. */
export interface ContainerPortSpec {
  /** Number, 1 to 65535. */
  containerPort: number;
  /** Name, once in a container: at most 15 lower-case letters, digits and `-`. */
  name?: string | undefined;
  /**
   * `TCP`, `UDP` or `SCTP`.
   * @default TCP
   */
  protocol?: "TCP" | "UDP" | "SCTP" | undefined;
  /** Only 0: Pod Security forbids ports of the node. */
  hostPort?: 0 | undefined;
  /** Only empty: it belongs to `hostPort`. */
  hostIP?: "" | undefined;
}

/** Whether a change of a resource restarts the container. */
export interface ResizePolicySpec {
  /** `cpu` or `memory`, each once. */
  resourceName: "cpu" | "memory";
  /** `NotRequired` or `RestartContainer`. */
  restartPolicy: "NotRequired" | "RestartContainer";
}

/**
 * A container of one's own, as Kubernetes has it. It always runs as non-root, without escalation, without capabilities
 * and under the runtime's seccomp profile; what else it says stays. Fields that the Kubernetes provider does not know
 * (4.25: `restartPolicyRules`, `fileKeyRef`) have no place here: it would drop them without a word.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Container
 */
export interface ContainerSpec {
  /** Name, unlike that of any other container of the pod. */
  name: string;
  /** Reference of its image. */
  image: string;
  /**
   * When the kubelet pulls the image: `Always`, `IfNotPresent` or `Never`.
   * @default Always with tag latest or none, else IfNotPresent
   */
  imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /** Entry point in place of the image's own, without a shell. */
  command?: string[] | undefined;
  /** Arguments in place of the image's own. */
  args?: string[] | undefined;
  /**
   * Directory that the process starts in.
   * @default the image's own
   */
  workingDir?: string | undefined;
  /** Ports. */
  ports?: ContainerPortSpec[] | undefined;
  /** Variables. */
  env?: ContainerEnvSpec[] | undefined;
  /** Variables from whole Secrets and ConfigMaps; those of `env` win. */
  envFrom?: ContainerEnvFromSpec[] | undefined;
  /** CPU, memory and devices. Claims have no place here: the pods carry none. */
  resources?: ResourcesSpec | undefined;
  /** What a change of resources on a running pod does. Kubernetes 1.33 or newer. */
  resizePolicy?: ResizePolicySpec[] | undefined;
  /**
   * `Always` makes an init container a native sidecar: it starts in its turn and runs on. `Never`, `OnFailure`, and any
   * value in other containers, need Kubernetes 1.35.
   */
  restartPolicy?: "Always" | "Never" | "OnFailure" | undefined;
  /** Volumes of the pod. */
  volumeMounts?: VolumeMountSpec[] | undefined;
  /** Block devices of the pod. */
  volumeDevices?: VolumeDeviceSpec[] | undefined;
  /** Restarts the container when it fails. Not in init containers, unless `restartPolicy` is `Always`. */
  livenessProbe?: ContainerProbeSpec | undefined;
  /** Decides whether the pod is ready. Not in init containers, unless `restartPolicy` is `Always`. */
  readinessProbe?: Omit<ContainerProbeSpec, "terminationGracePeriodSeconds"> | undefined;
  /** Holds the other probes back until it succeeds. Not in init containers, unless `restartPolicy` is `Always`. */
  startupProbe?: ContainerProbeSpec | undefined;
  /** What runs at start and end. Not in init containers, unless `restartPolicy` is `Always`. */
  lifecycle?: LifecycleSpec | undefined;
  /**
   * File whose content becomes the container's last word.
   * @default /dev/termination-log
   */
  terminationMessagePath?: string | undefined;
  /**
   * `File`, or `FallbackToLogsOnError` for the end of the log when the file is empty.
   * @default File
   */
  terminationMessagePolicy?: "File" | "FallbackToLogsOnError" | undefined;
  /** Security settings, as far as they can be tuned. */
  securityContext?: ContainerSecurityContextSpec | undefined;
  /** @default false */
  stdin?: boolean | undefined;
  /** @default false */
  stdinOnce?: boolean | undefined;
  /** @default false */
  tty?: boolean | undefined;
}

const portsSpec = z
  .array(
    strict({
      containerPort: portNumber,
      name: portName.optional(),
      protocol: z.enum(["TCP", "UDP", "SCTP"]).optional(),
      hostPort: only(0, "Pod Security forbids ports of the node"),
      hostIP: only("", "it belongs to hostPort, and Pod Security forbids ports of the node"),
    }),
  )
  .superRefine(unique("name", ({ name }) => name, "is the name of another port too"))
  .superRefine(
    unique(
      "containerPort",
      ({ containerPort, protocol = "TCP" }) => `${protocol} ${containerPort}`,
      "is given twice with this protocol; keep one",
    ),
  );

const base = strict({
  name: containerName,
  image: z.string().regex(/^\S+$/, "must be the reference of an image"),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  workingDir: z.string().optional(),
  ports: portsSpec.optional(),
  env: containerEnvSpec.optional(),
  envFrom: containerEnvFromSpec.optional(),
  resources: resourcesSpec.optional(),
  resizePolicy: z
    .array(
      strict({
        resourceName: z.enum(["cpu", "memory"]),
        restartPolicy: z.enum(["NotRequired", "RestartContainer"]),
      }),
    )
    .superRefine(unique("resourceName", ({ resourceName }) => resourceName, "is given twice; keep one"))
    .optional(),
  restartPolicy: z.enum(["Always", "Never", "OnFailure"]).optional(),
  volumeMounts: volumeMountsSpec.optional(),
  volumeDevices: volumeDevicesSpec.optional(),
  livenessProbe: restartProbeSpec.optional(),
  readinessProbe: readinessProbeSpec.optional(),
  startupProbe: restartProbeSpec.optional(),
  lifecycle: lifecycleSpec.optional(),
  terminationMessagePath: z.string().optional(),
  terminationMessagePolicy: z.enum(["File", "FallbackToLogsOnError"]).optional(),
  securityContext: containerSecurityContextSpec.optional(),
  stdin: z.boolean().optional(),
  stdinOnce: z.boolean().optional(),
  tty: z.boolean().optional(),
}).superRefine(checkDevices);

/** Containers that run beside the main one. */
export const containersSpec = z.array(base);

const ENDS = "has no meaning in an init container without restartPolicy Always: it ends before the pod runs";

/** Containers that run before it: unless they go on running, nothing can probe them or end them. */
export const initContainersSpec = z.array(
  base.superRefine((container, context) => {
    if (container.restartPolicy === "Always") return;
    for (const field of ["livenessProbe", "readinessProbe", "startupProbe", "lifecycle"] as const)
      if (container[field] !== undefined) context.addIssue({ code: "custom", path: [field], message: ENDS });
    for (const [index, { restartPolicy }] of (container.resizePolicy ?? []).entries())
      if (restartPolicy === "RestartContainer")
        context.addIssue({ code: "custom", path: ["resizePolicy", index, "restartPolicy"], message: ENDS });
  }),
);
