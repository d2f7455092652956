// As Pulumi's own templates begin: the whole SDK, a provider that is told its cluster, and nothing else.
import * as k8s from "@pulumi/kubernetes";
import { readConfig } from "./config.ts";
import { rawProxy } from "./proxy.ts";

const { namespace, context, proxies } = readConfig();
const provider = new k8s.Provider("cluster", { context });

for (const [name, checksum] of Object.entries(proxies)) {
  const { account, deployment, service, policy, budget } = rawProxy(name, namespace, checksum);
  const serviceAccount = new k8s.core.v1.ServiceAccount(name, account, { provider });
  new k8s.apps.v1.Deployment(name, deployment, { provider, dependsOn: serviceAccount });
  new k8s.core.v1.Service(name, service, { provider });
  new k8s.networking.v1.NetworkPolicy(name, policy, { provider });
  new k8s.policy.v1.PodDisruptionBudget(name, budget, { provider });
}
