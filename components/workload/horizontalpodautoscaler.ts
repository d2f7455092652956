import type { AutoscalingSpec } from "./availability-specs.ts";
import { type Identity, objectLabels } from "./labels.ts";
import type { ContainerMetric, HorizontalPodAutoscaler } from "./manifest.ts";

const DEFAULT_CPU_UTILIZATION = 80;

/** An autoscaler of the workload's Deployment. It measures the main container alone: sidecars idle or spin as they like. */
export function renderHorizontalPodAutoscaler(
  identity: Identity,
  spec: AutoscalingSpec,
): HorizontalPodAutoscaler {
  const { targetCPUUtilizationPercentage: cpu, targetMemoryUtilizationPercentage: memory } = spec;
  const targets = {
    cpu: cpu ?? (memory === undefined ? DEFAULT_CPU_UTILIZATION : undefined),
    memory,
  };
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: identity.name, namespace: identity.namespace, labels: objectLabels(identity) },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: identity.name },
      minReplicas: spec.minReplicas ?? 1,
      maxReplicas: spec.maxReplicas,
      metrics: Object.entries(targets).flatMap(([name, averageUtilization]): ContainerMetric[] =>
        averageUtilization === undefined
          ? []
          : [
              {
                type: "ContainerResource",
                containerResource: {
                  name,
                  container: identity.component,
                  target: { type: "Utilization", averageUtilization },
                },
              },
            ],
      ),
      ...(spec.behavior && { behavior: spec.behavior }),
    },
  };
}
