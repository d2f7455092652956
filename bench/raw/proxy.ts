// The five objects of one Proxy, as somebody writes them who knows Kubernetes and Pulumi well and needs nothing more.
import type { types } from "@pulumi/kubernetes";

/** Equal to what the component renders, but for annotations; test/cluster/bench.test.ts holds them together. */
export function rawProxy(name: string, namespace: string, checksum: string) {
  const selector = {
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/component": "proxy",
    "otilm.com/proxy": name,
  };
  const labels = {
    ...selector,
    "app.kubernetes.io/managed-by": "pulumi",
    "app.kubernetes.io/part-of": "network-zones",
  };
  const metadata = { name, namespace, labels };
  return {
    account: { metadata },
    deployment: {
      metadata,
      spec: {
        replicas: 1,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
        minReadySeconds: 0,
        progressDeadlineSeconds: 300,
        selector: { matchLabels: selector },
        template: {
          metadata: { labels, annotations: { "otilm.com/config-checksum": checksum } },
          spec: podSpec(name),
        },
      } satisfies types.input.apps.v1.DeploymentSpec,
    },
    service: {
      metadata,
      spec: {
        type: "ClusterIP",
        selector,
        ports: [
          { name: "http", port: 8080, targetPort: 8080, protocol: "TCP" },
          { name: "api", port: 8081, targetPort: 8081, protocol: "TCP" },
        ],
      },
    },
    policy: {
      metadata,
      spec: {
        podSelector: { matchLabels: selector },
        policyTypes: ["Ingress"],
        ingress: [
          {
            from: [{ podSelector: {} }],
            ports: [
              { port: 8080, protocol: "TCP" },
              { port: 8081, protocol: "TCP" },
            ],
          },
        ],
      },
    },
    budget: {
      metadata,
      spec: {
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: "AlwaysAllow",
        selector: { matchLabels: selector },
      },
    },
  };
}

function podSpec(name: string): types.input.core.v1.PodSpec {
  const secret = `${name}-config`;
  const probe = (
    path: string,
    initialDelaySeconds: number,
    periodSeconds: number,
    failureThreshold: number,
  ) => ({
    httpGet: { path, port: 8080 },
    initialDelaySeconds,
    periodSeconds,
    failureThreshold,
  });
  return {
    serviceAccountName: name,
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    containers: [
      {
        name: "proxy",
        image: "hub.omnitrustregistry.com/ilm/proxy:1.0.0",
        imagePullPolicy: "IfNotPresent",
        ports: [
          { name: "http", containerPort: 8080 },
          { name: "api", containerPort: 8081 },
        ],
        env: [
          {
            name: "PROXY_CONFIG_TOKEN",
            valueFrom: { secretKeyRef: { name: secret, key: "configToken" } },
          },
          {
            name: "PROXY_TOKEN_SIGNING_KEY",
            valueFrom: { secretKeyRef: { name: secret, key: "tokenSigningKey", optional: true } },
          },
        ],
        livenessProbe: probe("/health", 10, 30, 3),
        readinessProbe: probe("/ready", 5, 10, 3),
        startupProbe: probe("/health", 0, 10, 30),
        securityContext: {
          runAsNonRoot: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          seccompProfile: { type: "RuntimeDefault" },
          readOnlyRootFilesystem: true,
        },
        volumeMounts: [{ name: "writable-tmp", mountPath: "/tmp" }],
      },
    ],
    volumes: [{ name: "writable-tmp", emptyDir: { sizeLimit: "64Mi" } }],
  };
}
