/** The parts of Kubernetes manifests that the renderers write: plain values, complete before anything is registered. */

import type { AffinitySpec } from "./affinity-specs.ts";
import type { AutoscalingSpec, TopologySpreadConstraintSpec } from "./availability-specs.ts";
import type { ContainerSecurityContextSpec } from "./container-security-specs.ts";
import type { ContainerSpec } from "./container-specs.ts";
import type { NetworkPolicyEgressRuleSpec, NetworkPolicyPeerSpec } from "./network-specs.ts";
import type { TolerationSpec } from "./specs.ts";

export interface Metadata {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?:
    | { secretKeyRef: { name: string; key: string; optional?: boolean } }
    | { configMapKeyRef: { name: string; key: string } };
}

export type EnvFromSource = { secretRef: { name: string } } | { configMapRef: { name: string } };

export interface Volume {
  name: string;
  secret?: { secretName: string; items?: { key: string; path: string }[] };
  configMap?: { name: string; items?: { key: string; path: string }[] };
  emptyDir?: { medium?: string; sizeLimit?: string };
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
}

export interface VolumeMount {
  name: string;
  mountPath: string;
  readOnly?: boolean;
}

export interface HttpGetProbe {
  httpGet: { path: string; port: number };
  initialDelaySeconds?: number;
  periodSeconds?: number;
  failureThreshold?: number;
}

export interface SecurityContext {
  runAsNonRoot: true;
  allowPrivilegeEscalation: false;
  capabilities: { drop: ["ALL"] };
  seccompProfile: { type: "RuntimeDefault" };
  readOnlyRootFilesystem: boolean;
}

export interface Resources {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

export interface Container {
  name: string;
  image: string;
  imagePullPolicy: string;
  command?: string[];
  args?: string[];
  ports: { name: string; containerPort: number }[];
  env?: EnvVar[];
  envFrom?: EnvFromSource[];
  resources?: Resources;
  livenessProbe?: HttpGetProbe;
  readinessProbe?: HttpGetProbe;
  startupProbe?: HttpGetProbe;
  securityContext: SecurityContext;
  volumeMounts?: VolumeMount[];
}

/** A container that somebody else has written, hardened. */
export type UserContainer = ContainerSpec & { securityContext: ContainerSecurityContextSpec };

export interface PodSpec {
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
  priorityClassName?: string;
  imagePullSecrets?: { name: string }[];
  securityContext: { runAsNonRoot: true; seccompProfile: { type: "RuntimeDefault" }; fsGroup?: number };
  terminationGracePeriodSeconds?: number;
  nodeSelector?: Record<string, string>;
  affinity?: AffinitySpec;
  tolerations?: TolerationSpec[];
  topologySpreadConstraints?: TopologySpreadConstraintSpec[];
  initContainers?: UserContainer[];
  /** The workload's own container first. */
  containers: [Container, ...UserContainer[]];
  volumes?: Volume[];
}

export interface DeploymentStrategy {
  type: "RollingUpdate" | "Recreate";
  rollingUpdate?: { maxSurge: number | string; maxUnavailable: number | string };
}

export interface Deployment extends Manifest {
  apiVersion: "apps/v1";
  kind: "Deployment";
  spec: {
    /** None where an autoscaler decides. */
    replicas?: number;
    strategy: DeploymentStrategy;
    minReadySeconds: number;
    progressDeadlineSeconds: number;
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
      spec: PodSpec;
    };
  };
}

export interface ServicePort {
  name: string;
  port: number;
  targetPort: number;
  protocol: "TCP";
}

export interface Service extends Manifest {
  apiVersion: "v1";
  kind: "Service";
  spec: {
    type: "ClusterIP" | "NodePort" | "LoadBalancer";
    selector: Record<string, string>;
    ports: ServicePort[];
  };
}

export interface ServiceAccount extends Manifest {
  apiVersion: "v1";
  kind: "ServiceAccount";
}

export interface Secret extends Manifest {
  apiVersion: "v1";
  kind: "Secret";
  /** Values in base64. */
  data: Record<string, string>;
}

export interface PodDisruptionBudget extends Manifest {
  apiVersion: "policy/v1";
  kind: "PodDisruptionBudget";
  spec: {
    selector: { matchLabels: Record<string, string> };
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    unhealthyPodEvictionPolicy: "AlwaysAllow";
  };
}

export interface ContainerMetric {
  type: "ContainerResource";
  containerResource: {
    name: string;
    container: string;
    target: { type: "Utilization"; averageUtilization: number };
  };
}

export interface HorizontalPodAutoscaler extends Manifest {
  apiVersion: "autoscaling/v2";
  kind: "HorizontalPodAutoscaler";
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1"; kind: "Deployment"; name: string };
    minReplicas: number;
    maxReplicas: number;
    metrics: ContainerMetric[];
    behavior?: NonNullable<AutoscalingSpec["behavior"]>;
  };
}

export interface NetworkPolicy extends Manifest {
  apiVersion: "networking.k8s.io/v1";
  kind: "NetworkPolicy";
  spec: {
    podSelector: { matchLabels: Record<string, string> };
    policyTypes: ("Ingress" | "Egress")[];
    ingress: { ports: { port: number; protocol: "TCP" }[]; from: NetworkPolicyPeerSpec[] }[];
    egress?: NetworkPolicyEgressRuleSpec[];
  };
}

export interface ServiceMonitor extends Manifest {
  apiVersion: "monitoring.coreos.com/v1";
  kind: "ServiceMonitor";
  spec: {
    selector: { matchLabels: Record<string, string> };
    namespaceSelector: { matchNames: string[] };
    endpoints: { port: string; path: string; interval?: string }[];
  };
}
